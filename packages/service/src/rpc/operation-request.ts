import type { Parameter } from '@gantry/oauth';
import {
  badParam,
  bounds,
  type HttpMethod,
  integer,
  isGiven,
  listOf,
  matchRoute,
  operation,
  optionalText,
  type RequestParams,
  type RouteParams,
  SocialError,
  serviceColumnsOf,
} from '@gantry/wire';
import type { Json } from '../formats/read-json.ts';
import type { OperationRequest } from '../handlers/operation-runner.ts';
import type { Settings } from '../settings.ts';
import type { RpcMethod } from './methods.ts';

/**
 * Converts a call's parameters into the path, query and body of an operation (contract §8). Unknown
 * names are ignored, so no parameter can change the member on whose behalf the call is made.
 *
 * @throws SocialError BAD_REQUEST for invalid parameters, NOT_FOUND for an unknown selector.
 */
export function toOperationRequest(
  method: RpcMethod,
  params: RequestParams,
  settings: Pick<Settings, 'apiVersion'>,
): OperationRequest {
  if (!method.works) return { ...nothing, operationId: method.rows[0] };
  const { verb, service, tail, leastTail } = method;
  const values = tail.map((name) => tailValue(params, name));
  const length = Math.max(leastTail, values.findLastIndex((value) => value !== undefined) + 1);
  const rest = tail.slice(0, length).map((name, index) => values[index] ?? placeholder(name));
  const selector = optionalText(params, 'groupId') ?? (tail[0] === 'pid' && length > 0 ? '@all' : method.selector);
  const friends = settings.apiVersion === '0.9.3' ? '@friend' : '@friends';

  const segments = method.fixed ?? [service, userIds(params), selector, ...rest];
  const match = matchRoute(verb, segments, { friends });
  if (match.kind === 'group') return { ...nothing, operationId: undefined };
  if (match.kind !== 'operation' || !method.rows.includes(match.operation))
    throw refusedSelector(method, selector, friends);
  return {
    operationId: match.operation,
    params: withoutPlaceholder(match.params, { tail, values }),
    selector,
    query: queryOf(params, verb, operation(match.operation).topic),
    hasBody: verb === 'POST',
    readBody: () => bodyOf(params, method),
  };
}

function bodyOf(params: RequestParams, { rows }: RpcMethod): Json {
  const isActivity = rows.some((id) => serviceColumnsOf(id).body === 'activity');
  const body = isActivity ? params.activity : (params.data ?? params.appdata);
  return (body ?? null) as Json; // parsed as JSON
}

const nothing = { params: {}, selector: '', query: [], hasBody: false, readBody: () => null } as const;

/** Spellings of each path parameter in JSON-RPC. */
const spellings: Readonly<Record<string, readonly string[]>> = {
  pid: ['personId', 'pid'],
  appid: ['appId'],
  activityid: ['activityId'],
  albumId: ['albumId'],
  mediaItemId: ['mediaItemId'],
};

function tailValue(params: RequestParams, name: string): string | undefined {
  const spelling = (spellings[name] ?? []).find((one) => isGiven(params[one]));
  if (spelling === undefined) return undefined;
  if (name !== 'pid') return withoutNul(optionalText(params, spelling), spelling);
  const ids = listOf(params[spelling], spelling, bounds.ids);
  if (ids?.length === 0) throw badParam(spelling, "a member's id, or a list of them");
  return ids?.join(',');
}

/** Returns the path segment for a parameter that the call leaves out. */
function placeholder(name: string): string {
  return name === 'appid' ? '@app' : '@all';
}

/** `mediaItems.get` without `albumId` reads all albums, which no path expresses. */
function withoutPlaceholder(
  params: RouteParams,
  { tail, values }: Pick<RpcMethod, 'tail'> & { readonly values: readonly (string | undefined)[] },
): RouteParams {
  const { albumId, ...others } = params;
  return albumId === undefined || values[tail.indexOf('albumId')] === undefined ? others : params;
}

// PostgreSQL text columns cannot hold NUL, and no id contains it.
function withoutNul(text: string | undefined, name: string): string | undefined {
  if (text?.includes('\0')) throw badParam(name, 'text without NUL');
  return text;
}

function userIds(params: RequestParams): string {
  const ids = listOf(params.userId, 'userId', bounds.ids) ?? ['@me'];
  if (ids.length === 0) throw badParam('userId', "a member's id or '@me', or a list of them");
  return ids.join(',');
}

function refusedSelector({ name, verb, service, tail }: RpcMethod, selector: string, friends: '@friends' | '@friend') {
  const lengths = [...tail.keys(), tail.length];
  const isListed = lengths.some(
    (length) => matchRoute(verb, [service, '@me', selector, ...tail.slice(0, length)], { friends }).kind !== 'unknown',
  );
  return isListed
    ? new SocialError('BAD_REQUEST', `${name} does not take groupId ${selector} with these parameters.`)
    : new SocialError('NOT_FOUND', `${name} has no groupId ${JSON.stringify(selector.slice(0, 64))}.`);
}

function queryOf(params: RequestParams, verb: HttpMethod, topic: string): Parameter[] {
  const values = {
    count: integer(params, 'count'),
    startIndex: integer(params, 'startIndex'),
    filterBy: optionalText(params, 'filterBy'),
    fields: (topic === 'appData' ? appDataKeys(params, verb) : listOf(params.fields, 'fields'))?.join(','),
  };
  return Object.entries(values).flatMap(([name, value]): Parameter[] =>
    value === undefined ? [] : [[name, String(value)]],
  );
}

/** Returns `keys` and `fields` together; `undefined` for all keys. */
function appDataKeys(params: RequestParams, verb: HttpMethod): readonly string[] | undefined {
  const [keys, named] = [listOf(params.keys, 'keys'), listOf(params.fields, 'fields')];
  const all = keys === undefined && named === undefined ? undefined : [...(keys ?? []), ...(named ?? [])];
  if (verb !== 'DELETE') return all;
  if (all === undefined || all.length === 0 || all.includes('@all')) {
    throw badParam('keys', 'the AppData keys to delete, or "*" for all that the member has in the app');
  }
  return all.includes('*') ? undefined : all;
}
