import { type Database, type Statement, sql } from '@gantry/store';
import type { LevelIndex } from '../authorize.ts';
import type { Images } from '../images/images.ts';
import { memberChanged } from '../store/versions.ts';

/** Place of albums and photos: their rows, their files, and the time and chance of new ones. */
export interface PhotoPlace {
  readonly db: Database;
  readonly images: Images;
  readonly now: () => number;
  readonly random: (bytes: number) => Uint8Array;
}

/** An album or photo, and the member who must own it. */
export interface MemberItem {
  readonly id: string;
  readonly memberId: string;
}

export interface Described {
  readonly title: string;
  readonly description: string;
  readonly level: LevelIndex;
}

/** Albums of a member, and bytes of all their photos. */
export interface Space {
  readonly albums: number;
  readonly bytes: number;
}

export async function readSpace({ db }: PhotoPlace, memberId: string): Promise<Space> {
  const [row] = await db.query<{ albums: number; bytes: number }>(sql`
    select (select count(*) from album where member_id = ${memberId}) as albums, (${bytesOf(memberId)}) as bytes`);
  return { albums: Number(row?.albums), bytes: Number(row?.bytes) };
}

export function bytesOf(memberId: string): Statement {
  return sql`
    select coalesce(sum(file_size), 0) from album as own join media_item as stored on stored.album_id = own.id
    where own.member_id = ${memberId}`;
}

/** Deletes `items` with their files, and by the statements of `also`. */
export async function removeWithFiles(
  { db, images }: PhotoPlace,
  memberId: string,
  { items, also }: { readonly items: Statement; readonly also: readonly Statement[] },
): Promise<void> {
  const [, , removed = []] = await db.batch([
    ...memberChanged(memberId, 'albums'),
    sql`delete from media_file where item_id in (${items}) returning file`,
    ...also,
  ]);
  await images.removeUnused(removed.map(({ file }) => String(file)));
}
