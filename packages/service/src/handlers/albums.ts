import { type Album, type MediaItem, SocialError } from '@gantry/wire';
import { authorize, reach } from '../auth/authorize.ts';
import { absoluteUrl } from '../http/absolute-url.ts';
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
import type { Handler, HandlersOf, OperationCall } from './handler.ts';
import { requireVisible } from './visible-member.ts';

/** `/albums/{guid}/@self` and `/albums/{guid}/@friends` */
const getAlbums: Handler = async (call) => {
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

/** `/mediaitems/{guid}/@self/{albumId}`; in JSON-RPC also the items of all albums (contract §8). */
const getMediaItems: Handler = async (call) => {
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

async function itemsOfMembers(call: OperationCall): Promise<Page<MediaItemRow>> {
  const { db, requester, guids, query } = call;
  await requireVisible(call);
  return mediaItemsOfMembers(db, requester, { ids: guids.ids, range: query });
}

/** Reads the items of an album, which must be one of the named members' (contract §6). */
async function itemsOfAlbum(
  { db, requester, guids, query }: OperationCall,
  albumId: string,
): Promise<Page<MediaItemRow>> {
  const found = await albumFacts(db, albumId);
  const ownerId = found?.member_id ?? '';
  const owner = (await memberFacts(db, requester, [ownerId])).get(ownerId);
  const isTheirs = owner !== undefined && guids.ids.includes(ownerId);
  if (!isTheirs || authorize(requester, { act: 'see', member: owner, level: found?.level }) !== 'allowed') {
    throw new SocialError('NOT_FOUND', 'There is no such album.');
  }
  return mediaItemsPage(db, { albumId, reach: reach(requester, owner), range: query });
}

function album(row: AlbumRow, { publicUrl }: OperationCall): Album {
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

function mediaItem(row: MediaItemRow, { zonedTime, publicUrl }: OperationCall): MediaItem {
  return {
    id: row.id,
    albumId: row.album_id,
    title: row.title,
    description: row.description,
    created: zonedTime.plain(row.created_at_s * 1000),
    lastUpdated: zonedTime.plain(row.updated_at_s * 1000),
    fileSize: String(row.file_size),
    thumbnailUrl: absoluteUrl(row.thumbnail_url, publicUrl),
    type: 'IMAGE',
    url: absoluteUrl(row.url, publicUrl),
  };
}

export const albumHandlers: HandlersOf<'albums' | 'mediaItems'> = {
  'albums.get': getAlbums,
  'mediaItems.get': getMediaItems,
};
