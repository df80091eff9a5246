import { type Database, sql } from '@gantry/store';

/** Reads the member that the site's own sign-in names. */
export async function findMember(
  db: Database,
  id: string,
): Promise<{ readonly id: string; readonly displayName: string; readonly isAdmin: boolean } | undefined> {
  const [row] = await db.query<{ display_name: string; admin: number }>(
    sql`select display_name, admin from member where id = ${id}`,
  );
  return row && { id, displayName: row.display_name, isAdmin: row.admin === 1 };
}
