import { matchRoute, type OperationId, type RouteParams, SocialError } from '@gantry/wire';
import { restRoot } from '../paths.ts';

/** Operation that a request's method and path select. */
export interface MatchedRoute {
  /** Absent for a group, which no operation serves. */
  readonly operationId: OperationId | undefined;
  readonly params: RouteParams;
  /** The third segment of the path: `@self`, `@friends`, `@all`. */
  readonly selector: string;
}

/**
 * Finds the operation of a request (§4).
 *
 * @param path As sent by the client.
 * @throws SocialError NOT_FOUND, METHOD_NOT_ALLOWED with the allowed methods, BAD_REQUEST for an
 * invalid segment.
 */
export function findRoute(
  method: string,
  path: string,
  { apiVersion }: { readonly apiVersion: '1.2' | '0.9.3' },
): MatchedRoute {
  const segments = segmentsOf(path) ?? [''];
  const friends = apiVersion === '0.9.3' ? '@friend' : '@friends';
  const match = matchRoute(method === 'HEAD' ? 'GET' : method, segments, { friends });
  const selector = segments[2] ?? '';
  switch (match.kind) {
    case 'operation':
      return { operationId: match.operation, params: match.params, selector };
    case 'group':
      return { operationId: undefined, params: {}, selector };
    case 'method': {
      const allow = match.allow.flatMap((one): string[] => (one === 'GET' ? ['GET', 'HEAD'] : [one]));
      throw new SocialError('METHOD_NOT_ALLOWED', `This resource takes ${allow.join(', ')}.`, { allow });
    }
    case 'unknown':
      throw new SocialError('NOT_FOUND', 'There is no such resource.');
  }
}

/**
 * Splits a path below the REST root into decoded segments, the service first. One trailing slash is
 * accepted (contract §1).
 *
 * @param path As sent, so that an escaped slash differs from a slash.
 * @returns `undefined` for a path outside the root.
 * @throws SocialError BAD_REQUEST for an invalid escape, and for a segment that holds `/` or NUL or
 * is `.` or `..`.
 */
function segmentsOf(path: string): readonly string[] | undefined {
  if (!path.startsWith(restRoot)) return undefined;
  const end = path.length > restRoot.length && path.endsWith('/') ? -1 : undefined;
  return path.slice(restRoot.length, end).split('/').map(decode);
}

function decode(segment: string): string {
  const text = segment.includes('%') ? unescapeSegment(segment) : segment;
  if (text === '.' || text === '..' || text.includes('/') || text.includes('\0')) {
    throw new SocialError('BAD_REQUEST', 'A path segment must not decode to "/", "." or "..", nor hold NUL.');
  }
  return text;
}

function unescapeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch (cause) {
    throw new SocialError('BAD_REQUEST', 'Percent-encode path segments as UTF-8.', { cause });
  }
}
