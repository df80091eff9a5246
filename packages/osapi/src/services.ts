import type { AppContext } from '@gantry/bridge';
import type {
  Activity,
  Album,
  AppDataByMember,
  MediaItem,
  OptionalPersonField,
  OsapiAlias,
  OsapiName,
  Person,
  WorkingOsapiName,
} from '@gantry/wire';
import type { Batch } from './batch.ts';
import type { CallOptions, CollectionRequest, OsapiRequest, Pages, Sourced } from './request.ts';

/** Owner of the data: `@viewer` (the default), `@owner` or ids of members. */
export interface MemberParams {
  readonly userId?: string | readonly string[];
  /** `@self` by default. */
  readonly groupId?: string;
}
export interface PageParams {
  /** 20 by default, at most 100. */
  readonly count?: number;
  readonly startIndex?: number;
}
export interface PersonParams {
  /** Optional profile fields. */
  readonly fields?: readonly (OptionalPersonField | '@all')[];
}
export interface FriendsParams extends PersonParams, PageParams {
  /** `hasApp` selects friends who have this app. */
  readonly filterBy?: 'hasApp';
}
export interface KeysParams {
  /** Keys of AppData; `*` is all. */
  readonly keys?: string | readonly string[];
  /** Alias of `keys`. */
  readonly fields?: string | readonly string[];
}
export interface AppParams {
  /** `@app`: this app. */
  readonly appId?: string;
}

type Several = { readonly groupId: '@friends' } | { readonly userId: readonly [string, string, ...string[]] };
type Call<Params, T> = (params?: Params, options?: CallOptions) => OsapiRequest<T & Sourced>;
type ListCall<Params, T> = (params?: Params, options?: CallOptions) => CollectionRequest<T>;
type Unsupported = Call<Readonly<Record<string, unknown>>, never>;

export interface PeopleService {
  get(params: MemberParams & FriendsParams & Several, options?: CallOptions): CollectionRequest<Person>;
  /** Resolves with the person for a list of one id, as servers of this API do, else with a list. */
  get(
    params: FriendsParams & { readonly userId: readonly string[]; readonly groupId?: '@self' },
    options?: CallOptions,
  ): OsapiRequest<(Person & Sourced) | Pages<Person>>;
  get(
    params?: MemberParams & PersonParams & { readonly personId?: string },
    options?: CallOptions,
  ): OsapiRequest<Person & Sourced>;
  readonly getViewer: Call<PersonParams, Person>;
  readonly getOwner: Call<PersonParams, Person>;
  readonly getViewerFriends: ListCall<FriendsParams, Person>;
  readonly getOwnerFriends: ListCall<FriendsParams, Person>;
  readonly create: Unsupported;
  readonly update: Unsupported;
  readonly delete: Unsupported;
}
export interface ActivitiesService {
  readonly get: ListCall<MemberParams & PageParams & AppParams, Activity>;
  readonly create: Call<MemberParams & AppParams & { readonly activity: Pick<Activity, 'title' | 'url'> }, Activity>;
}
export interface AppDataService {
  /**
   * Reads AppData. With `count` or `startIndex`, a page of the friends who have any, in the order
   * of their ids; the last page has fewer members than `count`. Fails with 413 beyond 4,000,000
   * bytes.
   */
  readonly get: Call<MemberParams & AppParams & KeysParams & PageParams, AppDataByMember>;
  /**
   * Saves the pairs of `data`; other keys stay. Values that are not text are saved as JSON. A
   * member has at most 1,000 keys and 102,400 bytes of keys and values in one app (400 beyond).
   */
  readonly update: Call<
    MemberParams & AppParams & { readonly data: Readonly<Record<string, unknown>> | string },
    object
  >;
  readonly create: AppDataService['update'];
  readonly delete: Call<MemberParams & AppParams & KeysParams, object>;
}
export interface AlbumsService {
  readonly get: ListCall<MemberParams & PageParams, Album>;
  readonly create: Unsupported;
  readonly update: Unsupported;
  readonly delete: Unsupported;
}
export interface MediaItemsService {
  readonly get: ListCall<MemberParams & PageParams & { readonly albumId: string }, MediaItem>;
  readonly create: Unsupported;
  readonly update: Unsupported;
  readonly delete: Unsupported;
}

/**
 * Calls of the Social REST API, usable as soon as the script has run. Once `ready` resolves,
 * services that the site lacks are `undefined`; earlier calls of them fail with 501.
 */
export interface Osapi {
  readonly people: PeopleService;
  readonly activities: ActivitiesService;
  readonly appdata: AppDataService;
  readonly albums?: AlbumsService;
  readonly mediaItems?: MediaItemsService;
  /** Alias of `mediaItems`. */
  readonly mediaitems?: MediaItemsService;
  /** Creates an empty batch of requests. */
  newBatch(): Batch;
  /** Returns true if the site, or before `ready` the SDK, has a call such as `albums.get`. */
  has(name: string): boolean;
  /** Resolves with the app's context. Rejects if no container opened the document. */
  readonly ready: Promise<AppContext>;
}

/** The call's operation, if it has another name, and its fixed parameters. */
interface CallRow {
  readonly operation?: OsapiName;
  readonly fixed?: MemberParams;
}

const people = (userId: string, groupId: string): CallRow => ({ operation: 'people.get', fixed: { userId, groupId } });

/** Every call of `osapi`. A call that has a working row and is missing does not compile. */
export const calls: Readonly<Record<string, CallRow> & Record<WorkingOsapiName | OsapiAlias, CallRow>> = {
  'people.get': {},
  'people.getViewer': people('@viewer', '@self'),
  'people.getOwner': people('@owner', '@self'),
  'people.getViewerFriends': people('@viewer', '@friends'),
  'people.getOwnerFriends': people('@owner', '@friends'),
  'people.create': {},
  'people.update': {},
  'people.delete': {},
  'activities.get': {},
  'activities.create': {},
  'appdata.get': {},
  'appdata.update': {},
  'appdata.create': { operation: 'appdata.update' },
  'appdata.delete': {},
  'albums.get': {},
  'albums.create': {},
  'albums.update': {},
  'albums.delete': {},
  'mediaItems.get': {},
  'mediaItems.create': {},
  'mediaItems.update': {},
  'mediaItems.delete': {},
  'mediaitems.get': { operation: 'mediaItems.get' },
};
