import { allAllowed, type Having, isRegistered } from '@gantry/proxy';
import { allowedBefore, decidedHaving, useApp } from '@gantry/service';
import type { Database, MigrationSet } from '@gantry/store';
import { release } from '@gantry/wire';

/** Keeps who has which app in the database that service and proxy share, in the transactions of what decides it. */
export function siteHaving(db: Database): Having {
  return {
    decided: ({ viewer, app, ...decided }, decision) =>
      decidedHaving({ memberId: viewer, appId: app }, { ...decided, decision }),
    used: ({ viewer, app, registration, ...use }) =>
      useApp(db, { memberId: viewer, appId: app }, { ...use, when: isRegistered(app, registration) }),
  };
}

/** Changes that need the tables of both, after their own migrations. */
export function siteMigrations(): MigrationSet {
  const statements = allowedBefore(allAllowed);
  return { name: 'site', release, migrations: [{ number: 1, name: 'members have what they allowed', statements }] };
}
