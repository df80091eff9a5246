import type { Asker, RequestParams } from '../app-call.ts';
import { bounds } from '../bounds.ts';
import { isId } from '../id.ts';
import { parseJson } from '../parse-json.ts';
import { badParam, integer, isRecord, listOf, optionalText, tooMany } from '../read-params.ts';
import { optionalFieldsIn } from '../resources.ts';
import { SocialError } from '../social-error.ts';

/** Parameters that calls share, as parts of a request. Each throws as `resolveRequest` says. */

export function userIds(params: RequestParams, asker: Asker): string {
  const ids = listOf(params.userId, 'userId', bounds.ids) ?? ['@viewer'];
  if (ids.length === 0) throw badParam('userId', "a member's id, '@viewer' or '@owner', or a list of them");
  const [only] = ids;
  if (ids.length === 1) return memberId(only as string, asker);
  const validIds = ids.filter((id) => id.startsWith('@') || isId(id)); // no other text can be an id
  if (validIds.length === 0) throw new SocialError('NOT_FOUND', 'There are no such members.');
  return [...new Set(validIds.map((id) => memberId(id, asker)))].join(',');
}

export function oneUserId(params: RequestParams, asker: Asker): string {
  const ids = userIds(params, asker);
  if (ids.includes(',')) throw badParam('userId', 'one member');
  return ids;
}

export function memberId(id: string, { viewer, owner }: Asker): string {
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

export function groupId(params: RequestParams): string {
  return optionalText(params, 'groupId') ?? '@self';
}

export function appId(params: RequestParams, asker: Asker): string {
  return appSegment(optionalText(params, 'appId') ?? '@app', asker);
}

/** Returns the segment of the app that `appId` names, if any. */
export function namedApp(params: RequestParams, asker: Asker): string[] {
  const app = optionalText(params, 'appId');
  return app === undefined ? [] : [appSegment(app, asker)];
}

function appSegment(app: string, asker: Asker): string {
  if (app === '@app' || app === asker.app) return '@app';
  if (!isId(app)) throw new SocialError('FORBIDDEN', 'An app may name only itself: use @app.');
  return app;
}

export function personFields(params: RequestParams): [string, string][] {
  const names = optionalFieldsIn(listOf(params.fields, 'fields') ?? []);
  return names.length === 0 ? [] : [['fields', names.toSorted().join(',')]];
}

export function paging(params: RequestParams): [string, string][] {
  const query: [string, string][] = [];
  const count = integer(params, 'count');
  const startIndex = integer(params, 'startIndex');
  if (count !== undefined && count > 0) query.push(['count', String(Math.min(count, 100))]);
  if (startIndex !== undefined && startIndex > 0) query.push(['startIndex', String(startIndex)]);
  return query;
}

export function keyList(params: RequestParams): string[] | 'all' | undefined {
  const keys = listOf(params.keys, 'keys');
  const fields = listOf(params.fields, 'fields');
  if (keys === undefined && fields === undefined) return undefined;
  const all = [...(keys ?? []), ...(fields ?? [])];
  if (all.length > bounds.list) throw tooMany('keys', bounds.list);
  if (all.includes('*') || all.includes('@all')) return 'all';
  return [...new Set(all)].sort();
}

export function appDataValues(data: unknown): Record<string, string> {
  const values = typeof data === 'string' ? parsedObject(data) : data;
  if (!isRecord(values))
    throw badParam('data', `an object of keys and values, or its JSON text, at most ${bounds.depth} levels deep`);
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, appDataText(value)]));
}

// AppData is text on the wire, and this is the text that existing gadgets expect to read back.
function appDataText(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === null || value === undefined ? '' : JSON.stringify(value);
}

function parsedObject(json: string): unknown {
  try {
    return parseJson(json); // the depth is bounded, or stringifying overflows the stack
  } catch {
    return undefined;
  }
}
