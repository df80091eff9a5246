import { isId } from './id.ts';
import type { HttpMethod, OperationId } from './operations.ts';
import { isWorking } from './operations.ts';
import { optionalPersonFields } from './resources.ts';
import { matchRoute } from './route.ts';
import { SocialError } from './social-error.ts';

/** One call of an app, as it crosses the port and the proxy. Plain data. */
export interface ResourceRequest {
  /** Name of the call in `osapi`, for example `people.get`. */
  readonly operation: string;
  readonly params: RequestParams;
}

/** Parameters as an app wrote them; nothing about them is known yet. */
export type RequestParams = Readonly<Record<string, unknown>>;

/** Who a request speaks for: the port's (or the gadget token's) record, never the app's own words. */
export interface Asker {
  readonly app: string;
  /** Absent when nobody is signed in. */
  readonly viewer?: string | undefined;
  readonly owner?: string | undefined;
}

/** A request in its one canonical form: two that mean the same are equal, so its text is also its cache key. */
export interface ResolvedRequest {
  readonly operation: OperationId;
  readonly method: HttpMethod;
  /** Decoded path segments below the REST root. Ids of several members are joined with commas. */
  readonly segments: readonly string[];
  /** Decoded, sorted by name. */
  readonly query: readonly (readonly [name: string, value: string])[];
  /** JSON body of a write. */
  readonly body?: Readonly<Record<string, string>>;
}

/**
 * Brings a request into its canonical form: `@viewer`, `@owner` and `@me` become ids, defaults are filled in, lists
 * are sorted, AppData values become strings (app-facing rules of `osapi`).
 *
 * @throws SocialError BAD_REQUEST for parameters that cannot be meant, FORBIDDEN for one that tries to name an
 * identity, UNAUTHORIZED for `@viewer` or an owner while nobody is signed in, NOT_IMPLEMENTED for rows that no service has.
 */
export function resolveRequest(request: ResourceRequest, asker: Asker): ResolvedRequest {
  const name = aliases[request.operation] ?? request.operation;
  const build = Object.hasOwn(builders, name) ? builders[name] : undefined;
  if (!build)
    throw new SocialError('NOT_IMPLEMENTED', `This site has no operation ${JSON.stringify(name.slice(0, 64))}.`);
  const params = request.params ?? {};
  refuseIdentityParams(params);
  const { method, segments, query = [], body } = build(params, asker);
  const match = matchRoute(method, segments);
  if (match.kind === 'unknown' || match.kind === 'method') {
    throw new SocialError(
      'BAD_REQUEST',
      `${name} has no selector ${JSON.stringify(segments[2])}: use @self or @friends.`,
    );
  }
  if (match.kind === 'group' || !isWorking(match.operation)) {
    throw new SocialError('NOT_IMPLEMENTED', `${name} is not implemented by this site for these parameters.`);
  }
  const sorted = query.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return { operation: match.operation, method, segments, query: sorted, ...(body && { body }) };
}

/** Text that is equal for two requests exactly when they mean the same. */
export function requestKey({ method, segments, query, body }: ResolvedRequest): string {
  return JSON.stringify([method, segments, query, body]);
}

/** Path and query below the REST root, percent-encoded as OAuth encodes (RFC 5849 §3.6). */
export function restPath({ segments, query }: Pick<ResolvedRequest, 'segments' | 'query'>): string {
  const path = segments.map((segment) => `/${encode(segment)}`).join('');
  const search = query.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
  return search === '' ? path : `${path}?${search}`;
}

/** True for a parameter name that speaks of identity or signatures, however it is spelled (an app may never name one). */
export function isIdentityParam(name: string): boolean {
  return /^(x?oauth|opensocial)/i.test(fullyDecoded(name).trimStart());
}

interface Draft {
  readonly method: HttpMethod;
  readonly segments: string[];
  readonly query?: [string, string][];
  readonly body?: Record<string, string>;
}

const aliases: Readonly<Record<string, string>> = {
  __proto__: null as never,
  'appdata.create': 'appdata.update',
  'appData.get': 'appdata.get',
  'appData.update': 'appdata.update',
  'appData.create': 'appdata.update',
  'appData.delete': 'appdata.delete',
  'mediaitems.get': 'mediaItems.get',
};

