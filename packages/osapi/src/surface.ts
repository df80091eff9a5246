import type { AppContext, WriteOptions } from '@gantry/bridge';
import type { Activity, Album, AppDataByMember, MediaItem, OptionalPersonField, OsapiName, Person } from '@gantry/wire';
import type { Batch } from './batch.ts';
import type { CollectionRequest, OsapiRequest, Pages, Sourced } from './request.ts';

export interface CallOptions {
  /** Ends the request with the error ABORTED; for `execute` and `await`. */
  readonly signal?: AbortSignal;
  /** Ends it with TIMED_OUT after this time. 30,000 ms by default for a read; a write has as long as it takes. */
  readonly timeoutMs?: number;
  /** How a write is treated: its name, and what becomes of it offline and where a post comes too soon. */
  readonly write?: WriteOptions;
}

/** Whose data: `@viewer` (the default), `@owner` or a member's id; several for lists of people and AppData. */
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
  /** Profile fields beyond the ones that always come. */
  readonly fields?: readonly (OptionalPersonField | '@all')[];
}
export interface FriendsParams extends PersonParams, PageParams {
  /** `hasApp` leaves only friends who have this app. */
  readonly filterBy?: 'hasApp';
}
export interface KeysParams {
  /** Keys of AppData; `*` is all. */
  readonly keys?: string | readonly string[];
  /** The same as `keys`. */
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
  /** A list of one id is answered by the person, as servers of this API do; of several, by a list. */
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
   * Reads AppData. That of friends comes whole; with `count` or `startIndex` a page of the friends who have any, in the order
   * of their ids. A page with fewer members than `count` is the last. An answer of more than 4,000,000 bytes is refused (413).
   */
  readonly get: Call<MemberParams & AppParams & KeysParams & PageParams, AppDataByMember>;
  /**
   * Saves the pairs of `data`; other keys stay. A value that is not text is saved as its JSON text. A member has at most
   * 1,000 keys and 102,400 bytes in one app, keys and values together (400).
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
 * What an app asks its site for. Everything is there when the script has run. When the container has welcomed the app
 * (`ready`), services that the site lacks become `undefined`; a call of one that was made earlier answers 501.
 */
export interface Osapi {
  readonly people: PeopleService;
  readonly activities: ActivitiesService;
  readonly appdata: AppDataService;
  readonly albums?: AlbumsService;
  readonly mediaItems?: MediaItemsService;
  /** Another spelling of `mediaItems`. */
  readonly mediaitems?: MediaItemsService;
  newBatch(): Batch;
  /** True if the site can answer the call, for example `albums.get`. Before `ready`: if any site could. */
  has(name: string): boolean;
  /** Where the app runs and for whom. Rejects if no container opened the document. */
  readonly ready: Promise<AppContext>;
}

/** The operation that a call stands for, if it has another name, and the parameters that the call itself decides. */
interface CallRow {
  readonly operation?: OsapiName;
  readonly fixed?: MemberParams;
}

const people = (userId: string, groupId: string): CallRow => ({ operation: 'people.get', fixed: { userId, groupId } });

/** Every call of `osapi`. */
export const calls: Readonly<Record<string, CallRow>> = {
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
