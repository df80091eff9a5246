import { matchRoute, type OperationId, type RouteParams, SocialError } from '@gantry/wire';
import { segmentsOf } from './segments.ts';

/** What a request is for. */
export interface Found {
  /** Absent for a group, which no row serves. */
  readonly operationId: OperationId | undefined;
  readonly params: RouteParams;
  /** The third segment of the path: `@self`, `@friends`, `@all`. */
  readonly selector: string;
}

const noService = [''];

/**
 * Finds the row of §4 that a request is for.
 *
 * @param path As on the wire.
 * @throws SocialError NOT_FOUND, METHOD_NOT_ALLOWED with the methods that work, and BAD_REQUEST for a segment that cannot be.
 */
export function findRoute(
  method: string,
  path: string,
  { apiVersion }: { readonly apiVersion: '1.2' | '0.9.3' },
): Found {
  const segments = segmentsOf(path) ?? noService;
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
