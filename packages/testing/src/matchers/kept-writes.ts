import type { Entry, StoredActivity } from '@gantry/lab';
import {
  type AppData,
  isRecord,
  type OperationId,
  operation,
  resolveRequest,
  type Topic,
  type WireError,
} from '@gantry/wire';
import { brief } from './brief.ts';

/** A write of an app and its known outcome. */
export interface Write {
  readonly number: number;
  readonly operation: OperationId;
  /** Values of AppData, or title and address of a post. */
  readonly body: Readonly<Record<string, string>>;
  /** Keys that a delete names; absent for all. */
  readonly keys?: readonly string[] | undefined;
  /** `unknown`: it failed, but the site may have stored it. */
  readonly outcome: 'done' | 'unknown' | 'refused' | 'open';
  /** Id of the post, where it is done. */
  readonly id?: string | undefined;
  readonly sentAtMs: number;
  /** Positions in the record. */
  readonly sent: number;
  readonly ended: number;
}

/** Finds the writes of one member through one app, on every page, in the order sent. */
export function writesOf(
  entries: readonly Entry[],
  { app, viewer }: { readonly app: string; readonly viewer: string },
): readonly Write[] {
  const writes = new Map<string, Write>();
  for (const entry of entries) {
    if ((entry.kind !== 'call' && entry.kind !== 'reply') || entry.app !== app) continue;
    if (!entry.place?.startsWith(`${viewer}/`)) continue;
    const key = JSON.stringify([entry.place, entry.call]);
    if (entry.kind === 'call') {
      const write = readWrite(entry, { app, viewer });
      if (write) writes.set(key, write);
      continue;
    }
    const write = writes.get(key);
    if (!write) continue;
    const { error, ok } = entry;
    const id = isRecord(ok) && typeof ok.id === 'string' ? ok.id : undefined;
    writes.set(key, {
      ...write,
      ended: entry.number,
      outcome: error ? outcomeOf(error) : 'done',
      ...(!error && { id }),
    });
  }
  return [...writes.values()];
}

function readWrite(
  { call, operation, params, number, atMs }: Extract<Entry, { kind: 'call' }>,
  { app, viewer }: { readonly app: string; readonly viewer: string },
): Write | undefined {
  try {
    const request = { operation, params: isRecord(params) ? params : {} };
    const { operation: row, method, body = {}, query } = resolveRequest(request, { app, viewer, owner: viewer });
    if (method === 'GET') return undefined;
    const keys = query.find(([name]) => name === 'fields')?.[1].split(',');
    return { number: call, operation: row, body, keys, outcome: 'open', sentAtMs: atMs, sent: number, ended: Infinity };
  } catch {
    return undefined; // the page refused it
  }
}

/** Returns `refused` for an error that proves that nothing was stored. */
function outcomeOf({ code, data }: WireError): 'refused' | 'unknown' {
  const isRefusal = code < 500 || code === 501 || code === 507 || data?.reason === 'RATE_LIMITED';
  return isRefusal && data?.reason !== 'OUTCOME_UNKNOWN' ? 'refused' : 'unknown';
}

/** Compares writes of AppData with the site's. @returns A line for each key that differs. */
export function appDataProblems(writes: readonly Write[], held: AppData): readonly string[] {
  const ofData = writes.filter(writesTo('appData'));
  const stored = new Map(Object.entries(held)); // a key may be `__proto__`
  const keys = new Set(ofData.flatMap(({ body, keys: deleted = [] }) => [...Object.keys(body), ...deleted]));
  const deletesAll = ofData.some((write) => deletes(write) && write.keys === undefined);
  if (deletesAll) for (const key of stored.keys()) keys.add(key);
  return [...keys].flatMap((key) => {
    const touching = ofData.filter((write) => valueAfter(write, key) !== undefined && write.outcome !== 'refused');
    const last = touching.filter((write) => !touching.some((other) => isAfter(other, write)));
    const [write] = last.filter(({ outcome }) => outcome === 'done').slice(-1);
    if (write === undefined) return [];
    const has = stored.get(key);
    if (last.some((one) => valueAfter(one, key)?.value === has)) return [];
    const name = `#${write.number} ${nameOf(write)} ${brief(key, 80)}`;
    const value = valueAfter(write, key)?.value;
    const now = has === undefined ? 'has no such key' : `holds ${brief(has, 120)}`;
    const was = value === undefined ? 'deleted it' : `saved ${brief(value, 120)}`;
    return [`lost: ${name}: the app was told that it ${was}, and the site ${now}.`];
  });
}

/** Returns whether `other` succeeded and was sent after `write` ended. */
function isAfter(other: Write, write: Write): boolean {
  return other.outcome === 'done' && other.sent > write.ended;
}

/** The value of a key after a write; nothing for a write that leaves the key as it is. */
function valueAfter(write: Write, key: string): { readonly value: string | undefined } | undefined {
  const { body, keys } = write;
  if (deletes(write)) return keys === undefined || keys.includes(key) ? { value: undefined } : undefined;
  return Object.hasOwn(body, key) ? { value: body[key] } : undefined;
}

/** Compares posts with the site's. @returns A line for each that is missing or repeated. */
export function postProblems(writes: readonly Write[], held: readonly StoredActivity[]): readonly string[] {
  const posts = writes.filter(writesTo('activities'));
  const ids = new Set(held.map(({ id }) => id));
  const lost = posts.filter(({ outcome, id }) => outcome === 'done' && id !== undefined && !ids.has(id));
  const problems = lost.map(
    (post) => `lost: #${post.number} ${nameOf(post)} ${title(post)}: the site does not hold it.`,
  );
  const byTitle = Map.groupBy(
    posts.filter(({ outcome }) => outcome !== 'refused'),
    ({ body }) => body.title ?? '',
  );
  for (const [sentTitle, alike] of byTitle) {
    const [first] = alike as [Write];
    const text = held.find(({ id }) => alike.some((post) => post.id === id))?.title ?? sentTitle;
    const since = Math.floor(first.sentAtMs / 1000) - 1;
    const there = held.filter((one) => one.title === text && one.postedAtS >= since).length;
    const numbers = alike.map(({ number }) => `#${number}`).join(', ');
    const promised = alike.filter(({ outcome }) => outcome === 'done').length;
    if (there > alike.length) {
      problems.push(
        `doubled: ${numbers} ${nameOf(first)} ${title(first)}: posted ${alike.length} times, and the site holds ${there}.`,
      );
    }
    if (there < promised && !lost.some((post) => alike.includes(post))) {
      problems.push(
        `lost: ${numbers} ${nameOf(first)} ${title(first)}: posted ${promised} times, and the site holds ${there}.`,
      );
    }
  }
  return problems;
}

function title({ body }: Write): string {
  return brief(body.title ?? '', 120);
}

function nameOf(write: Write): string {
  return operation(write.operation).osapi;
}

function writesTo(topic: Topic): (write: Write) => boolean {
  return (write) => operation(write.operation).topic === topic;
}

function deletes(write: Write): boolean {
  return operation(write.operation).method === 'DELETE';
}
