import { type Database, sql } from '@gantry/store';

/** Member who may authorize consumers for any member and create administrators' keys. */
export interface Administrator {
  readonly id: string;
  readonly displayName: string;
  /** True if they can sign in on Gantry's own page. */
  readonly hasPassword: boolean;
}

/** Returns all administrators, ordered by id. */
export async function listAdministrators(db: Database): Promise<readonly Administrator[]> {
  const rows = await db.query<{ id: string; display_name: string; hash: string | null }>(sql`
    select id, display_name, hash from member left join member_password on member_id = id where admin = 1
    order by length(id), id`);
  return rows.map(({ id, display_name, hash }) => ({ id, displayName: display_name, hasPassword: hash !== null }));
}

/** Grants or withdraws administrator rights. @returns False if there is no such member. */
export async function setAdministrator(db: Database, memberId: string, isAdmin: boolean): Promise<boolean> {
  const changed = await db.query(sql`update member set admin = ${Number(isAdmin)} where id = ${memberId} returning id`);
  return changed.length === 1;
}
