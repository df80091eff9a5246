import { resolve } from 'node:path';
import { configuration, dataFlags } from '@gantry/server';
import { backUp } from '../backup.ts';
import { type Command, onlyWord, withFlags } from '../command.ts';

const options = { ...dataFlags, 'with-keys': { type: 'boolean', default: false }, json: { type: 'boolean' } } as const;

export const backup: Command = {
  name: 'backup',
  summary: 'Copy a site while it runs',
  help: `Usage: gantry backup FOLDER [--with-keys] [--json] [--data DIR]

Copies database and media into an empty or new folder, and says how much of the database is files of apps. The site may
run: the copy has every write acknowledged before it began, and no partial one.

Without --with-keys the copy has no keys, so encrypted secrets in it cannot be read; keep keys.json and site-key.pem of
the data folder in another place. Keys that GANTRY_MASTER_KEY seals are in the database: keep that key. Used nonces,
valid for five minutes, are never copied.
For a site on PostgreSQL use pg_dump, and copy media and keys from the data folder. Photos and files of apps in a bucket
(GANTRY_BUCKET) are not copied: turn on its versions, or copy it after this backup.

  --with-keys       Copy the keys too: keep the folder secret
  --json            Print the result as JSON

Examples:
  gantry backup /backups/2026-05-20
  gantry backup /backups/2026-05-20 --with-keys --data /var/lib/gantry`,
  run: withFlags({ options }, async ({ values, positionals, env, output, print }) => {
    const target = resolve(onlyWord(positionals, 'backup', 'folder'));
    const { data, database, bucket } = configuration(values, env);
    const withKeys = values['with-keys'];
    const report = (line: string) => output.err(`Copied ${line}.`);
    const { appBytes, isSealed } = await backUp({ data, database, target, withKeys, report });
    const keys = isSealed
      ? 'whose keys GANTRY_MASTER_KEY opens'
      : withKeys
        ? 'with the keys: keep it secret'
        : 'without the keys';
    if (bucket !== undefined) output.err(`Not copied: photos and files of apps in ${bucket}. Copy that after this.`);
    print({ folder: target, keys: withKeys, appBytes, bucket }, `Backed up to ${target}, ${keys}.`);
  }),
};
