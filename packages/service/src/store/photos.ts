import { type Database, type Statement, sql } from '@gantry/store';
import type { LevelIndex } from '../authorize.ts';
import { thumbnailType } from '../images/encode.ts';
import type { StoredImage } from '../images/images.ts';
import { mediaPath } from '../media.ts';
import { type MediaToken, newMediaToken, newUrl } from './media-files.ts';
import { memberChanged } from './versions.ts';

/** An album as its owner sees it. */
export interface OwnAlbum {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly level: LevelIndex;
  readonly photos: number;
  /** The photo that stands for it; `null` for an empty album. */
  readonly cover_id: string | null;
}

/** A photo as its owner sees it. */
export interface OwnPhoto {
  readonly id: string;
  readonly album_id: string;
  readonly title: string;
  readonly description: string;
  readonly level: LevelIndex;
  readonly url: string;
  readonly created_at_s: number;
  /** In the media folder; `null` for a photo that is kept elsewhere. */
  readonly file: string | null;
}

export interface Own {
  readonly id: string;
  readonly memberId: string;
}

const albumColumns = sql`id, title, description, level,
  (select count(*) from media_item where album_id = album.id) as photos,
  (select media_item.id from media_item where album_id = album.id order by length(media_item.id), media_item.id limit 1)
    as cover_id`;

export async function ownAlbums(db: Database, memberId: string): Promise<readonly OwnAlbum[]> {
  const rows = await db.query<OwnAlbum>(
    sql`select ${albumColumns} from album where member_id = ${memberId} order by length(id), id`,
  );
  return rows.map((row) => ({ ...row, photos: Number(row.photos) }));
}

export async function ownAlbum(db: Database, { id, memberId }: Own): Promise<OwnAlbum | undefined> {
  const [row] = await db.query<OwnAlbum>(
    sql`select ${albumColumns} from album where id = ${id} and member_id = ${memberId}`,
  );
  return row && { ...row, photos: Number(row.photos) };
}

const photoColumns = sql`media_item.id, album_id, media_item.title, media_item.description, media_item.level, url,
  created_at_s, (select file from media_file where item_id = media_item.id and media_item.url = ${mediaPath} || token) as file`;

/** A page of an album's photos, in the order of the API. */
export function albumPhotos(
  db: Database,
  { albumId, from, count }: { readonly albumId: string; readonly from: number; readonly count: number },
): Promise<readonly OwnPhoto[]> {
  return db.query<OwnPhoto>(sql`
    select ${photoColumns} from media_item where album_id = ${albumId}
    order by length(media_item.id), media_item.id limit ${count} offset ${from}`);
}

export async function ownPhoto(db: Database, { id, memberId }: Own): Promise<OwnPhoto | undefined> {
  const [row] = await db.query<OwnPhoto>(sql`
    select ${photoColumns} from media_item join album on album.id = album_id
    where media_item.id = ${id} and member_id = ${memberId}`);
  return row;
}

/** What a member has stored, and may at most. */
export interface Space {
  readonly albums: number;
  readonly bytes: number;
}

export async function spaceOf(db: Database, memberId: string): Promise<Space> {
  const [row] = await db.query<{ albums: number; bytes: number }>(sql`
    select (select count(*) from album where member_id = ${memberId}) as albums, (${bytesOf(memberId)}) as bytes`);
  return { albums: Number(row?.albums), bytes: Number(row?.bytes) };
}

function bytesOf(memberId: string): Statement {
  return sql`
    select coalesce(sum(file_size), 0) from album as own join media_item as stored on stored.album_id = own.id
    where own.member_id = ${memberId}`;
}

export interface AlbumText {
  readonly title: string;
  readonly description: string;
  readonly level: number;
}

/** @returns False where the member has as many albums as may be; nothing is stored then. */
export async function addAlbum(
  db: Database,
  { id, memberId, title, description, level, most }: Own & AlbumText & { readonly most: number },
): Promise<boolean> {
  const [, , added] = await db.batch([
    ...memberChanged(memberId, 'albums'), // first: of two at the same time, one waits here
    sql`
      insert into album (id, member_id, title, description, thumbnail_url, media_type, level)
      select ${id}, ${memberId}, ${title}, ${description}, '', 'IMAGE', ${level}
      where (select count(*) from album where member_id = ${memberId}) < ${most}
      returning id`,
  ]);
  return added?.length === 1;
}

