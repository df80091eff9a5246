import { sql } from '@gantry/store';
import { type MediaToken, renewUrl } from '../store/media-files.ts';
import { newId } from '../store/new-id.ts';
import { memberChanged } from '../store/versions.ts';
import { type Described, type MemberItem, type PhotoPlace, removeWithFiles } from './member-items.ts';

export interface MemberAlbum extends Described {
  readonly id: string;
  readonly photos: number;
  /** First photo; `null` for an empty album. */
  readonly cover_id: string | null;
}

const albumColumns = sql`id, title, description, level,
  (select count(*) from media_item where album_id = album.id) as photos,
  (select media_item.id from media_item where album_id = album.id order by length(media_item.id), media_item.id limit 1)
    as cover_id`;

/** Reads a page of a member's albums. Only its own photos are counted. */
export async function listAlbums(
  { db }: PhotoPlace,
  { memberId, from, count }: { readonly memberId: string; readonly from: number; readonly count: number },
): Promise<readonly MemberAlbum[]> {
  const rows = await db.query<MemberAlbum>(sql`
    select ${albumColumns}
    from (select * from album where member_id = ${memberId} order by length(id), id limit ${count} offset ${from})
      as album
    order by length(id), id`);
  return rows.map((row) => ({ ...row, photos: Number(row.photos) }));
}

export async function findAlbum({ db }: PhotoPlace, { id, memberId }: MemberItem): Promise<MemberAlbum | undefined> {
  const [row] = await db.query<MemberAlbum>(
    sql`select ${albumColumns} from album where id = ${id} and member_id = ${memberId}`,
  );
  return row && { ...row, photos: Number(row.photos) };
}

/** Resolves with the id of the new album; `undefined` if the member has `most`. */
export async function addAlbum(
  { db, now, random }: PhotoPlace,
  { memberId, title, description, level, most }: Described & { readonly memberId: string; readonly most: number },
): Promise<string | undefined> {
  const id = newId(now(), random);
  const [, , added] = await db.batch([
    ...memberChanged(memberId, 'albums'), // first, since it locks out concurrent writes
    sql`
      insert into album (id, member_id, title, description, thumbnail_url, media_type, level)
      select ${id}, ${memberId}, ${title}, ${description}, '', 'IMAGE', ${level}
      where (select count(*) from album where member_id = ${memberId}) < ${most}
      returning id`,
  ]);
  return added?.length === 1 ? id : undefined;
}

/** Saves an album. Another level gives all its photos new URLs (contract §3). */
export async function saveAlbum(
  { db, random }: PhotoPlace,
  { id, memberId, title, description, level }: MemberItem & Described,
): Promise<void> {
  const tokens = await db.query<MediaToken>(sql`
    select token, item_id from album join media_item on album_id = album.id join media_file on item_id = media_item.id
    where album.id = ${id} and member_id = ${memberId} and album.level <> ${level}`);
  await db.batch([
    ...memberChanged(memberId, 'albums'),
    sql`
      update album set title = ${title}, description = ${description}, level = ${level}
      where id = ${id} and member_id = ${memberId}`,
    ...tokens.flatMap((token) => renewUrl(token, random)),
  ]);
}

/** Removes an album with its photos. */
export function removeAlbum(place: PhotoPlace, { id, memberId }: MemberItem): Promise<void> {
  const album = sql`select id from album where id = ${id} and member_id = ${memberId}`;
  const items = sql`select id from media_item where album_id in (${album})`;
  return removeWithFiles(place, memberId, {
    items,
    also: [sql`delete from media_item where album_id in (${album})`, sql`delete from album where id in (${album})`],
  });
}
