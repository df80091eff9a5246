import { type HttpMethod, type OperationId, operation, operations, type RouteParams } from '@gantry/wire';
import type { Settings } from '../settings.ts';

/** A method of JSON-RPC: the rows of §4 that share its name. */
export interface Method {
  readonly name: string;
  readonly rows: readonly OperationId[];
  /** Whether any of the rows works. */
  readonly works: boolean;
  readonly verb: HttpMethod;
  /** The service as paths write it, for example `mediaitems`. */
  readonly service: string;
  /** Names in the paths after the selector, for example `appid`, `activityid`. */
  readonly tail: readonly (keyof RouteParams)[];
  /** How many of those every path has. */
  readonly leastTail: number;
}

/** Spellings that clients use beside the table's names (contract §8). */
const aliases: ReadonlyMap<string, string> = new Map([
  ['appdata.create', 'appdata.update'],
  ['mediaitems.get', 'mediaItems.get'],
]);

const methods: ReadonlyMap<string, Method> = new Map(
  Array.from(
    Map.groupBy(Object.keys(operations) as OperationId[], (id) => operation(id).osapi),
    ([name, rows]) => [name, methodOf(name, rows)] as const,
  ),
);

/** The method of this name; letter case counts. */
export function findMethod(name: string): Method | undefined {
  return methods.get(aliases.get(name) ?? name);
}

export const listMethods = 'system.listMethods';

/** Names of the methods that a site answers: rows that do not work and extensions that it lacks are left out (contract §8). */
export function methodNames(settings: Pick<Settings, 'albums'>): readonly string[] {
  const answered = Array.from(methods.values())
    .filter(({ works, rows }) => works && rows.every((id) => operation(id).extension !== 'albums' || settings.albums))
    .map(({ name }) => name);
  return [...answered, 'appdata.create', listMethods].sort();
}

function methodOf(name: string, rows: readonly OperationId[]): Method {
  const all = rows.map(operation);
  const [{ method: verb, path }] = all as [(typeof all)[number]];
  const templates = all.flatMap((row) => [row.path, ...(row.also ?? []).map((route) => route.path)]);
  const tails = templates.map((template) => template.split('/').slice(4));
  const [longest = []] = tails.toSorted((a, b) => b.length - a.length);
  return {
    name,
    rows,
    works: all.some(({ status }) => status === 'works'),
    verb,
    service: path.split('/')[1] as string,
    tail: longest.map((part) => part.slice(1, -1)),
    leastTail: Math.min(...tails.map(({ length }) => length)),
  };
}