const builders: Readonly<Record<string, (params: RequestParams, asker: Asker) => Draft>> = {
  'people.get': (params, asker) => {
    const person = optionalText(params, 'personId');
    const group = optionalText(params, 'groupId') ?? (person === undefined ? '@self' : '@all');
    const segments = ['people', userIds(params, asker), group];
    if (person !== undefined && group === '@all') segments.push(memberId(person, asker));
    const filterBy = optionalText(params, 'filterBy');
    const query = [...personFields(params), ...paging(params)];
    if (filterBy !== undefined) query.push(['filterBy', filterBy]);
    return { method: 'GET', segments, query };
  },
  'activities.get': (params, asker) => {
    const segments = ['activities', userIds(params, asker), groupId(params)];
    const app = optionalText(params, 'appId');
    if (app !== undefined) segments.push(appSegment(app, asker));
    return { method: 'GET', segments, query: paging(params) };
  },
  'activities.create': (params, asker) => {
    const { activity } = params;
    if (!isRecord(activity)) throw badParam('activity', 'an object with a title');
    const body: Record<string, string> = { title: text(activity.title, 'activity.title') };
    if (isGiven(activity.url)) body.url = text(activity.url, 'activity.url');
    const segments = ['activities', oneUserId(params, asker), groupId(params)];
    const app = optionalText(params, 'appId');
    if (app !== undefined) segments.push(appSegment(app, asker));
    return { method: 'POST', segments, body };
  },
  'appdata.get': (params, asker) => {
    const keys = keyList(params);
    const segments = ['appData', userIds(params, asker), groupId(params), appId(params, asker)];
    const named = keys !== undefined && keys !== 'all' && keys.length > 0;
    return { method: 'GET', segments, query: named ? [['fields', keys.join(',')]] : [] };
  },
  'appdata.update': (params, asker) => {
    const segments = ['appData', oneUserId(params, asker), groupId(params), appId(params, asker)];
    return { method: 'POST', segments, body: appDataValues(params.data ?? params.appdata) };
  },
  'appdata.delete': (params, asker) => {
    const keys = keyList(params);
    if (keys === undefined || keys.length === 0) {
      throw badParam('keys', "the keys to delete, or '*' to delete all AppData of the member");
    }
    const segments = ['appData', oneUserId(params, asker), groupId(params), appId(params, asker)];
    return { method: 'DELETE', segments, query: keys === 'all' ? [] : [['fields', keys.join(',')]] };
  },
  'albums.get': (params, asker) => {
    const segments = ['albums', userIds(params, asker), groupId(params)];
    const album = optionalText(params, 'albumId') ?? optionalText(params, 'id');
    if (album !== undefined) segments.push(album);
    return { method: 'GET', segments, query: paging(params) };
  },
  'mediaItems.get': (params, asker) => {
    const album = optionalText(params, 'albumId');
    if (album === undefined || !isId(album)) throw badParam('albumId', 'the id of an album');
    const segments = ['mediaitems', oneUserId(params, asker), groupId(params), album];
    const item = optionalText(params, 'mediaItemId') ?? optionalText(params, 'id');
    if (item !== undefined) segments.push(item);
    return { method: 'GET', segments, query: paging(params) };
  },
  ...Object.fromEntries(
    ['people', 'albums', 'mediaItems'].flatMap((service) =>
      ['create', 'update', 'delete'].map((verb) => [`${service}.${verb}`, () => unavailable(`${service}.${verb}`)]),
    ),
  ),
};

function unavailable(name: string): never {
  throw new SocialError('NOT_IMPLEMENTED', `${name} is not implemented by this site.`);
}

function refuseIdentityParams(params: RequestParams): void {
  const name = Object.keys(params).find(isIdentityParam);
  if (name !== undefined) {
    throw new SocialError('FORBIDDEN', `The parameter ${JSON.stringify(name.slice(0, 64))} is the container's to set.`);
  }
}

function fullyDecoded(name: string): string {
  for (let decoded = name; ; name = decoded) {
    try {
      decoded = decodeURIComponent(name.replaceAll('+', ' '));
    } catch {
      return name;
    }
    if (decoded === name) return name;
  }
}

