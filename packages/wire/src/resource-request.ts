import { draftOf } from './call-drafts.ts';
import { refuseParamNames } from './identity-param.ts';
import { type HttpMethod, isWorking, type OperationId } from './operations.ts';
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
 * @throws SocialError BAD_REQUEST for parameters that cannot be meant or are beyond the bounds, FORBIDDEN for one that tries to name an
 * identity, UNAUTHORIZED for `@viewer` or an owner while nobody is signed in, NOT_IMPLEMENTED for rows that no service has.
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

function encode(text: string): string {
  // Half of a surrogate pair has no encoding.
  return encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
