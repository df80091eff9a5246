import {
  type Activity,
  type Collection,
  isRecord,
  operation,
  type Reply,
  type ResolvedRequest,
  type Topic,
  type WrittenTopic,
} from '@gantry/wire';
import type { Asked, Scope } from '../calls/scope.ts';

/** A write that the site has not confirmed. Plain data, which outlives the page. */
export interface PendingWrite extends Asked {
  /** Unique among the pending writes of this browser. */
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly atMs: number;
}

/**
 * Shows a write at once, until the returned function gets its reply. That resolves when no page of
 * this browser takes for fresh what the write made stale.
 */
export type Pend = (write: PendingWrite) => (reply: Reply) => Promise<void>;

/** A write, with the site's reply once there is one. */
export interface Written {
  readonly write: PendingWrite;
  readonly done?: unknown;
}

export type Overlay = (read: Asked, value: unknown) => unknown;

const clockSkewMs = 5 * 60_000; // between site and browser

/**
 * Lays writes over results. Only results of the same app and viewer are touched.
 *
 * @param written In the order of writing, all of one member through one app.
 */
export function overlayOf(written: readonly Written[]): Overlay {
  const mine = written.filter(({ write }) => write.request.segments[1] === write.scope.viewer); // others will be refused
  const [first] = mine;
  const layers: Partial<Record<Topic, Overlay>> = {};

  return (read, value) => {
    if (first === undefined || !isSameMember(first.write.scope, read.scope)) return value;
    const { topic } = operation(read.request.operation);
    const [, , , app = '@app'] = read.request.segments;
    if (!Object.hasOwn(layersOf, topic) || (app !== '@app' && app !== first.write.scope.app)) return value;
    layers[topic] ??= layersOf[topic as WrittenTopic](
      mine.filter(({ write }) => operation(write.request.operation).topic === topic),
    );
    return layers[topic](read, value);
  };
}

/** Overlays by the topic of the writes. One that is missing does not compile. */
const layersOf: Readonly<Record<WrittenTopic, (written: readonly Written[]) => Overlay>> = {
  activities: (written) => (read, value) =>
    written.reduce((result: unknown, { write, done }) => withActivity(write, read.request, result, done), value),
  appData(written) {
    const [first] = written;
    const fold = foldOf(written);
    return (read, value) =>
      first === undefined || !isRecord(value)
        ? value
        : withValues(first.write.scope.viewer as string, fold, read.request, value);
  },
};

function isSameMember(a: Scope, b: Scope): boolean {
  return a.upstream === b.upstream && a.app === b.app && a.viewer === b.viewer;
}

/** Sum of several writes of AppData. */
interface Fold {
  /** Everything before is deleted. */
  isCleared: boolean;
  /** By key, without prototype; undefined is deleted. */
  values: Record<string, string | undefined>;
}

// Once for all results: laid over each of them one by one, every write would copy it.
function foldOf(written: readonly Written[]): Fold {
  const fold: Fold = { isCleared: false, values: Object.create(null) };
  for (const { write } of written) {
    const { body, query } = write.request;
    const keys = fieldsOf(query);
    if (body !== undefined) for (const [key, value] of Object.entries(body)) fold.values[key] = value;
    else if (keys !== undefined) for (const key of keys) fold.values[key] = undefined;
    else Object.assign(fold, { isCleared: true, values: Object.create(null) });
  }
  return fold;
}

function withValues(member: string, fold: Fold, read: ResolvedRequest, value: Values): Values {
  // Friendships are unknown here: among friends only members that are shown are changed.
  if (!isOf(member, read) && !Object.hasOwn(value, member)) return value;
  const values = value[member];
  const before = Object.hasOwn(value, member) && isRecord(values) && !fold.isCleared ? values : {};
  return { ...value, [member]: folded(before, fold, fieldsOf(read.query)) };
}

/** @param keys Keys that are read; all without. */
function folded(before: Values, { values }: Fold, keys: readonly string[] | undefined): Values {
  const entries = Object.entries(before).map(([key, value]) => [key, Object.hasOwn(values, key) ? values[key] : value]);
  const added = (keys ?? Object.keys(values)).filter(
    (key) => Object.hasOwn(values, key) && !Object.hasOwn(before, key),
  );
  const all = [...entries, ...added.map((key) => [key, values[key]])];
  return Object.fromEntries(all.filter(([, value]) => value !== undefined));
}

function fieldsOf(query: ResolvedRequest['query']): readonly string[] | undefined {
  return query.find(([name]) => name === 'fields')?.[1].split(',');
}

function withActivity(write: PendingWrite, read: ResolvedRequest, value: unknown, done: unknown): unknown {
  if (!isRecord(value)) return value;
  const { list, itemsPerPage, totalResults } = value as Partial<Collection<Activity>>;
  const member = write.request.segments[1] as string;
  const isFirstPage = read.query.every(([name]) => name !== 'startIndex');
  if (!Array.isArray(list) || !isFirstPage) return value;
  const shows = (name: 'id' | 'userId', text: unknown) => list.some((item) => isRecord(item) && item[name] === text);
  if (!isOf(member, read) && !shows('userId', member)) return value;
  const activity = done === undefined ? pendingActivity(write, member) : done;
  if (!isRecord(activity) || typeof activity.id !== 'string' || shows('id', activity.id)) return value;
  if (done === undefined && list.some((item) => isStored(write, member, item))) return value;
  return {
    ...value,
    list: [activity, ...list].slice(0, itemsPerPage || 1),
    totalResults: (totalResults ?? 0) + 1,
  };
}

/**
 * True for an activity that is probably the one of a write: a result can overtake the reply of the
 * write that it shows.
 */
function isStored({ atMs, request: { body } }: PendingWrite, userId: string, item: unknown): boolean {
  if (!isRecord(item) || item.pending === true || item.userId !== userId) return false;
  if (item.title !== body?.title || item.url !== body?.url) return false;
  return Date.parse(String(item.postedTime)) >= atMs - clockSkewMs;
}

/** An activity that the site has not confirmed; it has no id of the site yet. */
function pendingActivity({ id, atMs, request }: PendingWrite, userId: string): Activity & { readonly pending: true } {
  const { title = '', url } = request.body ?? {};
  const postedTime = new Date(atMs).toISOString().replace(/\..*/, '+00:00');
  return { id: `pending:${id}`, userId, title, postedTime, ...(url !== undefined && { url }), pending: true };
}

function isOf(member: string, { segments: [, members = '', selector] }: ResolvedRequest): boolean {
  return selector === '@self' && members.split(',').includes(member);
}

type Values = Readonly<Record<string, unknown>>;
