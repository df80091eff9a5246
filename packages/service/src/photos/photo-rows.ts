import { type OpenFile, sql } from '@gantry/store';
import { thumbnailType } from '../images/encode.ts';
import { previewFile, type StoredImage } from '../images/images.ts';
import { mediaPath } from '../paths.ts';
import { fileOfItem, type MediaToken, newMediaToken, renewUrl } from '../store/media-files.ts';
import { newId } from '../store/new-id.ts';
import { memberChanged } from '../store/versions.ts';
import { bytesOf, type Described, type MemberItem, type PhotoPlace, removeWithFiles } from './member-items.ts';

export interface MemberPhoto extends Described {
  readonly id: string;
  readonly album_id: string;
  readonly url: string;
  /** In the media folder; `null` for a photo that is kept elsewhere. */
  readonly file: string | null;
}

const photoColumns = sql`media_item.id, album_id, media_item.title, media_item.description, media_item.level, url,
  ${fileOfItem}`;

/** Reads a page of an album's photos, in the order of the API. */
export function listPhotos(
  { db }: PhotoPlace,
  { albumId, from, count }: { readonly albumId: string; readonly from: number; readonly count: number },
): Promise<readonly MemberPhoto[]> {
  return db.query<MemberPhoto>(sql`
    select ${photoColumns} from media_item where album_id = ${albumId}
    order by length(media_item.id), media_item.id limit ${count} offset ${from}`);
}

export async function findPhoto({ db }: PhotoPlace, { id, memberId }: MemberItem): Promise<MemberPhoto | undefined> {
  const [row] = await db.query<MemberPhoto>(sql`
    select ${photoColumns} from media_item join album on album.id = album_id
    where media_item.id = ${id} and member_id = ${memberId}`);
  return row;
}

/** Opens the small picture of a photo that is kept here. */
export async function openPreview(
  place: PhotoPlace,
  item: MemberItem,
): Promise<{ readonly file: OpenFile; readonly type: string } | undefined> {
  const photo = await findPhoto(place, item);
  const file = photo?.file ? await place.images.open(previewFile(photo.file)) : undefined;
  return file && { file, type: thumbnailType };
}

export function removePhoto(place: PhotoPlace, { id, memberId }: MemberItem): Promise<void> {
  const photo = sql`
    select media_item.id from media_item join album on album.id = album_id
    where media_item.id = ${id} and member_id = ${memberId}`;
  return removeWithFiles(place, memberId, { items: photo, also: [sql`delete from media_item where id in (${photo})`] });
}

export interface NewPhoto {
  readonly memberId: string;
  readonly albumId: string;
  readonly title: string;
  /** Photos of one album, and bytes of one member. */
  readonly most: { readonly photos: number; readonly bytes: number };
  readonly maxBytes: number;
}

/**
 * Stores a picture as a photo. Resolves with its id; `undefined` in another member's album, or
 * beyond a limit.
 *
 * @throws SocialError as `Images.store`
 */
export async function addPhoto(
  place: PhotoPlace,
  source: AsyncIterable<Uint8Array>,
  photo: NewPhoto,
): Promise<string | undefined> {
  const { images } = place;
  const { maxBytes, memberId: member } = photo;
  const use = async (image: StoredImage) => ({ image, id: await addRows(place, image, photo) });
  const { image, id } = await images.store(source, { maxBytes, member, use });
  if (id === undefined) await images.removeUnused([image.file]);
  return id;
}

async function addRows(
  { db, now, random }: PhotoPlace,
  image: StoredImage,
  { memberId, albumId, title, most }: NewPhoto,
): Promise<string | undefined> {
  const id = newId(now(), random);
  const [original, thumbnail] = [newMediaToken(random), newMediaToken(random)];
  const atS = Math.floor(now() / 1000);
  const file = (token: string, name: string, type: string) => sql`
    insert into media_file (token, item_id, file, type) select ${token}, id, ${name}, ${type} from media_item
    where id = ${id}`;
  const [, , added] = await db.batch([
    ...memberChanged(memberId, 'albums'), // first, since it locks out concurrent writes
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
  return added?.length === 1 ? id : undefined;
}

/** Saves a photo. Another level gives it new URLs (contract §3). */
export async function savePhoto(
  { db, now, random }: PhotoPlace,
  { id, memberId, title, description, level }: MemberItem & Described,
): Promise<void> {
  const tokens = await db.query<MediaToken>(sql`
    select token, item_id from media_item join media_file on item_id = media_item.id
    where media_item.id = ${id} and level <> ${level}`);
  await db.batch([
    ...memberChanged(memberId, 'albums'),
    sql`
      update media_item set title = ${title}, description = ${description}, level = ${level},
        updated_at_s = ${Math.floor(now() / 1000)}
      where id = ${id} and album_id in (select id from album where member_id = ${memberId})`,
    ...tokens.flatMap((token) => renewUrl(token, random)),
  ]);
}
