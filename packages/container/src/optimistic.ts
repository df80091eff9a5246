import { type Activity, type Collection, isRecord, type ResolvedRequest } from '@gantry/wire';
import type { Asked, Scope } from './scope.ts';

/** A write that the site has not confirmed. Plain data, so that it can outlive the page. */
export interface PendingWrite extends Asked {
  /** Tells it from every other pending write of this browser. */
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly atMs: number;
}

/** An activity that the site has not confirmed; it has no id of the site yet. */
export interface PendingActivity extends Activity {
  readonly pending: true;
}

/** A write, and what the site answered; `done` is absent while it has not. */
export interface Written {
  readonly write: PendingWrite;
  readonly done?: unknown;
}

/** Shows a result after writes, as far as a page can tell; `value` itself where none of them touches it. */
export type Overlay = (read: Asked, value: unknown) => unknown;

/**
 * Lays writes over results. Only results of the same app and viewer are touched.
 *
 * @param written In the order of writing, all of one member through one app.
 */
export function overlayOf(written: readonly Written[]): Overlay {
  const mine = written.filter(({ write }) => write.request.segments[1] === write.scope.viewer); // others will be refused
  const of = (service: string) => mine.filter(({ write }) => write.request.segments[0] === service);
  const [appData, activities] = [of('appData'), of('activities')];
  const [first] = mine;
  let fold: Fold | undefined;

  return (read, value) => {
    if (first === undefined || !isSameMember(first.write.scope, read.scope) || !isRecord(value)) return value;
    const { app, viewer } = first.write.scope;
    const [service, , , readApp = '@app'] = read.request.segments;
    if (readApp !== '@app' && readApp !== app) return value;
    if (service === 'activities') {
      return activities.reduce(
        (shown: unknown, { write, done }) => withActivity(write, read.request, shown, done),
        value,
      );
    }
    if (service !== 'appData' || appData.length === 0) return value;
    fold ??= foldOf(appData);
    return withValues(viewer as string, fold, read.request, value);
  };
}

function isSameMember(a: Scope, b: Scope): boolean {
  return a.upstream === b.upstream && a.app === b.app && a.viewer === b.viewer;
}

/** What several writes of AppData make of it. */
interface Fold {
  /** All that was there before is deleted. */
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
  // Whose friend somebody is, is not known here: among friends only those are changed who are shown.
  if (!isOf(member, read) && !Object.hasOwn(value, member)) return value;
  const shown = value[member];
  const before = Object.hasOwn(value, member) && isRecord(shown) && !fold.isCleared ? shown : {};
  return { ...value, [member]: folded(before, fold, fieldsOf(read.query)) };
}

/** @param wanted Keys that are read; all without. */
function folded(before: Values, { values }: Fold, wanted: readonly string[] | undefined): Values {
  const kept = Object.entries(before).map(([key, value]) => [key, Object.hasOwn(values, key) ? values[key] : value]);
  const added = (wanted ?? Object.keys(values)).filter(
    (key) => Object.hasOwn(values, key) && !Object.hasOwn(before, key),
  );
  const all = [...kept, ...added.map((key) => [key, values[key]])];
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
  return {
    ...value,
    list: [activity, ...list].slice(0, itemsPerPage || 1),
    totalResults: (totalResults ?? 0) + 1,
  };
}

function pendingActivity({ id, atMs, request }: PendingWrite, userId: string): PendingActivity {
  const { title = '', url } = request.body ?? {};
  const postedTime = new Date(atMs).toISOString().replace(/\..*/, '+00:00');
  return { id: `pending:${id}`, userId, title, postedTime, ...(url !== undefined && { url }), pending: true };
}

function isOf(member: string, { segments: [, members = '', selector] }: ResolvedRequest): boolean {
  return selector === '@self' && members.split(',').includes(member);
}

type Values = Readonly<Record<string, unknown>>;
