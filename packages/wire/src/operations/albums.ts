import { optionalText } from '../read-params.ts';
import { groupId, paging, userIds } from './call-params.ts';
import { type RequestMakers, type Rows, streams } from './operation.ts';

const albums = { topic: 'albums' } as const;
const unimplemented = { ...albums, status: 'unimplemented', permission: 'albums.write' } as const;
const all = { path: '/albums/@me/@self', also: ['/albums/{guid}/@self'] } as const;
const one = { path: '/albums/@me/@self/{albumId}', also: ['/albums/{guid}/@self/{albumId}'] } as const;

export const albumRows = {
  'albums.get': {
    ...albums,
    method: 'GET',
    path: all.path,
    also: [...all.also, '/albums/{guid}/@friends'],
    status: 'works',
    osapi: 'albums.get',
    permission: 'albums',
    cache: streams,
  },
  'albums.create': { ...unimplemented, ...all, method: 'POST', osapi: 'albums.create' },
  'albums.getOne': {
    ...unimplemented,
    method: 'GET',
    path: one.path,
    also: [...one.also, '/albums/{guid}/@all', '/albums/{guid}/{groupid}'],
    osapi: 'albums.get',
    permission: 'albums',
  },
  'albums.update': { ...unimplemented, ...one, method: 'PUT', osapi: 'albums.update' },
  'albums.delete': { ...unimplemented, ...one, method: 'DELETE', osapi: 'albums.delete' },
} as const satisfies Rows;

export const albumCalls = {
  'albums.get': (params, asker) => {
    const segments = ['albums', userIds(params, asker), groupId(params)];
    const album = optionalText(params, 'albumId') ?? optionalText(params, 'id');
    if (album !== undefined) segments.push(album);
    return { method: 'GET', segments, query: paging(params) };
  },
} satisfies RequestMakers;
