import { type Album, type MediaItem, SocialError } from '@gantry/wire';
import { authorize, reach } from '../authorize.ts';
import { absoluteUrl } from '../http/absolute-url.ts';
import { albumFacts, albumsPage, type MediaItemRow, mediaItemsOfMembers, mediaItemsPage } from '../store/albums.ts';
import { memberFacts } from '../store/members.ts';
import type { Page } from '../store/page.ts';
import { pageEnvelope } from './envelope.ts';
import type { Handler, Handlers, OperationCall } from './handler.ts';
import { requireVisible } from './visible-member.ts';

/** `/albums/{guid}/@self` and `/albums/{guid}/@friends` */
const getAlbums: Handler = async (call) => {
  const { db, requester, guids, selector, query } = call;
  await requireVisible(call);
  const of = selector === '@friends' ? 'friends' : 'members';
  const page = await albumsPage(db, requester, { ids: guids.ids, of, range: query });
  return pageEnvelope(page, query, (row) => album(row, call));
};

/** `/mediaitems/{guid}/@self/{albumId}`; in JSON-RPC also the items of all albums (contract §8). */
const getMediaItems: Handler = async (call) => {
  const { albumId } = call.params;
  const page = await (albumId === undefined ? itemsOfMembers(call) : itemsOfAlbum(call, albumId));
  return pageEnvelope(page, call.query, (row) => mediaItem(row, call));
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
  const facts = await albumFacts(db, albumId);
  const ownerId = facts?.member_id ?? '';
  const owner = (await memberFacts(db, requester, [ownerId])).get(ownerId);
  const isTheirs = owner !== undefined && guids.ids.includes(ownerId);
  if (!isTheirs || authorize(requester, { act: 'see', member: owner, level: facts?.level }) !== 'allowed') {
    throw new SocialError('NOT_FOUND', 'There is no such album.');
  }
  return mediaItemsPage(db, { albumId, reach: reach(requester, owner), range: query });
}

function album(row: Album, { publicUrl }: OperationCall): Album {
  return { ...row, thumbnailUrl: absoluteUrl(row.thumbnailUrl, publicUrl) };
}

function mediaItem(row: MediaItemRow, { zonedTime, publicUrl }: OperationCall): MediaItem {
  return {
    ...row,
    created: zonedTime.plain(row.created * 1000),
    lastUpdated: zonedTime.plain(row.lastUpdated * 1000),
    fileSize: String(row.fileSize),
    thumbnailUrl: absoluteUrl(row.thumbnailUrl, publicUrl),
    url: absoluteUrl(row.url, publicUrl),
  };
}

export const albumHandlers = { 'albums.get': getAlbums, 'mediaItems.get': getMediaItems } satisfies Partial<Handlers>;
