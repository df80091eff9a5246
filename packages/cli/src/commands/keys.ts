import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  configuration,
  databaseKind,
  dataFlags,
  isPostgres,
  openStores,
  replaceKeys,
  rotateTokenKeys,
  UsageError,
} from '@gantry/server';
import { addMemberKey, listMemberKeys, revokeMemberKey } from '@gantry/service';
import { type Command, type CommandLine, withFlags } from '../command.ts';
import { sampleFile } from '../init/prepare-data.ts';
import { openAlone } from '../open-alone.ts';
import { table } from '../terminal/output.ts';
import { withStores } from '../with-stores.ts';

const options = { ...dataFlags, title: { type: 'string' }, json: { type: 'boolean' } } as const;

export const keys: Command = {
  name: 'keys',
  summary: 'Keys that keep members in step; rotate the one of gadget tokens, or replace every key',
  help: `Usage: gantry keys add [--title TEXT] [--json]
       gantry keys list [--json]
       gantry keys revoke ID
       gantry keys rotate [--json]
       gantry keys replace [--json]

add prints a new key with which a site in any language sends its members, friendships and blocks to
/gantry/admin/records, as Authorization: Bearer. It is shown only once, and opens nothing else. list shows ids and
titles; revoke ends a key at once.

rotate creates a new key for the tokens that pages hold for their gadgets, and keeps the old ones for an hour. Running
servers use it within seconds; open pages continue. Consumer secrets are encrypted with another key, which stays.

replace is for keys that others may have read. Stop the site first. It replaces all keys in the data folder and the
secrets of apps, signs every member out, ends all tokens, and revokes the keys of others, which it lists: give their
owners new ones. It keeps nothing from before.

  --title TEXT      Name of the key in the list
  --json            Print the result as JSON
  --data DIR        Data folder (GANTRY_DATA, default .gantry)
  --database WHERE  Database (GANTRY_DATABASE), for replace

Examples:
  gantry keys add --title 'Nightly PHP job'
  gantry keys revoke 4f9f0c2ad1e07b33
  gantry keys rotate
  gantry keys rotate --data /var/lib/gantry
  gantry keys replace`,
  run: withFlags({ options, verbs: ['add', 'list', 'revoke', 'rotate', 'replace'] }, async (line) => {
    const [action, id, ...more] = line.positionals;
    const isMisused = more.length > 0 || (action === 'revoke') !== (id !== undefined);
    if (!isMisused && action === 'rotate') return rotate(line);
    if (!isMisused && action === 'replace') return replace(line);
    if (isMisused || (action !== 'add' && action !== 'list' && action !== 'revoke')) {
      throw new UsageError('gantry keys takes add, list, revoke ID, rotate or replace. See gantry keys --help.');
    }
    const { values, env, output, print } = line;
    await withStores(openStores(configuration(values, env)), async ({ db }) => {
      if (action === 'add') {
        const added = await addMemberKey(db, { title: values.title });
        print(added, `id   ${added.id}\nkey  ${added.key}`);
        if (!values.json) output.err('The key is shown only once: store it now.');
      } else if (id !== undefined) {
        if (!(await revokeMemberKey(db, id))) throw new UsageError(`There is no key ${JSON.stringify(id)}.`);
        print({ revoked: id }, `Revoked ${id}.`);
      } else {
        const all = await listMemberKeys(db);
        const rows = all.map((one) => [one.id, one.title, one.createdAt]);
        print(all, table(['id', 'title', 'created'], rows, 'No keys yet: gantry keys add --help'));
      }
    });
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
