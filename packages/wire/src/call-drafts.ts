import { bounds } from './bounds.ts';
import { isId } from './id.ts';
import type { HttpMethod } from './operations.ts';
import { parseJson } from './parse-json.ts';
import { badParam, integer, isGiven, isRecord, listOf, optionalText, text, tooMany } from './read-params.ts';
import type { Asker, RequestParams, ResourceRequest } from './resource-request.ts';
import { optionalPersonFields } from './resources.ts';
import { SocialError } from './social-error.ts';

/** What a call asks of the REST API, before it is known whether any row answers that. */
export interface Draft {
  readonly method: HttpMethod;
  readonly segments: string[];
  readonly query?: [string, string][];
  readonly body?: Record<string, string>;
}

// Spellings that gadgets use.
const aliases: Readonly<Record<string, string>> = {
  __proto__: null as never,
  'appdata.create': 'appdata.update',
  'appData.get': 'appdata.get',
  'appData.update': 'appdata.update',
  'appData.create': 'appdata.update',
  'appData.delete': 'appdata.delete',
  'mediaitems.get': 'mediaItems.get',
};

const drafts: Readonly<Record<string, (params: RequestParams, asker: Asker) => Draft>> = {
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
    const group = groupId(params);
    const segments = ['appData', userIds(params, asker), group, appId(params, asker)];
    const query = group === '@friends' ? paging(params) : []; // of others there are no pages, and so one cached result
    if (keys !== undefined && keys !== 'all' && keys.length > 0) query.push(['fields', keys.join(',')]);
    return { method: 'GET', segments, query };
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
};

/** @throws SocialError as `resolveRequest` says. */
export function draftOf({ operation, params }: ResourceRequest, asker: Asker): Draft {
  const name = aliases[operation] ?? operation;
  const draft = Object.hasOwn(drafts, name) ? drafts[name] : undefined;
  if (draft) return draft(params, asker);
  throw new SocialError('NOT_IMPLEMENTED', `This site has no operation ${JSON.stringify(name.slice(0, 64))}.`);
}

function userIds(params: RequestParams, asker: Asker): string {
  const given = listOf(params.userId, 'userId', bounds.ids) ?? ['@viewer'];
  if (given.length === 0) throw badParam('userId', "a member's id, '@viewer' or '@owner', or a list of them");
  const [only] = given;
  if (given.length === 1) return memberId(only as string, asker);
  const known = given.filter((id) => id.startsWith('@') || isId(id)); // others name nobody and are left out
  if (known.length === 0) throw new SocialError('NOT_FOUND', 'There are no such members.');
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
  const named = new Set(given);
  const known = named.has('@all')
    ? [...optionalPersonFields]
    : optionalPersonFields.filter((field) => named.has(field));
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
  if (all.length > bounds.list) throw tooMany('keys', bounds.list);
  if (all.includes('*') || all.includes('@all')) return 'all';
  return [...new Set(all)].sort();
}

function appDataValues(data: unknown): Record<string, string> {
  const values = typeof data === 'string' ? parsedObject(data) : data;
  if (!isRecord(values))
    throw badParam('data', `an object of keys and values, or its JSON text, at most ${bounds.depth} levels deep`);
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, appDataText(value)]));
}

// What gadgets store is text on the wire; this is the text that existing gadgets expect to read back.
function appDataText(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === null || value === undefined ? '' : JSON.stringify(value);
}

function parsedObject(json: string): unknown {
  try {
    return parseJson(json); // deeper, and writing the values as text again would run out of stack
  } catch {
    return undefined;
  }
}
