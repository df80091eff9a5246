import { operationIds, routesOf } from '@gantry/wire';
import { certificatePath } from './auth/certificate.ts';
import { type TokenEndpoint, tokenEndpoints } from './auth/token-endpoints.ts';
import { type ReferencePath, referencePaths } from './openapi/reference.ts';
import { mediaPath, restRoot } from './paths.ts';
import type { ResultMember } from './rpc/reply.ts';
import { resultMemberAt, rpcPaths } from './rpc/rpc.ts';
import { recordsPath } from './world/records-endpoint.ts';

/** Part of the service that answers a path. */
export type ServicePart =
  | { readonly kind: 'certificate' | 'media' | 'records' | 'rest' }
  | { readonly kind: 'reference'; readonly path: ReferencePath }
  | { readonly kind: 'token'; readonly endpoint: TokenEndpoint }
  | { readonly kind: 'rpc'; readonly member: ResultMember };

interface FixedPath {
  readonly part: ServicePart;
  readonly methods: readonly string[];
}

const fixedPaths: ReadonlyMap<string, FixedPath> = new Map<string, FixedPath>([
  [certificatePath, { part: { kind: 'certificate' }, methods: ['GET'] }],
  [recordsPath, { part: { kind: 'records' }, methods: ['POST'] }],
  ...referencePaths.map((path) => [path, { part: { kind: 'reference', path }, methods: ['GET'] }] as const),
  ...[...tokenEndpoints].map(
    ([path, endpoint]) => [path, { part: { kind: 'token', endpoint }, methods: ['GET', 'POST'] }] as const,
  ),
]);

/** Returns the part that answers a path: REST, also if it knows no such path. */
export function servicePartOf(path: string): ServicePart {
  const fixed = fixedPaths.get(path);
  if (fixed) return fixed.part;
  if (path.startsWith(mediaPath)) return { kind: 'media' };
  const member = resultMemberAt(path);
  return member === undefined ? { kind: 'rest' } : { kind: 'rpc', member };
}

/** Methods and paths of the service, such as `GET /social/rest/people/{guid}/@self`. */
export const serviceRoutes: readonly string[] = [
  ...[...fixedPaths].flatMap(([path, { methods }]) => methods.map((method) => `${method} ${path}`)),
  `GET ${mediaPath}{token}`,
  ...rpcPaths.map((path) => `POST ${path}`),
  ...operationIds.flatMap(routesOf).map(({ method, path }) => `${method} ${restRoot}${path.slice(1)}`),
];
