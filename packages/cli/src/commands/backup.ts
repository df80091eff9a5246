import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { configuration, dataFlags, UsageError } from '@gantry/server';
import { backUp } from '../backup.ts';
import type { Output } from '../terminal/output.ts';
import type { Command } from './command.ts';

/** `gantry backup FOLDER` */
export const backup: Command = {
  name: 'backup',
  summary: 'Copy a site while it runs',
  help: `Usage: gantry backup FOLDER [--with-keys] [--json] [--data DIR]

Copies database and media into an empty or new folder. The site may run: the copy has every write acknowledged before it
began, and no partial one.

Without --with-keys the copy has no keys, so encrypted secrets in it cannot be read; keep keys.json and site-key.pem of
the data folder in another place. Used nonces, valid for five minutes, are never copied.
For a site on PostgreSQL use pg_dump, and copy media and keys from the data folder.

  --with-keys       Copy the keys too: keep the folder secret
  --json            Print the result as JSON

Examples:
  gantry backup /backups/2026-05-20
  gantry backup /backups/2026-05-20 --with-keys --data /var/lib/gantry`,
  run,
};

const options = { ...dataFlags, 'with-keys': { type: 'boolean' }, json: { type: 'boolean' } } as const;

async function run(args: readonly string[], env: NodeJS.ProcessEnv, output: Output): Promise<void> {
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const [folder, ...more] = positionals;
  if (!folder || more.length > 0) throw new UsageError('gantry backup takes one folder. See gantry backup --help.');
  const { data, database } = configuration(values, env);
  const withKeys = values['with-keys'] ?? false;
  const target = resolve(folder);
  await backUp({ data, database, target, withKeys, report: (line) => output.err(`Copied ${line}.`) });
  if (values.json) return output.out(JSON.stringify({ folder: target, keys: withKeys }));
  output.out(`Backed up to ${target}, ${withKeys ? 'with the keys: keep it secret' : 'without the keys'}.`);
}
