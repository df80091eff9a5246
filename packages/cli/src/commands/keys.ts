import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  addRegistryKey,
  findKnownApp,
  type KeyMay,
  keyMays,
  listRegistryKeys,
  maxKeyDays,
  revokeRegistryKey,
} from '@gantry/proxy';
import {
  configuration,
  databaseKind,
  dataFlags,
  isPostgres,
  replaceKeys,
  resealKeys,
  rotateTokenKeys,
  type Stores,
  strongKey,
  UsageError,
} from '@gantry/server';
import { addMemberKey, listMemberKeys, revokeMemberKey } from '@gantry/service';
import { countText } from '@gantry/wire/runtime';
import { type Command, type CommandLine, withFlags } from '../command.ts';
import { sampleFile } from '../init/prepare-data.ts';
import { openAlone } from '../open-alone.ts';
import { table } from '../terminal/output.ts';
import { withApps } from './app/app-stores.ts';

const options = {
  ...dataFlags,
  title: { type: 'string' },
  app: { type: 'string', multiple: true },
  may: { type: 'string' },
  days: { type: 'string' },
  json: { type: 'boolean' },
} as const;

export const keys: Command = {
  name: 'keys',
  summary: 'Keys that deliver apps or keep members in step; rotate, reseal or replace those of the site',
  help: `Usage: gantry keys add --app ID… --may live|approval|preview [--days N] [--title TEXT] [--json]
       gantry keys add [--title TEXT] [--json]
       gantry keys list [--json]
       gantry keys revoke ID
       gantry keys rotate [--json]
       gantry keys reseal [--json]
       gantry keys replace [--json]

add --app prints a new key with which gantry app push delivers versions of these apps, from any machine:
  live       members get a pushed version at once; the key may also approve, refuse, roll back, preview, pause and resume
  approval   a pushed version waits until somebody else approves it: gantry app approve
  preview    only the members that the push names get it
Without --app it prints a key with which a site in any language sends its members, friendships and blocks to
/gantry/admin/records. Both are sent as Authorization: Bearer, are shown only once, and open nothing else. list shows
ids and titles; revoke ends a key at once.

rotate creates a new key for the tokens that pages hold for their gadgets, and keeps the old ones for an hour. Running
servers use it within seconds; open pages continue. Consumer secrets are encrypted with another key, which stays.
The keys are files of the data folder. With GANTRY_MASTER_KEY they are sealed in the database, for all machines at once.

reseal seals them there with GANTRY_NEW_MASTER_KEY, in one write. Running servers go on with the keys that they have, and
learn of no rotation until they are restarted with the new master key; the log says so. The old one opens nothing more.

replace is for keys that others may have read. Stop the site first. It replaces all keys of the site and the signs every member out, ends all tokens, and revokes the keys of others, which it lists: give their owners new ones. It
keeps nothing from before.

  --app ID          App that the key may deliver; may be repeated
  --may MAY         live, approval or preview
  --days N          Days until the key of an app ends (default 90, at most ${maxKeyDays})
  --title TEXT      Name of the key in the list
  --json            Print the result as JSON
  --data DIR        Data folder (GANTRY_DATA, default .gantry)
  --database WHERE  Database (GANTRY_DATABASE)

Examples:
  gantry keys add --app quiz --may approval --title 'CI of the quiz'
  gantry keys add --app quiz --app dice --may live --days 30
  gantry keys add --title 'Nightly PHP job'
  gantry keys revoke 4f9f0c2ad1e07b33
  gantry keys rotate
  gantry keys rotate --data /var/lib/gantry
  GANTRY_NEW_MASTER_KEY_FILE=/run/secrets/new-master-key gantry keys reseal
  gantry keys replace`,
  run: withFlags({ options, verbs: ['add', 'list', 'revoke', 'rotate', 'reseal', 'replace'] }, async (line) => {
    const [action, id, ...more] = line.positionals;
    const isMisused = more.length > 0 || (action === 'revoke') !== (id !== undefined);
    if (!isMisused && action === 'rotate') return rotate(line);
    if (!isMisused && action === 'reseal') return reseal(line);
    if (!isMisused && action === 'replace') return replace(line);
    if (isMisused || (action !== 'add' && action !== 'list' && action !== 'revoke')) {
      throw new UsageError(
        'gantry keys takes add, list, revoke ID, rotate, reseal or replace. See gantry keys --help.',
      );
    }
    await withApps(line, async ({ stores }) => {
      if (action === 'add') await add(line, stores);
      else if (id === undefined) await list(line, stores);
      else await revoke(line, stores, id);
    });
  }),
};

type Line = CommandLine<typeof options>;

