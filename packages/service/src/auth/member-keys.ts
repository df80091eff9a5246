import { bearerKeyId, type Database, isBearerKey, newBearerKey, type Statement, sql } from '@gantry/store';
import { nameProblem, SocialError } from '@gantry/wire';

/** Bearer key with which a site keeps its members in step; its secret is stored as a digest. */
export interface MemberKey {
  readonly id: string;
  readonly title: string;
  /** ISO 8601. */
  readonly createdAt: string;
}

/**
 * Creates a key for `POST /gantry/admin/records`. Running servers accept it at once.
 *
 * @returns The key, which is shown only once, and its id.
 * @throws SocialError BAD_REQUEST for a title that is no name.
 */
export async function addMemberKey(
  db: Database,
  { title = '', now = Date.now }: { readonly title?: string | undefined; readonly now?: () => number },
): Promise<{ readonly id: string; readonly key: string }> {
  const problem = title ? nameProblem(title) : undefined;
  if (problem !== undefined) throw new SocialError('BAD_REQUEST', `The title of a key ${problem}.`);
  const { id, key, digest } = newBearerKey();
  await db.query(sql`
    insert into member_key (id, digest, title, created_at_ms) values (${id}, ${digest}, ${title}, ${now()})`);
  return { id, key };
}

/** Returns all keys of this kind, oldest first. */
export async function listMemberKeys(db: Database): Promise<readonly MemberKey[]> {
  const rows = await db.query<{ id: string; title: string; created_at_ms: number }>(sql`
    select id, title, created_at_ms from member_key order by created_at_ms, id`);
  return rows.map(({ id, title, created_at_ms: at }) => ({ id, title, createdAt: new Date(at).toISOString() }));
}

/** Revokes a key; running servers refuse it at once. @returns False if there is none of this id. */
export async function revokeMemberKey(db: Database, id: string): Promise<boolean> {
  return (await db.query(sql`delete from member_key where id = ${id} returning id`)).length === 1;
}

/** Revokes all, as `RevokedKey` rows. */
export const endMemberKeys: Statement = sql`
  delete from member_key returning id as key, 'members' as kind, null as of`;

/** Returns the id of a valid key. @throws SocialError UNAUTHORIZED */
export async function verifyMemberKey(db: Database, key: string): Promise<string> {
  const id = bearerKeyId(key);
  const [row] =
    id === undefined ? [] : await db.query<{ digest: string }>(sql`select digest from member_key where id = ${id}`);
  if (isBearerKey(key, row?.digest) && id !== undefined) return id;
  throw new SocialError('UNAUTHORIZED', 'The key is unknown or was revoked: gantry keys add makes one.');
}
