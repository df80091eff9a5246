import { allGrants, type Installs, isRegistered } from '@gantry/proxy';
import { adoptEarlierGrants, decideMemberApp, installOnFirstUse } from '@gantry/service';
import type { Database, MigrationSet } from '@gantry/store';
import { release } from '@gantry/wire';

/**
 * Records which members have which app, in the database and the transactions of service and proxy.
 *
 * @example
 * import { openSqlite } from '@gantry/store';
 * const db = openSqlite({ file: ':memory:' });
 * Object.keys(siteHaving(db)); // ['withDecision', 'recordUse']
 * await db.close();
 */
export function siteHaving(db: Database): Installs {
  return {
    withDecision: ({ viewer, app, ...decided }, decision) =>
      decideMemberApp({ memberId: viewer, appId: app }, { ...decided, decision }),
    recordUse: ({ viewer, app, registration, ...use }) =>
      installOnFirstUse(db, { memberId: viewer, appId: app }, { ...use, when: isRegistered(app, registration) }),
  };
}

/**
 * Returns the migrations that need the tables of both service and proxy, to be run after theirs.
 *
 * @example
 * siteMigrations().name; // 'site'
 */
export function siteMigrations(): MigrationSet {
  const statements = adoptEarlierGrants(allGrants);
  return { name: 'site', release, migrations: [{ number: 1, name: 'members have what they allowed', statements }] };
}
