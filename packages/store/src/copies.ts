import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from './database.ts';
import { type Statement, sql } from './sql.ts';

export interface CopiesOptions {
  readonly now?: () => number;
  /** Longest wait for the answer whether a copy is current. Default 250 ms. */
  readonly patienceMs?: number;
  /** Longest wait for a read of a copy. Default 2,000 ms. */
  readonly answerMs?: number;
}

/** Time for which a copy that failed is left alone. */
const restMs = 2_000;

/**
 * Adds copies to a database, which closes them, too. A copy that fails or is silent costs one
 * request its patience, and others nothing until it has rested.
 */
export function withCopies(db: Database, copies: readonly Database[], options: CopiesOptions = {}): Database {
  const { now = Date.now, patienceMs = 250, answerMs = 2_000 } = options;
  const restingUntilMs = new Map<Database, number>();
  let turn = 0;

  /** Resolves with `undefined`, and lets the copy rest, if the work fails or takes too long. */
  async function attempt<T>(copy: Database, work: Promise<T>, ms: number): Promise<T | undefined> {
    const isOver = new AbortController();
    const late = pause(ms, undefined, { ref: false, signal: isOver.signal }).catch(() => undefined);
    const result = await Promise.race([work.catch(() => undefined), late]);
    isOver.abort();
    if (result === undefined) restingUntilMs.set(copy, now() + restMs);
    return result;
  }

  function next(): Database | undefined {
    const awake = copies.filter((copy) => (restingUntilMs.get(copy) ?? 0) <= now());
    turn = (turn + 1) % Math.max(1, awake.length);
    return awake[turn];
  }

  return {
    ...db,
    copies: {
      async find(isCurrent) {
        const copy = next();
        if (copy === undefined || !(await attempt(copy, isCurrent(copy), patienceMs))) return undefined;
        return {
          ...db, // batches are writes
          query: async <R>(statement: Statement) =>
            (await attempt(copy, copy.query<R>(statement), answerMs)) ?? db.query<R>(statement),
        };
      },
    },
    async close() {
      await Promise.all([db, ...copies].map((each) => each.close()));
    },
  };
}

/** Resolves with the position of PostgreSQL's log up to which everything is on the disk. */
export async function flushedPosition(db: Database): Promise<string> {
  const [row] = await db.query<{ position: string }>(sql`select cast(pg_current_wal_flush_lsn() as text) as position`);
  return row?.position ?? '0/0';
}

const looks = 4;
const lookEveryMs = 5;

/** Resolves with whether a standby has everything up to a position now, or 15 ms later. */
export async function hasReplayed(copy: Database, position: string): Promise<boolean> {
  for (let look = 1; ; look++) {
    const [row] = await copy.query<{ done: number | null }>(
      sql`select pg_last_wal_replay_lsn() >= cast(${position} as pg_lsn) as done`,
    );
    if (row?.done === 1 || look === looks) return row?.done === 1;
    await pause(lookEveryMs);
  }
}
