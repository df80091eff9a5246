import { type Database, type Every, every as repeat, sql } from '@gantry/store';
import type { Logger } from '@gantry/wire/runtime';
import { postgresNowMs } from '../data/postgres-clock.ts';

const lookEveryMs = 10 * 60_000;

/** Difference from which a warning is logged. */
const mostMs = 30_000;

/**
 * Compares the clock of this machine with that of its PostgreSQL, now and every ten minutes, and
 * warns of a difference: it refuses signed requests of the right time from 300 seconds on.
 *
 * @returns Ends it.
 */
export function watchClock(options: {
  readonly db: Database;
  readonly log: Pick<Logger, 'warn'>;
  readonly now?: () => number;
  readonly every?: Every;
}): () => void {
  const { db, log, now = Date.now, every = repeat } = options;

  async function look(): Promise<void> {
    const askedAtMs = now();
    const [row] = await db.query<{ ms: number }>(sql`select ${postgresNowMs} as ms`);
    const answeredAtMs = now();
    const ms = Number(row?.ms);
    const aheadMs = Math.max(askedAtMs - ms, 0) || Math.min(answeredAtMs - ms, 0); // the answer took some time
    if (Math.abs(aheadMs) < mostMs) return;
    const seconds = Math.round(Math.abs(aheadMs) / 1_000);
    log.warn(
      { aheadMs },
      `The clock of this machine is ${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} the database's. Signed requests are refused from 300 s on: set both by NTP.`,
    );
  }

  const lookQuietly = () => void look().catch(() => {}); // a database that does not answer is reported elsewhere
  lookQuietly();
  return every(lookQuietly, lookEveryMs);
}
