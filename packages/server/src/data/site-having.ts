import { allGrants, forgetMembers, type Installs, isRegistered } from '@gantry/proxy';
import { adoptEarlierGrants, decideMemberApp, idsWithoutMember, installOnFirstUse } from '@gantry/service';
import { type Database, type Migration, type MigrationSet, sql } from '@gantry/store';
import { release } from '@gantry/wire';

/** Records which members have which app, in the transactions of service and proxy. */
export function siteHaving(db: Database): Installs {
  return {
    withDecision: ({ viewer, app, ...decided }, decision) => [
      ...decideMemberApp({ memberId: viewer, appId: app }, { ...decided, decision }),
      ...forgetMembers(idsWithoutMember([viewer])), // removed since the request came
    ],
    recordUse: ({ viewer, app, registration, ...use }) =>
      installOnFirstUse(db, { memberId: viewer, appId: app }, { ...use, when: isRegistered(app, registration) }),
  };
}

/** Returns the migrations that need the tables of both service and proxy and run after them. */
export function siteMigrations(): MigrationSet {
  const strangers = ['app_grants', 'write_log', 'having_report'].map((name) => {
    const table = sql.names([name]);
    return sql`delete from ${table} where not exists (select 1 from member where member.id = ${table}.viewer)`;
  });
  const migrations: readonly Migration[] = [
    { number: 1, name: 'members have what they allowed', statements: adoptEarlierGrants(allGrants) },
    // Ids without a member could decide and write (decision 76).
    { number: 2, name: 'nothing of who is no member', statements: strangers },
  ];
  return { name: 'site', release, migrations };
}
