import { callAliases, callRows, isRecord, operation, operationIds, routesOf, type Topic } from '@gantry/wire';
import { nobody } from '../scenario/scenario.ts';

/**
 * Place of a value on a tape. Names of members stay, except in data of the app (`app`): AppData,
 * its state, arguments of its actions, calls that the API does not have.
 */
export interface Position {
  readonly source: 'line' | 'page' | 'params' | 'result' | 'app';
  /** The member that holds the value. */
  readonly name: string;
  /** Topic of the call that a line belongs to, if the API has that call. */
  readonly topic?: Topic | undefined;
}

/** Names of calls, and selectors such as `@friends`: they stay, except in an app's data. */
const apiWords: ReadonlySet<string> = new Set([
  ...['@viewer', '@owner', '@app', nobody, ...operationIds, ...callRows.keys(), ...callAliases.keys()],
  ...operationIds.flatMap(routesOf).flatMap(({ path }) => path.match(/@\w+/g) ?? []),
]);

const split = (names: string): ReadonlySet<string> => new Set(names.split(/\s/));

/** Members whose words the page or the API defines. Another form is no such word. */
const enumerations: Readonly<Record<Exclude<Position['source'], 'app'>, ReadonlySet<string>>> = {
  line: split(
    `kind release host method decision what why level outcome limit sdk capabilities directive blocked element name fault
world view theme contrast motion direction locale timeZone network permissions api missing asks reason role key matcher
inside`,
  ),
  page: split('state sizing view views operations permissions reason missing'),
  params: split('fields filterBy filterOp sortBy sortOrder'),
  result: split('type mediaType'),
};
const word = /^[\w+-]{1,60}(?:[./:][\w+-]{1,60}){0,3}$/;

/** Returns the topic of a call, if the API has it. */
export function topicOf(call: unknown): Topic | undefined {
  const name = String(call).replace(/^appData\./, 'appdata.');
  const [row] = callRows.get(callAliases.get(name) ?? name) ?? [];
  return row && operation(row).topic;
}

/** Returns the position of a member. */
export function below({ source, topic }: Position, name: string): Position {
  return { source: sourceOf(source, name, topic), name, topic };
}

function sourceOf(source: Position['source'], name: string, topic: Topic | undefined): Position['source'] {
  if (source === 'page' && name === 'params') return 'app';
  const isKey = topic === 'appData' && (name === 'keys' || name === 'fields');
  if (source === 'params' && (isKey || name === 'data' || name === 'appdata')) return 'app';
  if (source !== 'line') return source;
  if (name === 'params') return topic ? 'params' : 'app';
  if (name === 'ok') return topic && topic !== 'appData' ? 'result' : 'app';
  return ['context', 'data', 'detail', 'versions'].includes(name) ? 'page' : source;
}

/** Returns whether a text says nothing about a person: it is a word of the API or of the page. */
export function stays(text: string, { source, name }: Position): boolean {
  if (source === 'app') return false;
  if (source === 'line' && name === 'key' && [...text].length === 1) return false; // a typed letter
  if (name === 'world') return /^[a-z-]+$/.test(text); // otherwise a file name
  return apiWords.has(text) || (enumerations[source].has(name) && word.test(text));
}

/** Maps texts and numbers of a value, deeply, with the names of members that are data. */
export function mapValue(
  value: unknown,
  at: Position,
  map: { text(text: string, at: Position): string; number(number: number, at: Position): number },
): unknown {
  if (typeof value === 'string') return stays(value, at) ? value : map.text(value, at);
  if (typeof value === 'number') return map.number(value, at);
  if (Array.isArray(value)) return value.map((item) => mapValue(item, at, map));
  if (!isRecord(value)) return value;
  const names = Object.keys(value).map((name) => [at.source === 'app' ? map.text(name, at) : name, name] as const);
  // Objects sort names that are numbers: values are numbered in the order of the names shown.
  const originals = Object.fromEntries(names);
  return Object.fromEntries(
    Object.entries(originals).map(([shown, name]) => [shown, mapValue(value[name], below(at, name), map)]),
  );
}
