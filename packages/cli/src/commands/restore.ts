import { resolve } from 'node:path';
import { configuration, dataFlags } from '@gantry/server';
import { restore } from '../backup.ts';
import { type Command, onlyWord, withFlags } from '../command.ts';

const options = { ...dataFlags, keys: { type: 'string' }, json: { type: 'boolean' } } as const;

export const restoreBackup: Command = {
  name: 'restore',
  summary: 'Create a data folder from a backup',
  help: `Usage: gantry restore FOLDER --data DIR [--keys DIR] [--json]

Checks the backup's whole database first, then creates the data folder, which must be empty or new.

  --keys DIR        Folder with keys.json and site-key.pem, for a backup without keys
  --json            Print the result as JSON

Examples:
  gantry restore /backups/2026-05-20 --data /var/lib/gantry --keys /safe/gantry-keys
  gantry restore /backups/with-keys --data ./copy`,
  run: withFlags({ options }, async ({ values, positionals, env, print }) => {
    const source = resolve(onlyWord(positionals, 'restore', 'folder'));
    const { data, database } = configuration(values, { ...env, DATABASE_URL: '' }); // a backup is of a file
    const madeAt = await restore({ source, data, database, keys: values.keys });
    print({ data, madeAt }, `Restored the backup of ${madeAt} to ${data}.`);
  }),
};
