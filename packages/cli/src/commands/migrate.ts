import { bringUpToDate, configuration, databaseKind, dataFlags, openOwnDatabase, UsageError } from '@gantry/server';
import { SocialError } from '@gantry/wire';
import { type Command, withFlags } from '../command.ts';

const options = {
  ...dataFlags,
  check: { type: 'boolean' },
  proxy: { type: 'boolean' },
  json: { type: 'boolean' },
} as const;

export const migrate: Command = {
  name: 'migrate',
  summary: 'Bring a database up to the schema of this release, apart from its servers',
  help: `Usage: gantry migrate [--check] [--proxy] [--json] [--data DIR] [--database WHERE]

Servers do the same when they start. Run it before, as the owner of the schema, where servers use a role that may only
read and write rows. A server with such a role refuses to start on a database that lacks a step, and names this command.

  --check           Change nothing; exit with 1 if a step is missing
  --proxy           An empty database is for gantry proxy, not for a whole site
  --json            Print the result as JSON
  --data DIR        Data folder (GANTRY_DATA, default .gantry)
  --database WHERE  SQLite file or postgres:// address (GANTRY_DATABASE)

Examples:
  gantry migrate --check
  GANTRY_DATABASE=postgres://owner@db.example/gantry gantry migrate`,
  run: withFlags({ options, allowPositionals: false }, async ({ values, env, print }) => {
    const place = configuration(values, env);
    const { check: isCheck = false } = values;
    const db = await openOwnDatabase(place);
    try {
      const found = await databaseKind(db);
      if (found === 'site' && values.proxy) throw new UsageError('This database is that of gantry serve.');
      const kind = found === 'new' ? (values.proxy ? 'proxy' : 'site') : found;
      const steps = await bringUpToDate(db, { kind, database: place.database, isCheck });
      const lines = steps.map(({ set, number, name }) => `${isCheck ? 'missing' : 'done'}  ${set} ${number}: ${name}`);
      print({ steps, isCheck }, lines.join('\n') || 'The schema is that of this release.');
      if (isCheck && steps.length > 0) throw new SocialError('CONFLICT', 'The schema is older: run gantry migrate.');
    } finally {
      await db.close();
    }
  }),
};
