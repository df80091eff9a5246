import type { HttpMethod } from './operations/operation.ts';
import { type OperationId, operationIds, routesOf } from './operations.ts';

/** Decoded values of a template's `{names}`. */
export type RouteParams = Readonly<Record<string, string>>;

export type RouteMatch =
  | { readonly kind: 'operation'; readonly operation: OperationId; readonly params: RouteParams }
  /** The selector names a group, which no row implements. */
  | { readonly kind: 'group' }
  /** The path exists, with other methods. */
  | { readonly kind: 'method'; readonly allow: readonly HttpMethod[] }
  | { readonly kind: 'unknown' };

export interface RouteOptions {
  /** Selector of the friend list: `@friend` in API version 0.9.3. */
  readonly friends?: '@friends' | '@friend';
}

// Literal segments before names: `/people/@me/@self` before `/people/{guid}/@self`.
const entries = operationIds
  .flatMap((id) =>
    routesOf(id).map(({ method, path }) => ({
      method,
      operation: id,
      template: lowerService(path.split('/').slice(1)),
    })),
  )
  .sort((a, b) => names(a) - names(b));

type Entry = (typeof entries)[number];

// Every cached result is routed too, so only paths of the same service and length are compared.
const entriesByShape: ReadonlyMap<string, readonly Entry[]> = Map.groupBy(entries, ({ template }) => shapeOf(template));

/**
 * Finds the row for a method and a path below the REST root (§4).
 *
 * @param segments Decoded path segments, the service's name first, in any letter case.
 */
export function matchRoute(method: string, segments: readonly string[], options: RouteOptions = {}): RouteMatch {
  const path = canonicalSegments(segments, options.friends ?? '@friends');
  const candidates = entriesByShape.get(shapeOf(path)) ?? [];
  const match = candidates.find((entry) => entry.method === method && fits(entry.template, path));
  if (match) return { kind: 'operation', operation: match.operation, params: paramsOf(match.template, path) };
  const others = candidates.filter((entry) => fits(entry.template, path));
  if (others.length > 0) return { kind: 'method', allow: [...new Set(others.map((entry) => entry.method))] };
  const selector = path[2];
  if (selector === undefined || selector === '' || selector.startsWith('@')) return { kind: 'unknown' };
  const asSelf = matchRoute(method, path.with(2, '@self'));
  return asSelf.kind === 'operation' ? { kind: 'group' } : asSelf;
}

function canonicalSegments(segments: readonly string[], friends: '@friends' | '@friend'): readonly string[] {
  const path = lowerService(segments);
  const [, guid, selector] = path;
  if (friends === '@friends' || guid === undefined || path[0] === 'albums') return path; // contract §7 renames only other paths
  if (selector === '@friend') return path.with(2, '@friends');
  return selector === '@friends' ? path.with(2, '@unlisted') : path;
}

function fits(template: readonly string[], path: readonly string[]): boolean {
  return template.every((part, index) => {
    const segment = path[index] as string;
    if (!part.startsWith('{')) return part === segment;
    return segment !== '' && (part !== '{groupid}' || !segment.startsWith('@'));
  });
}

function lowerService([service = '', ...rest]: readonly string[]): readonly string[] {
  return [service.toLowerCase(), ...rest];
}

function shapeOf(path: readonly string[]): string {
  return `${path[0]}/${path.length}`;
}

function paramsOf(template: readonly string[], path: readonly string[]): RouteParams {
  const params: Record<string, string> = {};
  template.forEach((part, index) => {
    if (part.startsWith('{')) params[part.slice(1, -1)] = path[index] as string;
    else if (part === '@me') params.guid = path[index] as string;
  });
  return params;
}

function names(entry: Entry): number {
  return entry.template.filter((part) => part.startsWith('{')).length;
}
