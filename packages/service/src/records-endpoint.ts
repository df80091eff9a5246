import { OAuthError } from '@gantry/oauth';
import type { Database, Statement } from '@gantry/store';
import { SocialError } from '@gantry/wire';
import type { Passwords } from './account/passwords.ts';
import { parseRecordsBody } from './body.ts';
import type { Answer } from './exchange.ts';
import { readSigned, refused, type SignedRequest, type Verify } from './signed-request.ts';
import { type ConsumerRow, findConsumer } from './store/consumers.ts';
import { type RecordProblem, saveRecords } from './world/save-records.ts';

/** Where a site sends what changed in its own member table (contract §9). */
export const recordsPath = '/gantry/admin/records';

export interface RecordsEndpointOptions {
  readonly db: Database;
  readonly verify: Verify;
  readonly mediaFolder: string;
  /** 32 bytes: seals consumer secrets. */
  readonly secretKey: Uint8Array;
  readonly now: () => number;
  readonly random: (bytes: number) => Uint8Array;
  /** As in `StoreOptions`. */
  readonly passwords?: Passwords | undefined;
  /** As in `StoreOptions`. */
  readonly alsoRemove?: ((member: string) => readonly Statement[]) | undefined;
}

/**
 * Makes the function that stores the records of a signed POST as one transaction: all of them, or none.
 *
 * The key must be an administrator's that may speak for any member: whoever writes any member's data could do nothing with
 * another one. It speaks for the site itself, so no requestor is asked for; and since a removal is one word in the body,
 * the signature must cover the body.
 */
export function createRecordsEndpoint({ db, verify, ...options }: RecordsEndpointOptions) {
  const { now } = options;

  async function authenticate(signed: SignedRequest, admit: (consumerKey: string) => void): Promise<void> {
    const request = readSigned(signed);
    const { consumerKey, token, bodyHash } = request;
    const consumer = await findConsumer(db, { key: consumerKey, token, requestorId: undefined });
    await verify({ ...signed, request }, consumer, 'access');
    if (token !== '' || !consumer || !mayKeepMembers(consumer)) {
      throw refused(
        'permission_denied',
        'Records need a key that was made with gantry consumer add --kind admin --any-member, and no token.',
      );
    }
    if (bodyHash === undefined) {
      throw new OAuthError(400, 'parameter_absent', 'Records are signed with their body: send oauth_body_hash.');
    }
    admit(consumerKey);
  }

  /** @param admit Called with the key of the consumer once it has proved itself. May throw. */
  return async function keepRecords(signed: SignedRequest, admit: (consumerKey: string) => void): Promise<Answer> {
    if (signed.method !== 'POST') {
      throw new SocialError('METHOD_NOT_ALLOWED', 'Records are sent by POST.', { allow: ['POST'] });
    }
    await authenticate(signed, admit);
    const saved = await saveRecords(db, parseRecordsBody(signed), { ...options, nowMs: now() });
    return 'problems' in saved ? refusal(saved.problems) : json(200, saved);
  };
}

function mayKeepMembers({ kind, any_member, member_id, owner_is_admin }: ConsumerRow): boolean {
  return kind === 'admin' && any_member === 1 && (member_id === null || owner_is_admin === 1);
}

/** Says what is wrong with each record, and the first of it as any other error. */
function refusal(problems: readonly RecordProblem[]): Answer {
  const errors = problems.map(({ index, message }) => ({ index, message: `${message}.` }));
  const [first] = errors;
  return json(400, { error: { code: 400, message: `Record ${first?.index}: ${first?.message}`, errors } });
}

function json(status: number, body: object): Answer {
  const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' };
  return { status, headers, body: JSON.stringify(body) };
}
