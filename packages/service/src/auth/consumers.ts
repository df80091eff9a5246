import { randomBytes } from 'node:crypto';
import { readRsaPublicKey, type SignatureMethod } from '@gantry/oauth';
import { type Database, type Statement, seal, sql } from '@gantry/store';
import { isId, nameProblem, SocialError } from '@gantry/wire';
import { appExists } from '../store/apps.ts';
import type { ConsumerKind, ConsumerRow } from '../store/consumers.ts';
import { isAdministrator, memberExists } from '../store/members.ts';
import { sealContext } from './verify-request.ts';

export interface ConsumerSpec {
  readonly kind: ConsumerKind;
  /** Name on the consent page, at most 100 characters. Default: the page shows the key. */
  readonly title?: string | undefined;
  readonly appId?: string | undefined;
  /** For `member`: its owner. For `admin`: the administrator who owns it, if any. */
  readonly memberId?: string | undefined;
  /** For `app`: only the site's own proxy uses it, so the requestor need not have the app. */
  readonly container?: boolean | undefined;
  /** For `admin`: 2-legged requests may act for any member. */
  readonly anyMember?: boolean | undefined;
  /** Default: random, at least 128 bits. */
  readonly key?: string | undefined;
  readonly secret?: string | undefined;
  /** The only signature method accepted. Default: RSA-SHA1 with a public key, else HMAC-SHA1. */
  readonly method?: SignatureMethod | undefined;
  /** For RSA-SHA1, instead of a secret: PEM, RSA, 2,048 to 4,096 bits. */
  readonly publicKey?: string | undefined;
  /** Refuses a body other than a form without `oauth_body_hash`. */
  readonly requireBodyHash?: boolean | undefined;
}

export interface NewConsumer extends ConsumerSpec {
  /** 32 bytes that seal the secret. */
  readonly secretKey: Uint8Array;
  readonly now?: () => number;
  readonly random?: (bytes: number) => Uint8Array;
}

export interface Credentials {
  readonly key: string;
  /** Returned only once, stored sealed. Empty for RSA-SHA1: the client keeps the private key. */
  readonly secret: string;
}

export interface Consumer {
  readonly key: string;
  readonly kind: ConsumerKind;
  /** `''` for none. */
  readonly title: string;
  readonly method: SignatureMethod;
  readonly requireBodyHash: boolean;
  readonly appId?: string;
  readonly memberId?: string;
  readonly container: boolean;
  readonly anyMember: boolean;
  /** ISO 8601. */
  readonly createdAt: string;
}

/**
 * Registers an OAuth consumer. Running servers accept it at once.
 *
 * @throws SocialError BAD_REQUEST for a kind without its app or member, an unknown app or member,
 * or an invalid public key.
 */
export async function addConsumer(db: Database, spec: NewConsumer): Promise<Credentials> {
  const { key, secret, statement } = newConsumer(spec);
  if (spec.appId !== undefined && !(await appExists(db, spec.appId))) throw unknown('app', spec.appId);
  if (spec.memberId !== undefined && !(await memberExists(db, spec.memberId))) throw unknown('member', spec.memberId);
  if (spec.kind === 'admin' && spec.memberId !== undefined && !(await isAdministrator(db, spec.memberId))) {
    throw new SocialError('BAD_REQUEST', 'Only a member who is an administrator can own a key of the kind admin.');
  }
  await db.query(statement);
  return { key, secret };
}

/** Creates the credentials and the statement of `addConsumer`, for a batch. */
export function newConsumer(options: NewConsumer): Credentials & { readonly statement: Statement } {
  const { secretKey, now = Date.now, random = randomBytes, ...spec } = options;
  const fresh = (bytes: number) => Buffer.from(random(bytes)).toString('hex');
  const key = spec.key ?? fresh(16);
  const secret = spec.secret ?? (methodOf(spec) === 'RSA-SHA1' ? '' : fresh(32));
  return { key, secret, statement: consumerStatement({ ...spec, key, secret }, { secretKey, nowMs: now() }) };
}

/** Deletes the keys of an app: all of them, or those of the site's own proxy except one. */
export function endAppKeys(appId: string, of: { readonly containerBut: string } | 'all'): Statement {
  const which = of === 'all' ? sql.empty : sql`and container = 1 and key <> ${of.containerBut}`;
  return sql`delete from consumer where app_id = ${appId} ${which}`;
}

/** Builds the statement that stores or replaces a consumer. The database checks app and member. */
export function consumerStatement(
  spec: ConsumerSpec & Credentials,
  { secretKey, nowMs }: { readonly secretKey: Uint8Array; readonly nowMs: number },
): Statement {
  checkConsumer(spec);
  const problem = spec.title ? nameProblem(spec.title) : undefined;
  if (problem !== undefined) throw new SocialError('BAD_REQUEST', `The title of a consumer ${problem}.`);
  const { key, secret, kind, title = '', publicKey, memberId = null, appId = null } = spec;
  const sealedSecret = seal(secretKey, secret, sealContext.consumer(key));
  const pem = publicKey === undefined ? null : readRsaPublicKey(publicKey).pem;
  const { requireBodyHash = false, container = false, anyMember = false } = spec;
  return sql`
    insert into consumer (key, kind, title, method, sealed_secret, public_key, require_body_hash, member_id, app_id,
      container, any_member, created_at_ms)
    values (${key}, ${kind}, ${title}, ${methodOf(spec)}, ${sealedSecret}, ${pem}, ${Number(requireBodyHash)},
      ${memberId}, ${appId}, ${Number(container)}, ${Number(anyMember)}, ${nowMs})
    on conflict (key) do update set kind = excluded.kind, title = excluded.title, method = excluded.method,
      sealed_secret = excluded.sealed_secret, public_key = excluded.public_key,
      require_body_hash = excluded.require_body_hash, member_id = excluded.member_id, app_id = excluded.app_id,
      container = excluded.container, any_member = excluded.any_member`;
}

