import { type Database, openPostgres, sql, withCopies } from '@gantry/store';
import type { Logger } from '@gantry/wire/runtime';
import { printableDatabase } from '../setup/database-address.ts';

/**
 * Adds standbys to a site's database, whose reads they may answer. One that cannot be used is
 * reported, and tried again by later reads.
 */
export function openReplicas(db: Database, addresses: readonly string[], log: Logger): Database {
  const replicas = addresses.map((url) => ({ url, copy: openPostgres({ url }) }));
  for (const { url, copy } of replicas) {
    copy.query(sql`select epoch from site_version`).catch((err: unknown) => {
      log.warn({ err }, `The replica ${printableDatabase(url)} cannot be used: reads go to the database itself`);
    });
  }
  return withCopies(
    db,
    replicas.map(({ copy }) => copy),
  );
}
