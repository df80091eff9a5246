import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { configuration, dataFlags, UsageError } from '@gantry/server';
import { restore } from '../backup.ts';
import type { Output } from '../terminal/output.ts';
import type { Command } from './command.ts';

/** `gantry restore FOLDER` */
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
  run,
};

const options = { ...dataFlags, keys: { type: 'string' }, json: { type: 'boolean' } } as const;

async function run(args: readonly string[], env: NodeJS.ProcessEnv, output: Output): Promise<void> {
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const [folder, ...more] = positionals;
  if (!folder || more.length > 0) throw new UsageError('gantry restore takes one folder. See gantry restore --help.');
  const { data, database } = configuration(values, env);
  const madeAt = await restore({ source: resolve(folder), data, database, keys: values.keys });
  if (values.json) return output.out(JSON.stringify({ data, madeAt }));
  output.out(`Restored the backup of ${madeAt} to ${data}.`);
}
