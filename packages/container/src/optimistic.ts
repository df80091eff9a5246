import { type Activity, type Collection, isRecord, type ResolvedRequest } from '@gantry/wire';
import type { Asked } from './scope.ts';

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

/**
 * What a read shows after a write, as far as a page can tell; `value` itself where the write does not touch it. Only results of
 * the same app and viewer are touched.
 *
 * @param done What the site answered; absent while it has not.
 */
export function withWrite(write: PendingWrite, read: Asked, value: unknown, done?: unknown): unknown {
  const { upstream, app, viewer } = write.scope;
  const [, member] = write.request.segments;
  if (read.scope.upstream !== upstream || read.scope.app !== app || read.scope.viewer !== viewer) return value;
  if (member !== viewer || !isRecord(value)) return value; // a write for anyone else will be refused
  const [service, , , readApp = '@app'] = read.request.segments;
  if (service !== write.request.segments[0] || (readApp !== '@app' && readApp !== app)) return value;
  return service === 'appData'
    ? withValues(write, read.request, value)
    : withActivity(write, read.request, value, done);
}

function withValues({ request: write }: PendingWrite, read: ResolvedRequest, value: Values): Values {
  const member = write.segments[1] as string;
  const shown = value[member];
  // Whose friend somebody is, is not known here: among friends only those are changed who are shown.
  if (isOf(member, read) || Object.hasOwn(value, member)) {
    const before = Object.hasOwn(value, member) && isRecord(shown) ? shown : {};
    return {
      ...value,
      [member]: write.body === undefined ? without(before, write) : { ...before, ...asked(read, write.body) },
    };
  }
  return value;
}

function without(before: Values, { query }: ResolvedRequest): Values {
  const keys = fieldsOf(query);
  return Object.fromEntries(Object.entries(before).filter(([key]) => keys !== undefined && !keys.includes(key)));
}

function asked({ query }: ResolvedRequest, body: Values): Values {
  const keys = fieldsOf(query);
  return keys === undefined ? body : Object.fromEntries(Object.entries(body).filter(([key]) => keys.includes(key)));
}

function fieldsOf(query: ResolvedRequest['query']): readonly string[] | undefined {
  return query.find(([name]) => name === 'fields')?.[1].split(',');
}

function withActivity(write: PendingWrite, read: ResolvedRequest, value: Values, done: unknown): unknown {
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
