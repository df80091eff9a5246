import { matchRoute, type OperationId, type RouteParams, SocialError } from '@gantry/wire';
import { segmentsOf } from './segments.ts';

/** Operation that a request's method and path select. */
export interface MatchedRoute {
  /** Absent for a group, which no operation serves. */
  readonly operationId: OperationId | undefined;
  readonly params: RouteParams;
  readonly selector: string;
}

const noService = [''];

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
