import { type Album, type MediaItem, SocialError } from '@gantry/wire';
import { absoluteUrl } from '../absolute-url.ts';
import { authorize, reach } from '../authorize.ts';
import {
  type AlbumRow,
  albumFacts,
  albumsPage,
  type MediaItemRow,
  mediaItemsOfMembers,
  mediaItemsPage,
} from '../store/albums.ts';
import { memberFacts } from '../store/members.ts';
import type { Page } from '../store/page.ts';
import { listEnvelope } from './envelope.ts';
import type { Call, Handler } from './handler.ts';
import { requireVisible } from './visible-member.ts';

/** `/albums/{guid}/@self` and `/albums/{guid}/@friends` */
export const getAlbums: Handler = async (call) => {
  const { db, requester, guids, selector, query } = call;
  await requireVisible(call);
  const of = selector === '@friends' ? 'friends' : 'members';
  const { rows, total } = await albumsPage(db, requester, { ids: guids.ids, of, range: query });
  return listEnvelope(
    rows.map((row) => album(row, call)),
    total,
    query,
  );
};

/** `/mediaitems/{guid}/@self/{albumId}`, and in JSON-RPC the items of all albums together (contract §8). */
export const getMediaItems: Handler = async (call) => {
  const { params, query } = call;
  const { rows, total } = await (params.albumId === undefined
    ? itemsOfMembers(call)
    : itemsOfAlbum(call, params.albumId));
  return listEnvelope(
    rows.map((row) => mediaItem(row, call)),
    total,
    query,
  );
};

async function itemsOfMembers(call: Call): Promise<Page<MediaItemRow>> {
  const { db, requester, guids, query } = call;
  await requireVisible(call);
  return mediaItemsOfMembers(db, requester, { ids: guids.ids, range: query });
}

/** The album must be one of the member's (contract §6). */
async function itemsOfAlbum({ db, requester, guids, query }: Call, albumId: string): Promise<Page<MediaItemRow>> {
  const found = await albumFacts(db, albumId);
  const ownerId = found?.member_id ?? '';
  const owner = (await memberFacts(db, requester, [ownerId])).get(ownerId);
  const isTheirs = owner !== undefined && guids.ids.includes(ownerId);
  if (!isTheirs || authorize(requester, { act: 'see', member: owner, level: found?.level }) !== 'allowed') {
    throw new SocialError('NOT_FOUND', 'There is no such album.');
  }
  return mediaItemsPage(db, { albumId, reach: reach(requester, owner), range: query });
}

function album(row: AlbumRow, { publicUrl }: Call): Album {
  return {
    id: row.id,
    title: row.title,
    description: row.description,
    mediaItemCount: row.item_count,
    ownerId: row.member_id,
    thumbnailUrl: absoluteUrl(row.thumbnail_url, publicUrl),
    mediaType: 'IMAGE',
  };
}

function mediaItem(row: MediaItemRow, { siteTime, publicUrl }: Call): MediaItem {
  return {
    id: row.id,
    albumId: row.album_id,
    title: row.title,
    description: row.description,
    created: siteTime.plain(row.created_at_s * 1000),
    lastUpdated: siteTime.plain(row.updated_at_s * 1000),
    fileSize: String(row.file_size),
    thumbnailUrl: absoluteUrl(row.thumbnail_url, publicUrl),
    type: 'IMAGE',
    url: absoluteUrl(row.url, publicUrl),
  };
}
