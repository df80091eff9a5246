import { isId, isRecord, SocialError } from '@gantry/wire';
import type { Pair } from '../store/remove-member.ts';
import { checkRecord, checkRemoval, checkSite, isRemoval, type Problem } from './check-record.ts';
import type { RecordKind, Site, World, WorldRecord } from './schema.ts';

/** Kinds of JSON Lines records, and their lists in a world file. */
export const lists = {
  member: 'members',
  friendship: 'friendships',
  block: 'blocks',
  app: 'apps',
  install: 'installs',
  consumer: 'consumers',
  activity: 'activities',
  appData: 'appData',
  album: 'albums',
  mediaItem: 'mediaItems',
} as const satisfies Record<string, RecordKind>;

export type LineRecord =
  | { readonly list: 'site'; readonly record: Site }
  | { readonly list: 'removed'; readonly record: string }
  | { readonly list: 'endedFriendships' | 'endedBlocks'; readonly record: Pair }
  | { [K in RecordKind]: { readonly list: K; readonly record: WorldRecord<K> } }[RecordKind];

/** Checks a record of a stream by itself: `{"kind":"friendship","members":["1","2"]}`. */
export function parseLineRecord(input: unknown): LineRecord | { readonly problem: Problem } {
  if (!isRecord(input)) return { problem: ['The record', 'must be an object'] };
  const { kind, members } = input;
  // Fast path: nearly all records of a large world are these.
  if (isPair(kind) && isPairOfIds(members) && Object.keys(input).length === 2)
    return { list: lists[kind], record: members };
  const { kind: _, ...rest } = input;
  if (kind === 'site') return named('site', 'site', checkSite(rest));
  if (!isLineKind(kind)) {
    return { problem: ['The kind', `of the record must be one of site, ${Object.keys(lists).join(', ')}`] };
  }
  if (kind === 'member' && isRemoval(rest)) return named(kind, 'removed', checkRemoval(rest));
  if (isPair(kind)) return pair(kind, rest);
  if (kind === 'consumer') return named(kind, 'consumers', checkRecord('consumers', consumer(rest)));
  const list = lists[kind];
  return named(kind, list, checkRecord(list, rest));
}

/** Checks the record of a line by itself. @throws SocialError BAD_REQUEST that names the line. */
export function recordOfLine(line: number, value: unknown): LineRecord {
  const record = parseLineRecord(value);
  if ('problem' in record) throw badLine(line, record.problem.join(' '));
  return record;
}

export function badLine(line: number, problem: string): SocialError {
  return new SocialError('BAD_REQUEST', `Line ${line}: ${problem}.`);
}

/** True for a record that removes something. Within a transaction these come first. */
export function isDeletion({ list }: LineRecord): boolean {
  return list === 'removed' || list === 'endedFriendships' || list === 'endedBlocks';
}

/** Returns the path of a fault in a list's record: `friendship.members[1]`. */
export function recordPath(list: LineRecord['list'], member: string): string {
  const kind = Object.entries(lists).find(([, name]) => name === list)?.[0] ?? (list === 'removed' ? 'member' : list);
  return isPair(kind) ? `${kind}.members${member}` : kind + member;
}

function isLineKind(kind: unknown): kind is keyof typeof lists {
  return typeof kind === 'string' && Object.hasOwn(lists, kind);
}

function isPair(kind: unknown): kind is 'friendship' | 'block' {
  return kind === 'friendship' || kind === 'block';
}

function named(
  kind: string,
  list: LineRecord['list'],
  { record, problem }: { readonly record?: unknown; readonly problem?: Problem | undefined },
): LineRecord | { readonly problem: Problem } {
  if (problem) return { problem: [kind + problem[0], problem[1]] };
  return { list, record } as LineRecord;
}

function pair(
  kind: 'friendship' | 'block',
  { members, deleted, ...more }: Readonly<Record<string, unknown>>,
): LineRecord | { readonly problem: Problem } {
  const [unknown] = Object.keys(more);
  if (unknown !== undefined)
    return { problem: [`${kind}.${unknown}`, 'is not known: the members are members, deleted'] };
  if (deleted !== undefined && deleted !== true) return { problem: [`${kind}.deleted`, 'must be true'] };
  const list = lists[kind];
  const ended = kind === 'friendship' ? 'endedFriendships' : 'endedBlocks';
  if (isPairOfIds(members)) return { list: deleted === true ? ended : list, record: members };
  return named(`${kind}.members`, list, checkRecord(list, members));
}

function isPairOfIds(value: unknown): value is [string, string] {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [first, second] = value;
  return typeof first === 'string' && typeof second === 'string' && first !== second && isId(first) && isId(second);
}

/** Restores a consumer's `kind`, which records spell `consumerKind`. */
function consumer({ consumerKind, ...rest }: Readonly<Record<string, unknown>>): object {
  return consumerKind === undefined ? rest : { ...rest, kind: consumerKind };
}

/** Groups records by list, as in a world file. */
export function groupRecords(records: readonly LineRecord[]): World {
  const names = [...Object.values(lists), 'removed', 'endedFriendships', 'endedBlocks'];
  const world: Record<string, LineRecord['record'][]> = Object.fromEntries(names.map((name) => [name, []]));
  let site: Site | undefined;
  for (const { list, record } of records) {
    if (list === 'site') site = record;
    else world[list]?.push(record);
  }
  return { site, ...world } as World;
}
