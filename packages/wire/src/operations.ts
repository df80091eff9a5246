/**
 * Every row of the API document's §4 as data. The router, the service's handler map, the proxy's allow-list, the SDK's
 * surface and the README's table are derived from this literal, so a row is added here and nowhere else.
 */

/** What an app needs to be granted before it may call an operation. */
export type Permission =
  | 'people'
  | 'activities'
  | 'activities.post'
  | 'appdata'
  | 'appdata.write'
  | 'albums'
  | 'albums.write';

/** A group of cached results that one write can make stale. */
export type Topic = 'people' | 'activities' | 'appData' | 'albums' | 'mediaItems';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Another spelling of a row's request that the service answers in the same way. */
export interface Route {
  readonly method: HttpMethod;
  readonly path: string;
}

/** How long a result may be shown. Both ages are counted from the moment the answer arrived, in milliseconds. */
export interface CachePolicy {
  /** Up to this age the cached result is the answer and nothing is asked. */
  readonly freshMs: number;
  /** Up to this age it is shown at once while a new one is fetched. */
  readonly staleMs: number;
}

export interface Operation {
  readonly method: HttpMethod;
  /** Path template below the REST root, as the API document writes it. */
  readonly path: string;
  /** Spellings beyond the API document's own. */
  readonly also?: readonly Route[];
  readonly status: 'works' | 'unimplemented';
  /** Needs an optional extension of the site. */
  readonly extension?: 'albums';
  /** Name of the call in `osapi` and JSON-RPC; several rows may share one. */
  readonly osapi: string;
  readonly topic: Topic;
  readonly permission: Permission;
  /** Only reads are cached. */
  readonly cache?: CachePolicy;
  /** Topics whose cached results of this app are stale after a write. */
  readonly stales?: readonly Topic[];
}

const minute = 60_000;
const profiles: CachePolicy = { freshMs: minute, staleMs: 24 * 60 * minute };
const streams: CachePolicy = { freshMs: 5_000, staleMs: 24 * 60 * minute };
const media: CachePolicy = { freshMs: 5_000, staleMs: 24 * 60 * minute };

