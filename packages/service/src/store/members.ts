import { type Database, sql } from '@gantry/store';
import type { MemberFacts, Requester } from '../authorize.ts';
import { isOneOf } from './one-of.ts';
import { hasApp, isVisible, reachInto } from './visibility.ts';

/** Returns the facts that `authorize` needs, by member id; unknown members are absent. */
export async function memberFacts(
  db: Database,
  { memberId, appId }: Requester,
  ids: readonly string[],
): Promise<ReadonlyMap<string, MemberFacts>> {
  const rows = await db.query<{ id: string; visible: number; reach: number; has_app: number }>(sql`
    select id, case when ${isVisible(memberId, sql`member.id`)} then 1 else 0 end as visible,
      ${reachInto(memberId, sql`member.id`)} as reach, ${hasApp(appId, sql`member.id`)} as has_app
    from member where ${isOneOf(sql`member.id`, ids)}`);
  const facts = rows.map(({ id, reach, visible, has_app }) => {
    return { id, isFriendOfViewer: reach === 1, hasBlockedViewer: visible === 0, hasApp: has_app === 1 };
  });
  return new Map(facts.map((member) => [member.id, member]));
}

export interface ListedMember {
  readonly id: string;
  readonly displayName: string;
  /** As stored: absolute, relative to the site, or `''`. */
  readonly thumbnailUrl: string;
}

/** Returns a page of all members, ordered by id, for the site's own pages. It hides no member. */
export async function listMembers(
  db: Database,
  { startIndex = 0, count = 100 }: { readonly startIndex?: number; readonly count?: number } = {},
): Promise<readonly ListedMember[]> {
  return db.query<ListedMember>(sql`
    select id, display_name as "displayName", thumbnail_url as "thumbnailUrl" from member
    order by length(id), id limit ${count} offset ${startIndex}`);
}

/** Member, as the pages of their account know them. */
export interface AccountMember {
  readonly id: string;
  readonly displayName: string;
  readonly isAdmin: boolean;
  /** When the last member who had this id before was removed. */
  readonly earlierRemovedAtMs: number | undefined;
}

export type AccountRow = Pick<AccountMember, 'id' | 'displayName'> & { admin: number; removed_at_ms: number | null };

/** Columns of `AccountRow`, of `member`. */
export const accountColumns = sql`id, display_name as "displayName", admin,
  (select removed_at_ms from removed_member where removed_member.member_id = member.id) as removed_at_ms`;

export function accountMember({ id, displayName, admin, removed_at_ms: atMs }: AccountRow): AccountMember {
  return { id, displayName, isAdmin: admin === 1, earlierRemovedAtMs: atMs === null ? undefined : Number(atMs) };
}

export async function findAccountMember(db: Database, id: string): Promise<AccountMember | undefined> {
  const [row] = await db.query<AccountRow>(sql.repeated(sql`select ${accountColumns} from member where id = ${id}`));
  return row && accountMember(row);
}

/** Returns true if there is a member with this id. */
export async function memberExists(db: Database, id: string): Promise<boolean> {
  return (await db.query(sql`select 1 from member where id = ${id}`)).length > 0;
}

export async function isAdministrator(db: Database, id: string): Promise<boolean> {
  return (await db.query(sql`select 1 from member where id = ${id} and admin = 1`)).length > 0;
}
