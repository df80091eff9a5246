import { createSharedRates, type Database } from '@gantry/store';
import { createRateLimit, type TakeRate } from '@gantry/wire/runtime';
import { isPostgres } from '../setup/database-address.ts';
import { postgresNowMs } from './postgres-clock.ts';

/**
 * Makes the rates of a site: shared by the processes of a PostgreSQL, and by workers over one file
 * of SQLite. `undefined` for a process that is alone and counts for itself.
 */
export function siteRates(
  db: Database,
  {
    database,
    hashPermit,
    now,
  }: { readonly database: string; readonly hashPermit?: unknown; readonly now?: (() => number) | undefined },
): TakeRate | undefined {
  const isShared = isPostgres(database);
  if (!isShared && hashPermit === undefined) return undefined; // only workers have a permit
  const time = now ?? Date.now;
  const clock = isShared && now === undefined ? postgresNowMs : undefined;
  return createSharedRates({ db, now: time, clock, own: createRateLimit(time).take });
}
