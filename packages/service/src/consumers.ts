import { randomBytes } from 'node:crypto';
import { type Database, type Statement, seal, sql } from '@gantry/store';
import { isId, SocialError } from '@gantry/wire';
import { appExists } from './apps.ts';
import { type ConsumerKind, consumerWrite } from './store/consumers.ts';
import { memberExists } from './store/members.ts';

export interface ConsumerSpec {
  readonly kind: ConsumerKind;
  /** What members read when they are asked to allow it: at most 100 characters. Default: none, and they read the key. */
  readonly title?: string | undefined;
  /** For `app`: the app whose key it is. */
  readonly appId?: string | undefined;
  /** For `member`: its owner. For `admin`: the administrator, if anyone in particular. */
  readonly memberId?: string | undefined;
  /** For `app`: only the site's own proxy uses it, so the requestor need not have the app. */
  readonly container?: boolean | undefined;
  /** For `admin`: 2-legged requests may speak for any member. */
  readonly anyMember?: boolean | undefined;
  /** Default: fresh, with at least 128 random bits. */
  readonly key?: string | undefined;
  readonly secret?: string | undefined;
}

export interface Credentials {
  readonly key: string;
  /** Shown this once; the database holds it sealed. */
  readonly secret: string;
}

/** A consumer as administrators see it. */
export interface Consumer {
  readonly key: string;
  readonly kind: ConsumerKind;
  /** `''` for none. */
  readonly title: string;
  readonly appId?: string;
  readonly memberId?: string;
  readonly container: boolean;
  readonly anyMember: boolean;
  /** ISO 8601. */
  readonly createdAt: string;
}

/**
 * Registers an OAuth consumer. A running server honours it at once.
 *
 * @param spec.secretKey 32 bytes that seal the secret.
 * @throws SocialError BAD_REQUEST for a kind without its app or member, or with one that does not exist.
 */
export async function addConsumer(
  db: Database,
  {
    secretKey,
    now = Date.now,
    ...spec
  }: ConsumerSpec & { readonly secretKey: Uint8Array; readonly now?: () => number },
): Promise<Credentials> {
  const key = spec.key ?? randomBytes(16).toString('hex');
  const secret = spec.secret ?? randomBytes(32).toString('hex');
  const statement = consumerStatement({ ...spec, key, secret }, { secretKey, nowMs: now() });
  if (spec.appId !== undefined && !(await appExists(db, spec.appId))) throw unknown('app', spec.appId);
  if (spec.memberId !== undefined && !(await memberExists(db, spec.memberId))) throw unknown('member', spec.memberId);
  await db.query(statement);
  return { key, secret };
}

/** The statement of `addConsumer`, for a batch; whether app and member exist is left to the database. */
export function consumerStatement(
  spec: ConsumerSpec & Credentials,
  { secretKey, nowMs }: { readonly secretKey: Uint8Array; readonly nowMs: number },
): Statement {
  checkConsumer(spec);
  const { key, secret, kind, title = '', appId, memberId, container = false, anyMember = false } = spec;
  const sealedSecret = seal(secretKey, secret, `consumer/${key}`);
  return consumerWrite({ key, kind, title, sealedSecret, memberId, appId, container, anyMember, createdAtMs: nowMs });
}

/** @throws SocialError BAD_REQUEST for members that do not go together. */
export function checkConsumer(spec: ConsumerSpec): void {
  const problem = problemOf(spec);
  if (problem !== undefined) throw new SocialError('BAD_REQUEST', problem);
}

function problemOf({
  kind,
  title = '',
  appId,
  memberId,
  container,
  anyMember,
  key,
  secret,
}: ConsumerSpec): string | undefined {
  if (!/^[!-~]{1,255}$/.test(key ?? '')) return 'A consumer key has 1 to 255 printable characters without spaces.';
  if (!secret) return 'A consumer needs a secret.';
  if (!isTitle(title)) return 'The title of a consumer has at most 100 characters, on one line.';
  if (kind === 'app' && appId === undefined) return 'A consumer of the kind app needs the id of its app.';
  if (kind !== 'app' && appId !== undefined) return `A consumer of the kind ${kind} has no app.`;
  if (kind === 'member' && memberId === undefined) return 'A consumer of the kind member needs the id of its owner.';
  if (kind === 'app' && memberId !== undefined) return 'A consumer of the kind app belongs to no member.';
  if (container && kind !== 'app') return 'Only a consumer of the kind app can be marked container.';
  if (anyMember && kind !== 'admin') return 'Only a consumer of the kind admin can speak for any member.';
  return undefined;
}

function isTitle(title: string): boolean {
  return [...title].length <= 100 && !/\p{Cc}/u.test(title);
}

function unknown(what: 'app' | 'member', id: string): SocialError {
  return new SocialError('BAD_REQUEST', `There is no ${what}${isId(id) ? ` ${id}` : ' with this id'}.`);
}

interface ListedRow {
  readonly key: string;
  readonly kind: ConsumerKind;
  readonly title: string;
  readonly member_id: string | null;
  readonly app_id: string | null;
  readonly container: number;
  readonly any_member: number;
  readonly created_at_ms: number;
}

/** All consumers, oldest first. */
export function listConsumers(db: Database): Promise<readonly Consumer[]> {
  return consumersWhere(db, sql.empty);
}

/** The consumers that a member owns, oldest first. */
export function listConsumersOf(db: Database, memberId: string): Promise<readonly Consumer[]> {
  return consumersWhere(db, sql`where member_id = ${memberId}`);
}

async function consumersWhere(db: Database, condition: Statement): Promise<readonly Consumer[]> {
  const rows = await db.query<ListedRow>(sql`
    select key, kind, title, member_id, app_id, container, any_member, created_at_ms from consumer ${condition}
    order by created_at_ms, key`);
  return rows.map((row) => ({
    key: row.key,
    kind: row.kind,
    title: row.title,
    ...(row.app_id !== null && { appId: row.app_id }),
    ...(row.member_id !== null && { memberId: row.member_id }),
    container: row.container === 1,
    anyMember: row.any_member === 1,
    createdAt: new Date(Number(row.created_at_ms)).toISOString(),
  }));
}

/**
 * Forgets a consumer and its tokens, for running servers too.
 *
 * @param owner The member who asks, if it must be theirs.
 * @returns False if there was none, or none of theirs.
 */
export async function revokeConsumer(
  db: Database,
  key: string,
  owner?: { readonly memberId: string },
): Promise<boolean> {
  const ofOwner = owner ? sql`and member_id = ${owner.memberId}` : sql.empty;
  return (await db.query(sql`delete from consumer where key = ${key} ${ofOwner} returning key`)).length === 1;
}
