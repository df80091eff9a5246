import { createSharedRates, type Database } from '@gantry/store';
import { createRateLimit, type TakeRate } from '@gantry/wire/runtime';
import { isPostgres } from '../setup/database-address.ts';
import { postgresNowMs } from './postgres-clock.ts';

/**
 * Makes the rates of a site: shared by the processes of a PostgreSQL, and by those that say that
 * they share a file of SQLite. `undefined` for a process that is alone and counts for itself.
 */
export function siteRates(
  db: Database,
  {
    database,
    sharesDatabase = false,
    now,
  }: {
    readonly database: string;
    readonly sharesDatabase?: boolean | undefined;
    readonly now?: (() => number) | undefined;
  },
): TakeRate | undefined {
  const isServer = isPostgres(database);
  if (!isServer && !sharesDatabase) return undefined;
  const time = now ?? Date.now;
  const clock = isServer && now === undefined ? postgresNowMs : undefined;
  return createSharedRates({ db, now: time, clock, own: createRateLimit(time).take });
}