async function add({ values, output, print }: Line, { db }: Stores): Promise<void> {
  const { title, app: apps, may, days } = values;
  if (!apps) {
    if (may !== undefined || days !== undefined)
      throw new UsageError('--may and --days are for keys of apps: --app ID.');
    await requireMembers(db);
  } else if (!isMay(may)) throw new UsageError('A key for apps needs --may live, --may approval or --may preview.');
  const added =
    apps && isMay(may)
      ? await addRegistryKey(db, { title, apps, may, ...(days !== undefined && { days: Number(days) }) })
      : await addMemberKey(db, { title });
  const end = 'expiresAt' in added ? `\nends ${added.expiresAt}` : '';
  print(added, `id   ${added.id}\nkey  ${added.key}${end}`);
  if (values.json) return;
  output.err('The key is shown only once: store it now.');
  for (const app of apps ?? []) {
    if ((await findKnownApp(db, app)) === undefined) output.err(`There is no app ${app} yet: ${firstPush(may)}.`);
  }
}

function isMay(may: string | undefined): may is KeyMay {
  return keyMays.some((one) => one === may);
}

function firstPush(may: string | undefined): string {
  return may === 'live' ? 'its first push registers it' : may === 'approval' ? 'its first push waits' : 'add it first';
}

/** Refuses keys of members where the site keeps them. @throws UsageError */
async function requireMembers(db: Stores['db']): Promise<void> {
  if ((await databaseKind(db)) !== 'proxy') return;
  throw new UsageError('Behind gantry proxy the site has the members. For a key that delivers apps, pass --app ID.');
}

async function list({ print }: Line, { db }: Stores): Promise<void> {
  const isProxy = (await databaseKind(db)) === 'proxy';
  const ofMembers = isProxy ? [] : await listMemberKeys(db);
  const ofApps = await listRegistryKeys(db);
  const all = [
    ...ofMembers.map((one) => ({ ...one, may: 'members' as const, apps: undefined, expiresAt: undefined })),
    ...ofApps,
  ];
  const rows = all.map((one) => [
    one.id,
    one.title,
    one.may,
    one.apps?.join(', ') ?? '',
    one.createdAt,
    one.expiresAt ?? 'never',
  ]);
  print(all, table(['id', 'title', 'may', 'apps', 'created', 'ends'], rows, 'No keys yet: gantry keys add --help'));
}

async function revoke({ print }: Line, { db }: Stores, id: string): Promise<void> {
  const isProxy = (await databaseKind(db)) === 'proxy';
  const isRevoked = (await revokeRegistryKey(db, id)) || (!isProxy && (await revokeMemberKey(db, id)));
  if (!isRevoked) throw new UsageError(`There is no key ${JSON.stringify(id)}.`);
  print({ revoked: id }, `Revoked ${id}.`);
}

async function rotate({ values: { data, database }, env, print }: Line): Promise<void> {
  const [id, ...kept] = await rotateTokenKeys(configuration({ data, database }, env), Date.now());
  const older = kept.length === 0 ? '' : ` Tokens of ${kept.join(', ')} are valid until they expire.`;
  print({ id, kept }, `Key ${id} signs gadget tokens from now on.${older}`);
}

async function reseal({ values: { data, database }, env, print }: Line): Promise<void> {
  const text = env.GANTRY_NEW_MASTER_KEY;
  if (!text)
    throw new UsageError('GANTRY_NEW_MASTER_KEY is missing: 32 bytes or more, such as openssl rand -base64 48.');
  await resealKeys(configuration({ data, database }, env), strongKey(text, 'GANTRY_NEW_MASTER_KEY'));
  print(
    { resealed: true },
    'The keys are sealed with GANTRY_NEW_MASTER_KEY. Make it the GANTRY_MASTER_KEY of each machine, and restart the servers.',
  );
}

async function replace({ values, env, print }: Line): Promise<void> {
  const { data, database, masterKey } = configuration({ data: values.data, database: values.database }, env);
  if (!isPostgres(database) && !existsSync(database)) throw new UsageError(`There is no database at ${database}.`);
  const db = await openAlone(database);
  try {
    if ((await databaseKind(db)) === 'new') throw new UsageError('The database has no site.');
    const { apps, revoked } = await replaceKeys(db, { data, masterKey });
    rmSync(join(data, sampleFile), { force: true });
    const lines = [
      `Replaced all keys of the site and the secrets of ${countText(apps.length, 'app')}. All members are signed out, and all tokens have ended.`,
      ...revoked.map(
        ({ key, kind, of }) => `Revoked ${key} (${kind}${of === null ? '' : ` of ${of}`}): give its owner a new one.`,
      ),
      'Replace yourself, where the site has them: GANTRY_MASTER_KEY (gantry keys reseal), GANTRY_VIEWER_KEY, GANTRY_METRICS_TOKEN, the password of the database, and passwords of members that lay in a file.',
    ];
    print({ apps, revoked }, lines.join('\n'));
  } finally {
    await db.close();
  }
}