/** Another level gives every photo of the album new URLs (contract §3). */
export async function saveAlbum(
  db: Database,
  { id, memberId, title, description, level, random }: Own & AlbumText & Randomly,
): Promise<void> {
  const tokens = await db.query<MediaToken>(sql`
    select token, item_id from album join media_item on album_id = album.id join media_file on item_id = media_item.id
    where album.id = ${id} and member_id = ${memberId} and album.level <> ${level}`);
  await db.batch([
    ...memberChanged(memberId, 'albums'),
    sql`
      update album set title = ${title}, description = ${description}, level = ${level}
      where id = ${id} and member_id = ${memberId}`,
    ...tokens.flatMap((token) => newUrl(token, random)),
  ]);
}

interface Randomly {
  readonly random: (bytes: number) => Uint8Array;
}

/** Removes an album with its photos. @returns The files that they had. */
export async function removeAlbum(db: Database, { id, memberId }: Own): Promise<readonly string[]> {
  const own = sql`select id from album where id = ${id} and member_id = ${memberId}`;
  const items = sql`select id from media_item where album_id in (${own})`;
  return removeWithFiles(db, memberId, {
    items,
    also: [sql`delete from media_item where album_id in (${own})`, sql`delete from album where id in (${own})`],
  });
}

/** Removes a photo. @returns The files that it had. */
export function removePhoto(db: Database, { id, memberId }: Own): Promise<readonly string[]> {
  const own = sql`
    select media_item.id from media_item join album on album.id = album_id
    where media_item.id = ${id} and member_id = ${memberId}`;
  return removeWithFiles(db, memberId, { items: own, also: [sql`delete from media_item where id in (${own})`] });
}

async function removeWithFiles(
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

export interface NewPhoto extends Own {
  readonly albumId: string;
  readonly title: string;
  readonly image: StoredImage;
  readonly nowMs: number;
  /** Photos of one album, and bytes of one member. */
  readonly most: { readonly photos: number; readonly bytes: number };
  readonly random: (bytes: number) => Uint8Array;
}

/** @returns False where the album is not the member's, or a limit is reached; nothing is stored then. */
export async function addPhoto(db: Database, photo: NewPhoto): Promise<boolean> {
  const { id, memberId, albumId, title, image, nowMs, most, random } = photo;
  const [original, thumbnail] = [newMediaToken(random), newMediaToken(random)];
  const atS = Math.floor(nowMs / 1000);
  const file = (token: string, name: string, type: string) => sql`
    insert into media_file (token, item_id, file, type) select ${token}, id, ${name}, ${type} from media_item
    where id = ${id}`;
  const [, , added] = await db.batch([
    ...memberChanged(memberId, 'albums'), // first: of two at the same time, one waits here
    sql`
      insert into media_item (id, album_id, title, description, type, created_at_s, updated_at_s, file_size, url,
        thumbnail_url, level)
      select ${id}, album.id, ${title}, '', 'IMAGE', ${atS}, ${atS}, ${image.size}, ${mediaPath + original},
        ${mediaPath + thumbnail}, 0
      from album where album.id = ${albumId} and member_id = ${memberId}
        and (select count(*) from media_item where album_id = ${albumId}) < ${most.photos}
        and (${bytesOf(memberId)}) <= ${most.bytes - image.size}
      returning id`,
    file(original, image.file, image.type),
    file(thumbnail, image.thumbnailFile, thumbnailType),
  ]);
  return added?.length === 1;
}

/** Another level gives the photo new URLs (contract §3). */
export async function savePhoto(
  db: Database,
  photo: Own & AlbumText & Randomly & { readonly nowMs: number },
): Promise<void> {
  const { id, memberId, title, description, level, nowMs, random } = photo;
  const tokens = await db.query<MediaToken>(sql`
    select token, item_id from media_item join media_file on item_id = media_item.id
    where media_item.id = ${id} and level <> ${level}`);
  await db.batch([
    ...memberChanged(memberId, 'albums'),
    sql`
      update media_item set title = ${title}, description = ${description}, level = ${level},
        updated_at_s = ${Math.floor(nowMs / 1000)}
      where id = ${id} and album_id in (select id from album where member_id = ${memberId})`,
    ...tokens.flatMap((token) => newUrl(token, random)),
  ]);
}
