import { OAuthError } from '@gantry/oauth';
import { type HttpResponse, isRecord, SocialError } from '@gantry/wire';
import { readBearer } from '@gantry/wire/runtime';
import { verifyMemberKey } from '../auth/member-keys.ts';
import { mayActForAnyMember } from '../auth/represented-member.ts';
import type { TokenEndpointOptions } from '../auth/token-endpoints.ts';
import { oauthRefusal, parseSignedRequest, type SignedRequest } from '../auth/verify-request.ts';
import type { Json } from '../formats/read-json.ts';
import { parseRecordsBody } from '../http/body.ts';
import { findConsumer } from '../store/consumers.ts';
import { type RecordProblem, saveRecords } from './save-records.ts';
import type { StorageOptions } from './store-world.ts';

/** Path to which a site sends changes of its own member table (contract §9). */
export const recordsPath = '/gantry/admin/records';

export type RecordsEndpointOptions = StorageOptions & Omit<TokenEndpointOptions, 'secretKey'>;

/** Request whose body is records. */
export interface RecordsRequest extends SignedRequest {
  /** The `Host` that the client sent. */
  readonly host: string;
}

/**
 * Creates the function that stores the records of a POST as one transaction: all, or none.
 *
 * A bearer key stores members, friendships and blocks (decision 82). A consumer key must be an
 * administrator's that may act for any member, since records write any member's data. It acts for
 * the site itself, so there is no requestor. The signature must cover the body, where one word
 * removes a member.
 */
export function createRecordsEndpoint({ db, verify, ...options }: RecordsEndpointOptions) {
  /** @param onVerified Called with the consumer's key once it is verified. May throw. */
  return async function storeRecords(
    signed: RecordsRequest,
    onVerified: (consumerKey: string) => Promise<void>,
  ): Promise<HttpResponse> {
    if (signed.method !== 'POST') {
      throw new SocialError('METHOD_NOT_ALLOWED', 'Send records with POST.', { allow: ['POST'] });
    }
    const bearer = readBearer(signed, signed.origin);
    if (bearer !== undefined) {
      await onVerified(`members/${await verifyMemberKey(db, bearer)}`);
      const records = parseRecordsBody(signed);
      const refused = records.flatMap((record, index) =>
        isOfMembers(record) ? [] : [{ index, message: notOfMembers }],
      );
      return refused.length > 0 ? refusal(refused) : save(records);
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
    await onVerified(consumerKey);
    return save(parseRecordsBody(signed));
  };

  async function save(records: readonly Json[]): Promise<HttpResponse> {
    const saved = await saveRecords(db, records, { ...options, nowMs: options.now() });
    return 'problems' in saved ? refusal(saved.problems) : json(200, saved);
  }
}

const kindsOfMembers: ReadonlySet<unknown> = new Set(['member', 'friendship', 'block']);
const notOfMembers =
  'A bearer key stores members, without admin and passwordHash, friendships and blocks: sign other records';

function isOfMembers(record: Json): boolean {
  return isRecord(record) && kindsOfMembers.has(record.kind) && !('admin' in record || 'passwordHash' in record);
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
