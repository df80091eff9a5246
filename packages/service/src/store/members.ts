import { type Database, sql } from '@gantry/store';
import type { MemberFacts, Requester } from '../authorize.ts';
import { isOneOf } from './one-of.ts';
import { hasApp, isVisible, reachInto } from './visibility.ts';

interface FactsRow {
  readonly id: string;
  readonly visible: number;
  readonly reach: number;
  readonly has_app: number;
}

/** What `authorize` needs to know about members, by id; members that do not exist are absent. */
export async function memberFacts(
  db: Database,
  { memberId, appId }: Requester,
  ids: readonly string[],
): Promise<ReadonlyMap<string, MemberFacts>> {
  const rows = await db.query<FactsRow>(sql`
    select id, case when ${isVisible(memberId, sql`member.id`)} then 1 else 0 end as visible,
      ${reachInto(memberId, sql`member.id`)} as reach, ${hasApp(appId, sql`member.id`)} as has_app
    from member where ${isOneOf(sql`member.id`, ids)}`);
  return new Map(
    rows.map((row) => [
      row.id,
      {
        id: row.id,
        isFriendOfViewer: row.reach === 1,
        hasBlockedViewer: row.visible === 0,
        hasApp: row.has_app === 1,
      },
    ]),
  );
}

export interface ListedMember {
  readonly id: string;
  readonly displayName: string;
  /** As stored: absolute, relative to the site, or `''`. */
  readonly thumbnailUrl: string;
}

/** A page of all members in the order of their ids, for the site's own pages; nothing is hidden from them. */
export async function listMembers(
  db: Database,
  { startIndex = 0, count = 100 }: { readonly startIndex?: number; readonly count?: number } = {},
): Promise<readonly ListedMember[]> {
  return db.query<ListedMember>(sql`
    select id, display_name as "displayName", thumbnail_url as "thumbnailUrl" from member
    order by length(id), id limit ${count} offset ${startIndex}`);
}

export async function memberExists(db: Database, id: string): Promise<boolean> {
  return (await db.query(sql`select 1 from member where id = ${id}`)).length > 0;
}

export async function isAdministrator(db: Database, id: string): Promise<boolean> {
  return (await db.query(sql`select 1 from member where id = ${id} and admin = 1`)).length > 0;
}
