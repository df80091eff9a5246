import {
  callAliases,
  callRows,
  type HttpMethod,
  type OperationId,
  operation,
  type RouteParams,
  routesOf,
  serviceColumnsOf,
} from '@gantry/wire';
import type { Settings } from '../settings.ts';

/** JSON-RPC method: the operations of §4 that share its name. */
export interface RpcMethod {
  readonly name: string;
  readonly rows: readonly OperationId[];
  /** True if any of the operations works. */
  readonly works: boolean;
  readonly verb: HttpMethod;
  /** Service as it is spelled in paths, for example `mediaitems`. */
  readonly service: string;
  /** Segments of the only path, where it names no member: `/people/@supportedFields`. */
  readonly fixed: readonly string[] | undefined;
  /** Selector of a call that names none. */
  readonly selector: string;
  /** Path parameters after the selector, for example `appid`, `activityid`. */
  readonly tail: readonly (keyof RouteParams)[];
  /** Number of them that every path has. */
  readonly leastTail: number;
}

const methods: ReadonlyMap<string, RpcMethod> = new Map(
  Array.from(callRows, ([name, rows]) => [name, methodOf(name, rows)] as const),
);

/** Finds a method by its name, which is case-sensitive. */
export function findMethod(name: string): RpcMethod | undefined {
  return methods.get(callAliases.get(name) ?? name);
}

export const listMethods = 'system.listMethods';

/** Returns the names of methods that work and whose extension the site has (contract §8). */
export function methodNames(settings: Pick<Settings, 'albums'>): readonly string[] {
  const answered = Array.from(methods.values())
    .filter(
      ({ works, rows }) => works && rows.every((id) => serviceColumnsOf(id).extension !== 'albums' || settings.albums),
    )
    .map(({ name }) => name);
  // Another letter case makes no method of its own.
  const aliases = Array.from(callAliases).filter(
    ([alias, name]) => answered.includes(name) && alias.toLowerCase() !== name.toLowerCase(),
  );
  return [...answered, ...aliases.map(([alias]) => alias), listMethods].sort();
}

function methodOf(name: string, rows: readonly OperationId[]): RpcMethod {
  const all = rows.map(operation);
  const [{ method: verb, path }] = all as [(typeof all)[number]];
  const paths = rows.flatMap(routesOf).map((route) => route.path.split('/'));
  const tails = paths.map((parts) => parts.slice(4));
  const [selector = '@self', ...others] = new Set(paths.map((parts) => parts[3]));
  const [longest = []] = tails.toSorted((a, b) => b.length - a.length);
  return {
    name,
    rows,
    works: all.some(({ status }) => status === 'works'),
    verb,
    service: path.split('/')[1] as string,
    fixed: paths.every((parts) => parts.length === 3) ? paths[0]?.slice(1) : undefined,
    selector: others.length === 0 ? selector : '@self',
    tail: longest.map((part) => part.slice(1, -1)),
    leastTail: Math.min(...tails.map(({ length }) => length)),
  };
}