export const operations = {
  'people.getAll': {
    method: 'GET',
    path: '/people/{guid}/@all',
    status: 'unimplemented',
    osapi: 'people.get',
    topic: 'people',
    permission: 'people',
  },
  'people.getFriends': {
    method: 'GET',
    path: '/people/{guid}/@friends',
    status: 'works',
    osapi: 'people.get',
    topic: 'people',
    permission: 'people',
    cache: profiles,
  },
  'people.getGroup': {
    method: 'GET',
    path: '/people/{guid}/{groupid}',
    status: 'unimplemented',
    osapi: 'people.get',
    topic: 'people',
    permission: 'people',
  },
  'people.getPerson': {
    method: 'GET',
    path: '/people/{guid}/@all/{pid}',
    status: 'works',
    osapi: 'people.get',
    topic: 'people',
    permission: 'people',
    cache: profiles,
  },
  'people.getSelf': {
    method: 'GET',
    path: '/people/{guid}/@self',
    status: 'works',
    osapi: 'people.get',
    topic: 'people',
    permission: 'people',
    cache: profiles,
  },
  'people.getMe': {
    method: 'GET',
    path: '/people/@me/@self',
    status: 'works',
    osapi: 'people.get',
    topic: 'people',
    permission: 'people',
    cache: profiles,
  },
  'people.getSupportedFields': {
    method: 'GET',
    path: '/people/@supportedFields',
    status: 'unimplemented',
    osapi: 'people.getSupportedFields',
    topic: 'people',
    permission: 'people',
  },
  'activities.getSelf': {
    method: 'GET',
    path: '/activities/{guid}/@self',
    status: 'works',
    osapi: 'activities.get',
    topic: 'activities',
    permission: 'activities',
    cache: streams,
  },
  'activities.getSelfByApp': {
    method: 'GET',
    path: '/activities/{guid}/@self/{appid}',
    status: 'works',
    osapi: 'activities.get',
    topic: 'activities',
    permission: 'activities',
    cache: streams,
  },
  'activities.getFriends': {
    method: 'GET',
    path: '/activities/{guid}/@friends',
    status: 'works',
    osapi: 'activities.get',
    topic: 'activities',
    permission: 'activities',
    cache: streams,
  },
  'activities.getFriendsByApp': {
    method: 'GET',
    path: '/activities/{guid}/@friends/{appid}',
    status: 'works',
    osapi: 'activities.get',
    topic: 'activities',
    permission: 'activities',
    cache: streams,
  },
  'activities.getGroup': {
    method: 'GET',
    path: '/activities/{guid}/{groupid}',
    status: 'unimplemented',
    osapi: 'activities.get',
    topic: 'activities',
    permission: 'activities',
  },
  'activities.getGroupByApp': {
    method: 'GET',
    path: '/activities/{guid}/{groupid}/{appid}',
    status: 'unimplemented',
    osapi: 'activities.get',
    topic: 'activities',
    permission: 'activities',
  },
  'activities.getOne': {
    method: 'GET',
    path: '/activities/{guid}/@self/{appid}/{activityid}',
    status: 'unimplemented',
    osapi: 'activities.get',
    topic: 'activities',
    permission: 'activities',
  },
  'activities.getSupportedFields': {
    method: 'GET',
    path: '/activities/@supportedFields',
    status: 'unimplemented',
    osapi: 'activities.getSupportedFields',
    topic: 'activities',
    permission: 'activities',
  },
  'activities.create': {
    method: 'POST',
    path: '/activities/@me/@self',
    also: [
      { method: 'POST', path: '/activities/{guid}/@self' },
      { method: 'POST', path: '/activities/{guid}/@self/{appid}' },
    ],
    status: 'works',
    osapi: 'activities.create',
    topic: 'activities',
    permission: 'activities.post',
    stales: ['activities'],
  },
  'appData.getSelf': {
    method: 'GET',
    path: '/appData/{guid}/@self/{appid}',
    status: 'works',
    osapi: 'appdata.get',
    topic: 'appData',
    permission: 'appdata',
    cache: streams,
  },
  'appData.update': {
    method: 'POST',
    path: '/appData/{guid}/@self/{appid}',
    also: [{ method: 'PUT', path: '/appData/{guid}/@self/{appid}' }],
    status: 'works',
    osapi: 'appdata.update',
    topic: 'appData',
    permission: 'appdata.write',
    stales: ['appData'],
  },
  'appData.delete': {
    method: 'DELETE',
    path: '/appData/{guid}/@self/{appid}',
    status: 'works',
    osapi: 'appdata.delete',
    topic: 'appData',
    permission: 'appdata.write',
    stales: ['appData'],
  },
  'appData.getFriends': {
    method: 'GET',
    path: '/appData/{guid}/@friends/{appid}',
    status: 'works',
    osapi: 'appdata.get',
    topic: 'appData',
    permission: 'appdata',
    cache: streams,
  },
  'albums.get': {
    method: 'GET',
    path: '/albums/@me/@self',
    also: [
      { method: 'GET', path: '/albums/{guid}/@self' },
      { method: 'GET', path: '/albums/{guid}/@friends' },
    ],
    status: 'works',
    extension: 'albums',
    osapi: 'albums.get',
    topic: 'albums',
    permission: 'albums',
    cache: media,
  },
  'albums.create': {
    method: 'POST',
    path: '/albums/@me/@self',
    also: [{ method: 'POST', path: '/albums/{guid}/@self' }],
    status: 'unimplemented',
    extension: 'albums',
    osapi: 'albums.create',
    topic: 'albums',
    permission: 'albums.write',
    stales: ['albums'],
  },
  'albums.getOne': {
    method: 'GET',
    path: '/albums/@me/@self/{albumId}',
    also: [
      { method: 'GET', path: '/albums/{guid}/@self/{albumId}' },
      { method: 'GET', path: '/albums/{guid}/@all' },
      { method: 'GET', path: '/albums/{guid}/{groupid}' },
    ],
    status: 'unimplemented',
    extension: 'albums',
    osapi: 'albums.get',
    topic: 'albums',
    permission: 'albums',
  },
  'albums.update': {
    method: 'PUT',
    path: '/albums/@me/@self/{albumId}',
    also: [{ method: 'PUT', path: '/albums/{guid}/@self/{albumId}' }],
    status: 'unimplemented',
    extension: 'albums',
    osapi: 'albums.update',
    topic: 'albums',
    permission: 'albums.write',
    stales: ['albums'],
  },
  'albums.delete': {
    method: 'DELETE',
    path: '/albums/@me/@self/{albumId}',
    also: [{ method: 'DELETE', path: '/albums/{guid}/@self/{albumId}' }],
    status: 'unimplemented',
    extension: 'albums',
    osapi: 'albums.delete',
    topic: 'albums',
    permission: 'albums.write',
    stales: ['albums', 'mediaItems'],
  },
  'mediaItems.get': {
    method: 'GET',
    path: '/mediaitems/@me/@self/{albumId}',
    also: [{ method: 'GET', path: '/mediaitems/{guid}/@self/{albumId}' }],
    status: 'works',
    extension: 'albums',
    osapi: 'mediaItems.get',
    topic: 'mediaItems',
    permission: 'albums',
    cache: media,
  },
  'mediaItems.create': {
    method: 'POST',
    path: '/mediaitems/@me/@self/{albumId}',
    also: [{ method: 'POST', path: '/mediaitems/{guid}/@self/{albumId}' }],
    status: 'unimplemented',
    extension: 'albums',
    osapi: 'mediaItems.create',
    topic: 'mediaItems',
    permission: 'albums.write',
    stales: ['albums', 'mediaItems'],
  },
  'mediaItems.getOne': {
    method: 'GET',
    path: '/mediaitems/@me/@self/{albumId}/{mediaItemId}',
    also: [
      { method: 'GET', path: '/mediaitems/{guid}/@self/{albumId}/{mediaItemId}' },
      { method: 'GET', path: '/mediaitems/{guid}/@all/{albumId}' },
      { method: 'GET', path: '/mediaitems/{guid}/{groupid}/{albumId}' },
    ],
    status: 'unimplemented',
    extension: 'albums',
    osapi: 'mediaItems.get',
    topic: 'mediaItems',
    permission: 'albums',
  },
  'mediaItems.update': {
    method: 'PUT',
    path: '/mediaitems/@me/@self/{albumId}/{mediaItemId}',
    also: [{ method: 'PUT', path: '/mediaitems/{guid}/@self/{albumId}/{mediaItemId}' }],
    status: 'unimplemented',
    extension: 'albums',
    osapi: 'mediaItems.update',
    topic: 'mediaItems',
    permission: 'albums.write',
    stales: ['mediaItems'],
  },
  'mediaItems.delete': {
    method: 'DELETE',
    path: '/mediaitems/@me/@self/{albumId}/{mediaItemId}',
    also: [{ method: 'DELETE', path: '/mediaitems/{guid}/@self/{albumId}/{mediaItemId}' }],
    status: 'unimplemented',
    extension: 'albums',
    osapi: 'mediaItems.delete',
    topic: 'mediaItems',
    permission: 'albums.write',
    stales: ['albums', 'mediaItems'],
  },
} as const satisfies Record<string, Operation>;

/** Name of a row, for example `people.getFriends`. */
export type OperationId = keyof typeof operations;

/** Names of the rows that the API document marks Works. A handler map over this type is complete or does not compile. */
export type WorkingOperationId = {
  [Id in OperationId]: (typeof operations)[Id]['status'] extends 'works' ? Id : never;
}[OperationId];

/** Name of a call as apps write it, for example `people.get`. */
export type OsapiName = (typeof operations)[OperationId]['osapi'];

/** The row named `id`, with its optional members visible to the type checker. */
export function operation(id: OperationId): Operation {
  return operations[id];
}

export function isWorking(id: OperationId): id is WorkingOperationId {
  return operation(id).status === 'works';
}