function methodOf({ method, publicKey }: Pick<ConsumerSpec, 'method' | 'publicKey'>): SignatureMethod {
  return method ?? (publicKey === undefined ? 'HMAC-SHA1' : 'RSA-SHA1');
}

/** Validates a consumer. @throws SocialError BAD_REQUEST for fields that contradict each other. */
export function checkConsumer(spec: ConsumerSpec): void {
  const problem = keyProblem(spec) ?? problemOf(spec);
  if (problem !== undefined) throw new SocialError('BAD_REQUEST', problem);
}

function problemOf({ kind, title = '', appId, memberId, container, anyMember, key }: ConsumerSpec): string | undefined {
  if (!/^[!-~]{1,255}$/.test(key ?? '')) return 'A consumer key has 1 to 255 printable characters without spaces.';
  if (!isTitle(title)) return 'The title of a consumer has at most 100 characters, on one line.';
  if (kind === 'app' && appId === undefined) return 'A consumer of the kind app needs the id of its app.';
  if (kind !== 'app' && appId !== undefined) return `A consumer of the kind ${kind} has no app.`;
  if (kind === 'member' && memberId === undefined) return 'A consumer of the kind member needs the id of its owner.';
  if (kind === 'app' && memberId !== undefined) return 'A consumer of the kind app belongs to no member.';
  if (container && kind !== 'app') return 'Only a consumer of the kind app can be marked container.';
  if (anyMember && kind !== 'admin') return 'Only a consumer of the kind admin can act for any member.';
  return undefined;
}

function keyProblem({ secret, publicKey, ...spec }: ConsumerSpec): string | undefined {
  const method = methodOf({ ...spec, publicKey });
  if (method !== 'RSA-SHA1') {
    if (publicKey !== undefined) return `A consumer with ${method} has a secret, and no public key.`;
    return secret ? undefined : 'A consumer needs a secret.';
  }
  if (secret) return 'A consumer with RSA-SHA1 has a public key, and no secret.';
  if (publicKey === undefined) return 'A consumer with RSA-SHA1 needs its public key, in PEM.';
  try {
    readRsaPublicKey(publicKey);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

function isTitle(title: string): boolean {
  return [...title].length <= 100 && !/\p{Cc}/u.test(title);
}

function unknown(what: 'app' | 'member', id: string): SocialError {
  return new SocialError('BAD_REQUEST', `There is no ${what}${isId(id) ? ` ${id}` : ' with this id'}.`);
}

/** Returns all consumers, oldest first. */
export function listConsumers(db: Database): Promise<readonly Consumer[]> {
  return consumersWhere(db, sql.empty);
}

/** Returns the consumers that a member owns, oldest first. */
export function listConsumersOf(db: Database, memberId: string): Promise<readonly Consumer[]> {
  return consumersWhere(db, sql`where member_id = ${memberId}`);
}

/** Returns whether there is a consumer with this key. */
export async function consumerExists(db: Database, key: string): Promise<boolean> {
  return (await db.query(sql`select 1 from consumer where key = ${key}`)).length > 0;
}

type ListedRow = Pick<
  ConsumerRow,
  'kind' | 'method' | 'require_body_hash' | 'member_id' | 'app_id' | 'container' | 'any_member'
> & { readonly key: string; readonly title: string; readonly created_at_ms: number };

async function consumersWhere(db: Database, condition: Statement): Promise<readonly Consumer[]> {
  const rows = await db.query<ListedRow>(sql`
    select key, kind, title, method, require_body_hash, member_id, app_id, container, any_member, created_at_ms from consumer ${condition}
    order by created_at_ms, key`);
  return rows.map((row) => ({
    key: row.key,
    kind: row.kind,
    title: row.title,
    method: row.method,
    requireBodyHash: row.require_body_hash === 1,
    ...(row.app_id !== null && { appId: row.app_id }),
    ...(row.member_id !== null && { memberId: row.member_id }),
    container: row.container === 1,
    anyMember: row.any_member === 1,
    createdAt: new Date(row.created_at_ms).toISOString(),
  }));
}

/**
 * Deletes a consumer and its tokens. Running servers refuse them at once.
 *
 * @param owner Member who must own it, if given.
 * @returns False if there was none, or another member's.
 */
export async function revokeConsumer(
  db: Database,
  key: string,
  owner?: { readonly memberId: string },
): Promise<boolean> {
  const ofOwner = owner ? sql`and member_id = ${owner.memberId}` : sql.empty;
  return (await db.query(sql`delete from consumer where key = ${key} ${ofOwner} returning key`)).length === 1;
}
