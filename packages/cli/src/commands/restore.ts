import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { configuration, dataFlags, UsageError } from '@gantry/server';
import { restore } from '../backup.ts';
import type { Output } from '../output.ts';
import type { Command } from './command.ts';

/** `gantry restore FOLDER` */
export const restoreBackup: Command = {
  name: 'restore',
  summary: 'Make a data folder of a backup',
  help: `Usage: gantry restore FOLDER --data DIR [--keys DIR] [--json]

Reads the whole of a backup's database first, then makes the data folder, which must be empty or not exist.

  --keys DIR        Folder with keys.json and site-key.pem, for a backup that has none
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
