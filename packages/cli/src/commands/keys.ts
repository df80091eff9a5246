import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  configuration,
  databaseKind,
  dataFlags,
  isPostgres,
  replaceKeys,
  rotateTokenKeys,
  UsageError,
} from '@gantry/server';
import { sampleFile } from '../init/prepare-data.ts';
import { openAlone } from '../open-alone.ts';
import { type Command, type CommandLine, withFlags } from './command.ts';

const options = { ...dataFlags, json: { type: 'boolean' } } as const;

/** `gantry keys rotate|replace` */
export const keys: Command = {
  name: 'keys',
  summary: 'Rotate the key that signs gadget tokens, or replace every key',
  help: `Usage: gantry keys rotate [--json]
       gantry keys replace [--json]

rotate creates a new key for the tokens that pages hold for their gadgets, and keeps the old ones for an hour. Running
servers use it within seconds; open pages continue. Consumer secrets are encrypted with another key, which stays.

replace is for keys that others may have read. Stop the site first. It replaces all keys in the data folder and the
secrets of apps, signs every member out, ends all tokens, and revokes the keys of others, which it lists: give their
owners new ones. It keeps nothing from before.

  --json            Print the result as JSON
  --data DIR        Data folder (GANTRY_DATA, default .gantry)
  --database WHERE  Database (GANTRY_DATABASE), for replace

Examples:
  gantry keys rotate
  gantry keys rotate --data /var/lib/gantry
  gantry keys replace`,
  run: withFlags({ options, verbs: ['rotate', 'replace'] }, async (line) => {
    const [action, ...more] = line.positionals;
    if (more.length > 0 || (action !== 'rotate' && action !== 'replace')) {
      throw new UsageError('gantry keys takes rotate or replace. See gantry keys --help.');
    }
    return action === 'rotate' ? rotate(line) : replace(line);
  }),
};

type Line = CommandLine<typeof options>;

async function rotate({ values, env, print }: Line): Promise<void> {
  const [id, ...kept] = rotateTokenKeys(configuration(values, env).data, Date.now());
  const older = kept.length === 0 ? '' : ` Tokens of ${kept.join(', ')} are valid until they expire.`;
  print({ id, kept }, `Key ${id} signs gadget tokens from now on.${older}`);
}

async function replace({ values, env, print }: Line): Promise<void> {
  const { data, database } = configuration(values, env);
  if (!isPostgres(database) && !existsSync(database)) throw new UsageError(`There is no database at ${database}.`);
  const db = await openAlone(database);
  try {
    if ((await databaseKind(db)) === 'new') throw new UsageError('The database has no site.');
    const { apps, revoked } = await replaceKeys(db, data);
    rmSync(join(data, sampleFile), { force: true });
    const lines = [
      `Replaced all keys in ${data} and the secrets of ${apps.length} apps. All members are signed out, and all tokens have ended.`,
      ...revoked.map(
        ({ key, kind, of }) => `Revoked ${key} (${kind}${of === null ? '' : ` of ${of}`}): give its owner a new one.`,
      ),
      'Replace yourself, where the site has them: GANTRY_VIEWER_KEY, GANTRY_METRICS_TOKEN, the password of the database, and passwords of members that lay in a file.',
    ];
    print({ apps, revoked }, lines.join('\n'));
  } finally {
    await db.close();
  }
}
