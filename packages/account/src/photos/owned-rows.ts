import { type LevelIndex, memberChanged } from '@gantry/service/pages';
import { type Database, type Statement, sql } from '@gantry/store';

export interface Own {
  readonly id: string;
  readonly memberId: string;
}

export interface Described {
  readonly title: string;
  readonly description: string;
  readonly level: LevelIndex;
}

export interface Randomly {
  readonly random: (bytes: number) => Uint8Array;
}

export interface Space {
  readonly albums: number;
  readonly bytes: number;
}

export async function spaceOf(db: Database, memberId: string): Promise<Space> {
  const [row] = await db.query<{ albums: number; bytes: number }>(sql`
    select (select count(*) from album where member_id = ${memberId}) as albums, (${bytesOf(memberId)}) as bytes`);
  return { albums: Number(row?.albums), bytes: Number(row?.bytes) };
}

export function bytesOf(memberId: string): Statement {
  return sql`
    select coalesce(sum(file_size), 0) from album as own join media_item as stored on stored.album_id = own.id
    where own.member_id = ${memberId}`;
}

export async function removeWithFiles(
  db: Database,
  memberId: string,
  { items, also }: { readonly items: Statement; readonly also: readonly Statement[] },
): Promise<readonly string[]> {
  const [, , removed = []] = await db.batch([
    ...memberChanged(memberId, 'albums'),
    sql`delete from media_file where item_id in (${items}) returning file`,
    ...also,
  ]);
  return removed.map(({ file }) => String(file));
}
