import { OAuthError } from '@gantry/oauth';
import type { Database, Statement } from '@gantry/store';
import { SocialError } from '@gantry/wire';
import type { Passwords } from './account/passwords.ts';
import { parseRecordsBody } from './body.ts';
import type { Answer } from './exchange.ts';
import { readSigned, refused, type SignedRequest, type Verify } from './signed-request.ts';
import { type ConsumerRow, findConsumer } from './store/consumers.ts';
import { applyRecords } from './world/apply-records.ts';
import { gather, type LineRecord, lineRecord } from './world/line-record.ts';
import { refuseDuringImport } from './world/unfinished-import.ts';

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

interface Problem {
  /** Of the record, from 0. */
  readonly index: number;
  readonly message: string;
}

/** At most so many problems are told at once; what stands after them is not looked at. */
const toldProblems = 20;

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
    const records: LineRecord[] = [];
    const problems: Problem[] = [];
    for (const [index, input] of parseRecordsBody(signed).entries()) {
      const record = lineRecord(input);
      if (!('problem' in record)) records.push(record);
      else if (problems.push({ index, message: record.problem.join(' ') }) === toldProblems) break;
    }
    if (problems.length > 0) return refusal(problems);
    const withFile = records.findIndex(({ list, record }) => list === 'mediaItems' && record.file !== undefined);
    if (withFile >= 0) return refusal([{ index: withFile, message: 'mediaItem.file is for files: give its url' }]);
    await refuseDuringImport(db);
    const bad = await applyRecords(db, records, { ...options, nowMs: now() });
    if (bad) return refusal([{ index: bad.index, message: bad.problem }]);
    return json(200, { records: records.length, counts: countsOf(records) });
  };
}

function mayKeepMembers({ kind, any_member, member_id, owner_is_admin }: ConsumerRow): boolean {
  return kind === 'admin' && any_member === 1 && (member_id === null || owner_is_admin === 1);
}

/** Says what is wrong with each record, and the first of it as any other error. */
function refusal(problems: readonly Problem[]): Answer {
  const errors = problems.map(({ index, message }) => ({ index, message: `${message}.` }));
  const [first] = errors;
  return json(400, { error: { code: 400, message: `Record ${first?.index}: ${first?.message}`, errors } });
}

function countsOf(records: readonly LineRecord[]): Readonly<Record<string, number>> {
  const { site, ...lists } = gather(records);
  const counts = Object.entries(lists).map(([name, list]) => [name, list.length] as const);
  return Object.fromEntries([...(site ? [['site', 1] as const] : []), ...counts.filter(([, count]) => count > 0)]);
}

function json(status: number, body: object): Answer {
  const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' };
  return { status, headers, body: JSON.stringify(body) };
}
