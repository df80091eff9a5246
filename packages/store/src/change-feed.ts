import type { ChangeLog, LoggedChange } from './change-log.ts';
import type { Database } from './database.ts';
import { type Every, every as repeat } from './every.ts';
import { type Statement, sql } from './sql.ts';

/** What became known at one look at the log. */
export interface News {
  readonly changes: readonly LoggedChange[];
  /** Who has heard all up to here goes on with `since` from here, in any process: some may be told twice, none is missed. */
  readonly position: number;
}

/** Reads a log of changes while somebody listens, whoever writes it: this process or another. */
export interface ChangeFeed {
  /** @returns What ends the listening. */
  listen(hear: (news: News) => void): () => void;
  /** Looks at once, because this process has just written. */
  wake(): void;
  /** Resolves when those who listen have heard of all that was written before the call. Rejects where the log cannot be read. */
  catchUp(): Promise<void>;
  /** Where who begins now begins. */
  position(): Promise<number>;
  /** What was written after a position; `undefined` where that is no longer, or not yet, in the log, or too much. */
  since(position: number): Promise<News | undefined>;
}

const rowsAtOnce = 1_000;
const mostAtOnce = 2_000;

// A transaction that has its position writes a few rows more and ends. Longer than this no statement of ours may take.
const gapLifeMs = 60_000;
// Positions before the newest in which a transaction may still be under way when reading begins: each has a connection.
const tail = 200;
const mostGaps = 1_000;

interface Place {
  /** The highest position that was read. */
  high: number;
  /** Positions below it that were not there: of transactions that have not ended, or never will. By when they were noticed. */
  readonly gaps: Map<number, number>;
}

interface ChangeRow {
  readonly position: number;
  readonly topic: string;
  readonly member_id: string;
  readonly app_id: string | null;
}

export function createChangeFeed(options: {
  readonly db: Database;
  readonly log: ChangeLog;
  readonly now?: () => number;
  readonly every?: Every;
  /** How late a change of another process is noticed at most. */
  readonly lookEveryMs?: number;
}): ChangeFeed {
  const { db, log, now = Date.now, every = repeat, lookEveryMs = 250 } = options;
  const listeners = new Set<(news: News) => void>();
  let place: Promise<Place> | undefined;
  let stop: (() => void) | undefined;
  let looking: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  function readRows(condition: Statement, limit: number): Promise<readonly ChangeRow[]> {
    return db.query<ChangeRow>(sql`
      select position, topic, member_id, app_id from ${log.table} where ${condition} order by position limit ${limit}`);
  }

  /** The end of the log, with what is missing just before it. */
  async function findPlace(): Promise<Place> {
    const rows = await db.query<{ position: number }>(
      sql`select position from ${log.table} order by position desc limit ${tail}`,
    );
    const found: Place = { high: (rows.at(-1)?.position ?? 1) - 1, gaps: new Map() };
    advance(found, rows.map(({ position }) => position).reverse());
    return found;
  }

  /** Where reading is; found anew by the first who listens. */
  function placed(): Promise<Place> {
    place ??= findPlace().catch((error: unknown) => {
      place = undefined;
      throw error;
    });
    return place;
  }

  const here = (): Promise<Place> => (listeners.size > 0 ? placed() : findPlace());

  function advance(at: Place, positions: readonly number[]): void {
    for (const position of positions) {
      at.gaps.delete(position);
      for (let gap = Math.max(at.high + 1, position - mostGaps); gap < position; gap++) at.gaps.set(gap, now());
      at.high = Math.max(at.high, position);
    }
    for (const [gap, noticedAtMs] of at.gaps) {
      if (at.gaps.size > mostGaps || now() - noticedAtMs > gapLifeMs) at.gaps.delete(gap);
    }
  }

  async function look(): Promise<void> {
    const at = await placed();
    const [first, ...rest] = at.gaps.keys();
    const isMissing = first === undefined ? sql.empty : sql`or position in (${sql.join([first, ...rest])})`;
    for (;;) {
      const before = safe(at);
      const rows = await readRows(sql`position > ${at.high} ${isMissing}`, rowsAtOnce);
      advance(
        at,
        rows.map(({ position }) => position),
      );
      const news = { changes: rows.map(changeOf), position: safe(at) };
      if (rows.length > 0 || news.position > before) for (const hear of listeners) hear(news);
      if (rows.length < rowsAtOnce) return;
    }
  }

  /** One look at a time. A database that is away is asked again when the time for the next look has come. */
  function start(): Promise<void> {
    looking = look().finally(() => {
      looking = undefined;
    });
    return looking;
  }

  /** A look that begins after the call, and is shared with all who call before it begins. */
  function lookAnew(): Promise<void> {
    if (looking === undefined) return start();
    next ??= looking
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        return start();
      });
    return next;
  }

  function lookSoon(): void {
    if (looking === undefined) start().catch(() => undefined);
  }

  return {
    listen(hear) {
      listeners.add(hear);
      stop ??= every(lookSoon, lookEveryMs);
      placed().catch(() => undefined); // asked again at the next look
      return () => {
        listeners.delete(hear);
        if (listeners.size > 0) return;
        stop?.();
        stop = undefined;
        place = undefined;
      };
    },
    wake() {
      if (listeners.size > 0) lookAnew().catch(() => undefined);
    },
    catchUp: lookAnew,
    async position() {
      return safe(await here());
    },
    async since(position) {
      const at = await here(); // before the rows: who listens hears what comes later
      const [ends] = await db.query<{ first: number | null; last: number | null }>(
        sql`select min(position) as first, max(position) as last from ${log.table}`,
      );
      const { first, last } = { first: ends?.first ?? 1, last: ends?.last ?? 0 };
      if (position < first - 1 || position > last) return undefined;
      const rows = await readRows(sql`position > ${position}`, mostAtOnce + 1);
      if (rows.length > mostAtOnce) return undefined;
      const read = Math.min(rows.at(-1)?.position ?? position, safe(at));
      return { changes: rows.map(changeOf), position: Math.max(position, read) };
    },
  };
}

/** All up to here has been read, or was given up. */
function safe({ high, gaps }: Place): number {
  return Math.min(high, ...[...gaps.keys()].map((gap) => gap - 1));
}

function changeOf({ topic, member_id: memberId, app_id: appId }: ChangeRow): LoggedChange {
  return { topic, memberId, appId: appId ?? undefined };
}
