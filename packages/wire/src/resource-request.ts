import type { Asker, ResourceRequest } from './app-call.ts';
import { refuseParamNames } from './identity-param.ts';
import { activityCalls } from './operations/activities.ts';
import { albumCalls } from './operations/albums.ts';
import { appDataCalls } from './operations/app-data.ts';
import { mediaItemCalls } from './operations/media-items.ts';
import type { HttpMethod, RequestDraft, RequestMaker, RequestMakers } from './operations/operation.ts';
import { peopleCalls } from './operations/people.ts';
import { isWorking, type OperationId, type WorkingOsapiName } from './operations.ts';
import { matchRoute } from './route.ts';
import type { OsapiAlias } from './service-columns.ts';
import { SocialError } from './social-error.ts';

/** A request in canonical form: two that mean the same are equal. */
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
 * Brings a request into its canonical form: `@viewer`, `@owner` and `@me` become ids, defaults are
 * filled in, lists are sorted, AppData values become strings (app-facing rules of `osapi`).
 *
 * @throws SocialError BAD_REQUEST for invalid parameters or too many, FORBIDDEN for one that names
 * an identity, UNAUTHORIZED for `@viewer` or an owner when signed out, NOT_IMPLEMENTED for rows
 * that do not work.
 */
export function resolveRequest(request: ResourceRequest, asker: Asker): ResolvedRequest {
  const { operation: name, params } = request;
  refuseParamNames(params);
  const { method, segments, query = [], body } = draftOf(request, asker);
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

// A working row whose call is missing here does not compile.
const calls: RequestMakers & Readonly<Record<WorkingOsapiName | OsapiAlias, RequestMaker>> = {
  ...peopleCalls,
  ...activityCalls,
  ...appDataCalls,
  ...albumCalls,
  ...mediaItemCalls,
};

function draftOf({ operation, params }: ResourceRequest, asker: Asker): RequestDraft {
  const name = operation.replace(/^appData\./, 'appdata.'); // as some gadgets write it
  const call = Object.hasOwn(calls, name) ? calls[name] : undefined;
  if (call) return call(params, asker);
  throw new SocialError('NOT_IMPLEMENTED', `This site has no operation ${JSON.stringify(operation.slice(0, 64))}.`);
}

/** Returns a text that is equal for two requests exactly if they mean the same. */
export function requestKey({ method, segments, query, body }: ResolvedRequest): string {
  return JSON.stringify([method, segments, query, body]);
}

/** Returns path and query below the REST root, percent-encoded for OAuth (RFC 5849 §3.6). */
export function restPath({ segments, query }: Pick<ResolvedRequest, 'segments' | 'query'>): string {
  const path = segments.map((segment) => `/${encode(segment)}`).join('');
  const search = query.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
  return search === '' ? path : `${path}?${search}`;
}

function encode(text: string): string {
  // Half of a surrogate pair has no encoding.
  return encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
