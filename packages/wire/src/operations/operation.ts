import type { Asker, RequestParams } from '../app-call.ts';

/** Permission that an app needs before it may call an operation. */
export type Permission =
  | 'people'
  | 'activities'
  | 'activities.post'
  | 'appdata'
  | 'appdata.write'
  | 'albums'
  | 'albums.write';

/** Groups of cached results that one write can make stale. */
export const topics = ['people', 'activities', 'appData', 'albums', 'mediaItems'] as const;
export type Topic = (typeof topics)[number];

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Method and path of a request. */
export interface Route {
  readonly method: HttpMethod;
  /** Path template below the REST root, as the API document writes it. */
  readonly path: string;
}

/** Ages up to which a result may be shown, in milliseconds since its answer arrived. */
export interface CachePolicy {
  /** Up to this age the cached result is used and no request is made. */
  readonly freshMs: number;
  /** Up to this age the cached result is shown at once while a new one is fetched. */
  readonly staleMs: number;
}

/** Columns of a row that pages read, too. `Row` says which of them a row must have. */
export interface Operation extends Route {
  /** Further paths, and further methods of `path`, with the same answer. */
  readonly also?: readonly string[];
  readonly alsoMethods?: readonly HttpMethod[];
  readonly status: 'works' | 'unimplemented';
  /** Name of the call in `osapi` and JSON-RPC; several rows may share one. */
  readonly osapi: string;
  readonly topic: Topic;
  readonly permission: Permission;
  readonly cache?: CachePolicy;
  /** Topics whose cached results of this app are stale after a write. */
  readonly stales?: readonly Topic[];
  /** True if repeating the write leaves the same; else `Idempotency-Key` names it upstream. */
  readonly isIdempotent?: boolean;
  /** Refused sooner after the last one than the site's posting interval. */
  readonly hasInterval?: true;
}

/** Columns of a row that only services and tools read. */
export interface ServiceColumns {
  readonly summary: string;
  /** Optional extension of the site that the row needs. */
  readonly extension?: 'albums';
  /** Further names of the call. */
  readonly aliases?: readonly string[];
  /** Shape of the answer; `by member` is AppData, with an entry for each member. */
  readonly result?: 'entry' | 'list' | 'entry or list' | 'by member' | 'done';
  /** Topic whose versions make the `ETag`; `text`: the answer's hash, as too many count. */
  readonly validator?: Exclude<Topic, 'mediaItems'> | 'text';
  /** Reads that cost as much as a read may, which are made a few at a time. */
  readonly wide?: 'always' | 'of several members';
  /** Reads that hold thousands of rows before they answer: one at a time of each requester. */
  readonly isLong?: true;
  readonly filterBy?: 'hasApp';
  /** Resource in the body of a write. */
  readonly body?: 'activity' | 'appData';
}

type Row = Operation &
  (
    | { readonly status: 'unimplemented' }
    | { readonly status: 'works'; readonly method: 'GET'; readonly stales?: never; readonly cache: CachePolicy }
    | ({ readonly status: 'works'; readonly method: 'POST' | 'PUT' | 'DELETE'; readonly cache?: never } & Required<
        Pick<Operation, 'stales' | 'isIdempotent'>
      >)
  );

export type ServiceColumnsOf<Of> = Of extends { readonly status: 'works'; readonly method: infer Method }
  ? With<Method extends 'GET' ? 'result' | 'validator' : Method extends 'DELETE' ? 'result' : 'result' | 'body'>
  : ServiceColumns;

type With<Columns extends keyof ServiceColumns> = ServiceColumns & Required<Pick<ServiceColumns, Columns>>;

/** Rows by name. A working row without a column that it needs does not compile. */
export type Rows = Readonly<Record<string, Row>>;

/** A request for the REST API, before it is matched with a row. */
export interface RequestDraft {
  readonly method: HttpMethod;
  readonly segments: string[];
  readonly query?: [string, string][];
  readonly body?: Record<string, string>;
}

/** Returns the request that a call stands for. Throws as `resolveRequest` says. */
export type RequestMaker = (params: RequestParams, asker: Asker) => RequestDraft;

/** Request makers by name and alias of the call. */
export type RequestMakers = Readonly<Record<string, RequestMaker>>;

const minute = 60_000;
const day = 24 * 60 * minute;

/** Cache policies: profiles change less often than streams, AppData and photos. */
export const profiles: CachePolicy = { freshMs: minute, staleMs: day };
export const streams: CachePolicy = { freshMs: 5_000, staleMs: day };
