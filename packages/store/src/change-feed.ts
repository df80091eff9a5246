import { type ChangeLog, endsOf, type LoggedChange } from './change-log.ts';
import type { Database, Wakes } from './database.ts';
import { type Every, every as repeat } from './every.ts';
import { type Statement, sql } from './sql.ts';

/** Changes that were read from the log together. */
export interface ChangeBatch {
  readonly changes: readonly LoggedChange[];
  /** Pass this to `since` to resume, in any process: a change may come twice, none is missed. */
  readonly position: number;
}

/** Reads a log of changes while there are listeners, whichever process writes to it. */
export interface ChangeFeed {
  /** @returns A function that ends the listening. */
  listen(listener: (batch: ChangeBatch) => void): () => void;
  /** Reads at once, because this process has just written. */
  wake(): void;
  /** Resolves when listeners heard of all earlier writes. Rejects if the log cannot be read. */
  catchUp(): Promise<void>;
  /** Resolves with the position at which a new listener starts. */
  position(): Promise<number>;
  /**
   * Resolves with everything that was written after a position; with `undefined` if that position
   * is no longer, or not yet, in the log, or too much was written since.
   */
  since(position: number): Promise<ChangeBatch | undefined>;
}

const rowsAtOnce = 1_000;
const mostAtOnce = 2_000;

// Longer than any statement may take, and a transaction ends soon after it got its position.
const gapLifeMs = 60_000;
// Positions before the newest one that may belong to open transactions when reading begins: each
// has a connection.
const tailRows = 200;
const mostGaps = 1_000;
/** Longest delay while other processes announce their writes: an announcement may be lost. */
const netMs = 2_000;

interface ReadState {
  /** The highest position that was read. */
  high: number;
  /** Lower positions that were missing, with the time of the first look: open or failed writes. */
  readonly gaps: Map<number, number>;
}

interface ChangeRow {
  readonly position: number;
  readonly topic: string;
  readonly member_id: string;
  readonly app_id: string | null;
}

/**
 * Makes the feed of a log. It queries the database only while there are listeners.
 *
 * @param options.lookEveryMs Longest delay until a change of another process is noticed, if no
 * `wakes` announce it.
 */
export function createChangeFeed(options: {
  readonly db: Database;
  readonly log: ChangeLog;
  readonly now?: () => number;
  readonly every?: Every;
  readonly lookEveryMs?: number;
  readonly wakes?: Wakes | undefined;
}): ChangeFeed {
  const { db, log, now = Date.now, every = repeat, lookEveryMs = 250, wakes } = options;
  const listeners = new Set<(batch: ChangeBatch) => void>();
  let state: Promise<ReadState> | undefined;
  let stop: (() => void) | undefined;
  let readAtMs = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  function readRows(condition: Statement, limit: number): Promise<readonly ChangeRow[]> {
    return db.query<ChangeRow>(sql`
      select position, topic, member_id, app_id from ${log.table} where ${condition} order by position limit ${limit}`);
  }

  /** Resolves with the end of the log, and the gaps just before it. */
  async function findEnd(): Promise<ReadState> {
    const rows = await db.query<{ position: number }>(
      sql`select position from ${log.table} order by position desc limit ${tailRows}`,
    );
    const end: ReadState = { high: (rows.at(-1)?.position ?? 1) - 1, gaps: new Map() };
    advance(end, rows.map(({ position }) => position).reverse(), now());
    return end;
  }

  /** The state that all listeners share, found by the first of them. */
  function sharedState(): Promise<ReadState> {
    state ??= findEnd().catch((error: unknown) => {
      state = undefined;
      throw error;
    });
    return state;
  }

  const currentState = (): Promise<ReadState> => (listeners.size > 0 ? sharedState() : findEnd());

  async function read(): Promise<void> {
    readAtMs = now();
    const at = await sharedState();
    const [first, ...rest] = at.gaps.keys();
    const isMissing = first === undefined ? sql.empty : sql`or position in (${sql.join([first, ...rest])})`;
    for (;;) {
      const before = safePosition(at);
      const rows = await readRows(sql`position > ${at.high} ${isMissing}`, rowsAtOnce);
      advance(
        at,
        rows.map(({ position }) => position),
        now(),
      );
      const batch = { changes: rows.map(changeOf), position: safePosition(at) };
      if (rows.length > 0 || batch.position > before) for (const listener of listeners) listener(batch);
      if (rows.length < rowsAtOnce) return;
    }
  }

  /** Starts the only read at a time. After a failure the timer tries again. */
  function start(): Promise<void> {
    reading = read().finally(() => {
      reading = undefined;
    });
    return reading;
  }

  /** Reads once more after the read that runs now. Calls until then share it. */
  function readAnew(): Promise<void> {
    if (reading === undefined) return start();
    next ??= reading
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        return start();
      });
    return next;
  }

  function look(): void {
    const isRecent = Math.abs(now() - readAtMs) < netMs;
    if (reading === undefined && !(wakes?.isAlive && isRecent)) start().catch(() => undefined);
  }

  function wake(): void {
    if (listeners.size > 0) readAnew().catch(() => undefined);
  }

  /** Looks by a timer, and when another process announces a write. */
  function keepLooking(): () => void {
    const steps = [every(look, lookEveryMs), wakes?.listen(wake)];
    return () => {
      for (const step of steps) step?.();
    };
  }

  return {
    listen(listener) {
      listeners.add(listener);
      stop ??= keepLooking();
      sharedState().catch(() => undefined); // the next read tries again
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        stop?.();
        stop = undefined;
        state = undefined;
      };
    },
    wake,
    catchUp: readAnew,
    async position() {
      return safePosition(await currentState());
    },
    async since(position) {
      const at = await currentState(); // before the rows: later ones reach listeners
      const { first, last } = await endsOf(db, log);
      if (position < (first ?? 1) - 1 || position > (last ?? 0)) return undefined;
      const rows = await readRows(sql`position > ${position}`, mostAtOnce + 1);
      if (rows.length > mostAtOnce) return undefined;
      const read = Math.min(rows.at(-1)?.position ?? position, safePosition(at));
      return { changes: rows.map(changeOf), position: Math.max(position, read) };
    },
  };
}

/** Notes positions that were read, and the gaps before them. */
function advance(at: ReadState, positions: readonly number[], nowMs: number): void {
  for (const position of positions) {
    at.gaps.delete(position);
    for (let gap = Math.max(at.high + 1, position - mostGaps); gap < position; gap++) at.gaps.set(gap, nowMs);
    at.high = Math.max(at.high, position);
  }
  for (const [gap, noticedAtMs] of at.gaps) {
    if (at.gaps.size > mostGaps || nowMs - noticedAtMs > gapLifeMs) at.gaps.delete(gap);
  }
}

/** Returns the position up to which every change was read or given up. */
function safePosition({ high, gaps }: ReadState): number {
  return Math.min(high, ...[...gaps.keys()].map((gap) => gap - 1));
}

function changeOf({ topic, member_id: memberId, app_id: appId }: ChangeRow): LoggedChange {
  return { topic, memberId, appId: appId ?? undefined };
}
