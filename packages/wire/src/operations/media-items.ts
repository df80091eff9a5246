import { isId } from '../id.ts';
import { badParam, optionalText } from '../read-params.ts';
import { groupId, oneUserId, paging } from './call-params.ts';
import { type RequestMaker, type RequestMakers, type Rows, streams } from './operation.ts';

const mediaItems = { topic: 'mediaItems' } as const;
const unimplemented = { ...mediaItems, status: 'unimplemented', permission: 'albums.write' } as const;
const all = { path: '/mediaitems/@me/@self/{albumId}', also: ['/mediaitems/{guid}/@self/{albumId}'] } as const;
const one = {
  path: '/mediaitems/@me/@self/{albumId}/{mediaItemId}',
  also: ['/mediaitems/{guid}/@self/{albumId}/{mediaItemId}'],
} as const;

export const mediaItemRows = {
  'mediaItems.get': {
    ...mediaItems,
    ...all,
    method: 'GET',
    status: 'works',
    osapi: 'mediaItems.get',
    permission: 'albums',
    cache: streams,
  },
  'mediaItems.create': { ...unimplemented, ...all, method: 'POST', osapi: 'mediaItems.create' },
  'mediaItems.getOne': {
    ...unimplemented,
    method: 'GET',
    path: one.path,
    also: [...one.also, '/mediaitems/{guid}/@all/{albumId}', '/mediaitems/{guid}/{groupid}/{albumId}'],
    osapi: 'mediaItems.get',
    permission: 'albums',
  },
  'mediaItems.update': { ...unimplemented, ...one, method: 'PUT', osapi: 'mediaItems.update' },
  'mediaItems.delete': { ...unimplemented, ...one, method: 'DELETE', osapi: 'mediaItems.delete' },
} as const satisfies Rows;

const get: RequestMaker = (params, asker) => {
  const album = optionalText(params, 'albumId');
  if (album === undefined || !isId(album)) throw badParam('albumId', 'the id of an album');
  const segments = ['mediaitems', oneUserId(params, asker), groupId(params), album];
  const item = optionalText(params, 'mediaItemId') ?? optionalText(params, 'id');
  if (item !== undefined) segments.push(item);
  return { method: 'GET', segments, query: paging(params) };
};

export const mediaItemCalls = { 'mediaItems.get': get, 'mediaitems.get': get } satisfies RequestMakers;