function userIds(params: RequestParams, asker: Asker): string {
  const given = listOf(params.userId, 'userId') ?? ['@viewer'];
  if (given.length === 0) throw badParam('userId', "a member's id, '@viewer' or '@owner', or a list of them");
  const [only] = given;
  if (given.length === 1) return memberId(only as string, asker);
  const known = given.filter((id) => id.startsWith('@') || isId(id)); // others name nobody and are left out
  return [...new Set(known.map((id) => memberId(id, asker)))].join(',');
}

function oneUserId(params: RequestParams, asker: Asker): string {
  const ids = userIds(params, asker);
  if (ids.includes(',')) throw badParam('userId', 'one member');
  return ids;
}

function memberId(id: string, { viewer, owner }: Asker): string {
  if (id === '@viewer' || id === '@me') {
    if (viewer === undefined) throw new SocialError('UNAUTHORIZED', 'Nobody is signed in, so there is no viewer.');
    return viewer;
  }
  if (id === '@owner') {
    if (owner === undefined) throw new SocialError('UNAUTHORIZED', 'Nobody is signed in, so the page has no owner.');
    return owner;
  }
  if (!isId(id)) throw new SocialError('NOT_FOUND', 'There is no such member.');
  return id;
}

function groupId(params: RequestParams): string {
  return optionalText(params, 'groupId') ?? '@self';
}

function appId(params: RequestParams, asker: Asker): string {
  return appSegment(optionalText(params, 'appId') ?? '@app', asker);
}

function appSegment(app: string, asker: Asker): string {
  if (app === '@app' || app === asker.app) return '@app';
  if (!isId(app)) throw new SocialError('FORBIDDEN', 'An app may name only itself: use @app.');
  return app;
}

function personFields(params: RequestParams): [string, string][] {
  const given = listOf(params.fields, 'fields') ?? [];
  const known = given.includes('@all')
    ? [...optionalPersonFields]
    : optionalPersonFields.filter((field) => given.includes(field));
  return known.length === 0 ? [] : [['fields', known.toSorted().join(',')]];
}

function paging(params: RequestParams): [string, string][] {
  const query: [string, string][] = [];
  const count = integer(params, 'count');
  const startIndex = integer(params, 'startIndex');
  if (count !== undefined && count > 0) query.push(['count', String(Math.min(count, 100))]);
  if (startIndex !== undefined && startIndex > 0) query.push(['startIndex', String(startIndex)]);
  return query;
}

function keyList(params: RequestParams): string[] | 'all' | undefined {
  const keys = listOf(params.keys, 'keys');
  const fields = listOf(params.fields, 'fields');
  if (keys === undefined && fields === undefined) return undefined;
  const all = [...(keys ?? []), ...(fields ?? [])];
  if (all.includes('*') || all.includes('@all')) return 'all';
  return [...new Set(all)].sort();
}

function appDataValues(data: unknown): Record<string, string> {
  const values = typeof data === 'string' ? parsedObject(data) : data;
  if (!isRecord(values)) throw badParam('data', 'an object of keys and values, or its JSON text');
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, appDataText(value)]));
}

// What gadgets store is text on the wire; this is the text that existing gadgets expect to read back.
function appDataText(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === null || value === undefined ? '' : JSON.stringify(value);
}

function parsedObject(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function listOf(value: unknown, name: string): string[] | undefined {
  if (!isGiven(value)) return undefined;
  const items = Array.isArray(value) ? value : [value];
  if (!items.every((item) => typeof item === 'string' || typeof item === 'number')) {
    throw badParam(name, 'text or a list of texts');
  }
  return items.flatMap((item) => String(item).split(',')).flatMap((item) => (item.trim() === '' ? [] : [item.trim()]));
}

function optionalText(params: RequestParams, name: string): string | undefined {
  const value = params[name];
  return isGiven(value) && value !== '' ? text(value, name) : undefined;
}

function text(value: unknown, name: string): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  throw badParam(name, 'text');
}

function integer(params: RequestParams, name: string): number | undefined {
  const value = params[name];
  if (!isGiven(value)) return undefined;
  if ((typeof value !== 'number' && typeof value !== 'string') || !/^-?\d{1,15}$/.test(String(value))) {
    throw badParam(name, 'a whole number');
  }
  return Number(value);
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function badParam(name: string, right: string): SocialError {
  return new SocialError('BAD_REQUEST', `${name} must be ${right}.`);
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}
