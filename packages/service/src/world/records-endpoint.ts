import { OAuthError } from '@gantry/oauth';
import type { Database } from '@gantry/store';
import { type HttpResponse, SocialError } from '@gantry/wire';
import { mayActForAnyMember } from '../auth/represented-member.ts';
import { oauthRefusal, parseSignedRequest, type SignedRequest, type Verify } from '../auth/verify-request.ts';
import { parseRecordsBody } from '../http/body.ts';
import { findConsumer } from '../store/consumers.ts';
import { type RecordProblem, saveRecords } from './save-records.ts';
import type { StorageOptions } from './store-world.ts';

/** Path to which a site sends changes of its own member table (contract §9). */
export const recordsPath = '/gantry/admin/records';

export interface RecordsEndpointOptions extends StorageOptions {
  readonly db: Database;
  readonly verify: Verify;
  readonly now: () => number;
  readonly random: (bytes: number) => Uint8Array;
}

/**
 * Creates the function that stores the records of a signed POST as one transaction: all, or none.
 *
 * The key must be an administrator's that may act for any member, since records write any member's
 * data. It acts for the site itself, so there is no requestor. The signature must cover the body,
 * where one word removes a member.
 */
export function createRecordsEndpoint({ db, verify, ...options }: RecordsEndpointOptions) {
  /** @param onVerified Called with the consumer's key once it is verified. May throw. */
  return async function storeRecords(
    signed: SignedRequest,
    onVerified: (consumerKey: string) => void,
  ): Promise<HttpResponse> {
    if (signed.method !== 'POST') {
      throw new SocialError('METHOD_NOT_ALLOWED', 'Send records with POST.', { allow: ['POST'] });
    }
    const request = parseSignedRequest(signed);
    const { consumerKey, token, bodyHash } = request;
    const consumer = await findConsumer(db, { key: consumerKey, token, requestorId: undefined });
    await verify({ ...signed, request }, consumer, 'access');
    if (token !== '' || consumer?.kind !== 'admin' || !mayActForAnyMember(consumer)) {
      throw oauthRefusal(
        'permission_denied',
        'Records need a key that was made with gantry consumer add --kind admin --any-member, and no token.',
      );
    }
    if (bodyHash === undefined) {
      throw new OAuthError(400, 'parameter_absent', 'Records must be signed with their body: send oauth_body_hash.');
    }
    onVerified(consumerKey);
    const saved = await saveRecords(db, parseRecordsBody(signed), { ...options, nowMs: options.now() });
    return 'problems' in saved ? refusal(saved.problems) : json(200, saved);
  };
}

/** Answers with the fault of each record, and the first one as the error. */
function refusal(problems: readonly RecordProblem[]): HttpResponse {
  const errors = problems.map(({ index, message }) => ({ index, message: `${message}.` }));
  const [first] = errors;
  return json(400, { error: { code: 400, message: `Record ${first?.index}: ${first?.message}`, errors } });
}

function json(status: number, body: object): HttpResponse {
  const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' };
  return { status, headers, body: JSON.stringify(body) };
}
