import { existsSync, realpathSync } from 'node:fs';
import {
  configuration,
  databaseKind,
  dataFlags,
  forgetNonces,
  isPostgres,
  printableDatabase,
  UsageError,
} from '@gantry/server';
import { isImporting } from '@gantry/service';
import { countText } from '@gantry/wire/runtime';
import { type Command, withFlags } from '../command.ts';
import { moveDatabase } from '../move/move-database.ts';
import { openAlone } from '../open-alone.ts';
import { createProgress } from '../terminal/progress.ts';

const options = { ...dataFlags, to: { type: 'string' }, json: { type: 'boolean' } } as const;

export const move: Command = {
  name: 'move',
  summary: 'Copy a site into another database: from SQLite to PostgreSQL, or back',
  help: `Usage: gantry move --to DATABASE [--json]

Copies everything that members and administrators decided from the site's database into an empty one, then compares both
row by row: profiles, friends, activities, AppData, albums, apps with their keys, consents, sessions and tokens. Keys and
photos stay in the data folder or the bucket. Stop the site first: a database that is in use is refused. If it was interrupted, the same
command goes on. Requests that were signed before the move are refused, as after a restart. The old database stays as it
is.

  --to DATABASE     Empty database: a SQLite file, or postgres://user@host/database. Put a password into PGPASSWORD:
                    every user of the machine can read flags.
  --json            Print the result as JSON
  --data DIR        Data folder (GANTRY_DATA, default .gantry)
  --database WHERE  Database to copy (GANTRY_DATABASE, default gantry.db in the data folder)

Examples:
  gantry move --to 'postgres://gantry@db.example/gantry?sslmode=verify-full'
  gantry move --database postgres://gantry@db.example/gantry --to /var/lib/gantry/gantry.db`,
  run: withFlags({ options, allowPositionals: false }, async ({ values, env, output, print }) => {
    if (values.to === undefined) throw new UsageError('gantry move needs --to DATABASE. See gantry move --help.');
    const { data, database, bucket } = configuration(values, env);
    const target = configuration({ data, database: values.to }, {}).database;
    const source = isPostgres(database) ? printableDatabase(database) : existing(database);
    if (target === database) throw new UsageError('--to names the database that the site has.');

    const from = await openAlone(database);
    try {
      const kind = await databaseKind(from);
      if (kind === 'new') throw new UsageError(`${source} has no site to move.`);
      if (kind === 'site' && (await isImporting(from))) {
        throw new UsageError('An import is unfinished: finish it with gantry import first.');
      }
      const to = await openAlone(target);
      const progress = createProgress(output, 'row');
      try {
        const counts = await moveDatabase({
          ...{ from, to, kind, source },
          prepare: async () => (kind === 'site' ? forgetNonces(to, target, data, Date.now()) : undefined),
          onProgress: ({ step, rows, total }) =>
            progress.step({ done: rows, part: (step === 'copy' ? rows : total + rows) / (2 * total) }),
        });
        const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
        const where = printableDatabase(target);
        print(
          { to: where, rows: counts },
          `Moved ${countText(total, 'row')} to ${where}: both databases are equal. Start the site with GANTRY_DATABASE naming it, and keep ${data}${bucket === undefined ? ': keys and photos are there' : ` and ${bucket}: keys, photos and files of apps are there`}.`,
        );
      } finally {
        progress.end();
        await to.close();
      }
    } finally {
      await from.close();
    }
  }),
};

function existing(file: string): string {
  if (existsSync(file)) return realpathSync(file);
  throw new UsageError(`There is no database at ${file}. Name the site's with --data or --database.`);
}
