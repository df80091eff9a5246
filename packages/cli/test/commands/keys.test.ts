import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { secretVariables } from '@gantry/server';
import { openSqlite, sql, unseal } from '@gantry/store';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { readKeyFile } from '../../../server/src/data/key-file.ts';
import { keysOf, knownMs, withNewTokenKey } from '../../../server/src/data/key-ring.ts';
import { world } from '../../../server/test/running-site.ts';
import { createSchema } from '../../../store/test/postgres.ts';
import { folderForTest } from '../../../wire/test/temporary-folder.ts';
import { runCommand } from '../run-command.ts';
import { gantry, runSite } from '../running-site.ts';

const execFileAsync = promisify(execFile);
let data: string;
beforeEach(() => {
  data = folderForTest();
});

const minute = 60_000;
const readKeys = (folder: string) => keysOf(readKeyFile(folder), Date.now());

test('a new key comes first, and those that were replaced within the hour stay', () => {
  const first = readKeyFile(data);
  let ring = first;
  const idsAfter = (minutes: number) => {
    ring = withNewTokenKey(ring, minutes * minute);
    return ring.tokenKeys.map(({ id }) => id);
  };
  expect(idsAfter(0)).toEqual(['2', '1']);
  expect(idsAfter(30)).toEqual(['3', '2', '1']);
  expect(idsAfter(61)).toEqual(['4', '3', '2']);
  expect(idsAfter(500)).toEqual(['5', '4']);
  expect(ring.secretKey).toBe(first.secretKey);
  const signingAfter = (ms: number) => keysOf(ring, 500 * minute + ms).tokenKeys.map(({ id }) => id);
  expect([signingAfter(knownMs - 1), signingAfter(knownMs)]).toEqual([
    ['4', '5'], // each process knows a key before one signs with it
    ['5', '4'],
  ]);
});

test('gantry keys rotate says what holds, never a key, and the file is for its owner only (security rule 8)', async () => {
  const { code, out, err } = await gantry(data, 'keys', 'rotate');
  expect([code, out, err]).toEqual([
    0,
    'Key 2 signs gadget tokens from now on. Tokens of 1 are valid until they expire.',
    '',
  ]);
  const path = join(data, 'keys.json');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  const { tokenKeys } = JSON.parse(await readFile(path, 'utf8'));
  expect(tokenKeys.map(({ key }: { key: string }) => Buffer.from(key, 'base64url').length)).toEqual([32, 32]);
  expect(await gantry(data, 'keys', 'frobnicate')).toMatchObject({ code: 2 });
});

test('a key for members is shown once, listed without its secret, used by one curl and revoked (decision 82)', async () => {
  const site = await runSite();
  onTestFinished(() => site.stop());
  const { id, key } = JSON.parse((await site.gantry('keys', 'add', '--title', 'PHP', '--json')).out);
  const listed = await site.gantry('keys', 'list');
  expect(listed.out).toContain(`${id}  PHP`);
  expect(listed.out).not.toContain(key);
  // The command of the guide, with this site's address and key.
  const [curl = ''] = /^printf .*\\\n.*$/m.exec(readFileSync('docs/guides/embed.md', 'utf8')) ?? [];
  const env = { PATH: process.env.PATH, GANTRY_URL: site.server.url, GANTRY_MEMBERS_KEY: key };
  const send = () => execFileAsync('sh', ['-c', curl.replace('m-1001', '1')], { env });
  expect(JSON.parse((await send()).stdout)).toMatchObject({ records: 2 });
  expect(await site.gantry('keys', 'revoke', id)).toMatchObject({ code: 0, out: `Revoked ${id}.` });
  await expect(send()).rejects.toThrow('401');
  expect(await site.gantry('keys', 'revoke', id)).toMatchObject({ code: 2 });
});

test('gantry keys replace leaves nothing that a reader of the data folder could use, and apps go on (security rule 31)', async () => {
  const site = await runSite();
  onTestFinished(() => site.stop());
  const folder = join(site.data, 'probe');
  await mkdir(folder);
  await writeFile(
    join(folder, 'gadget.json'),
    JSON.stringify({ name: 'Probe', page: 'index.html', uses: ['people.get'] }),
  );
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>Probe</title>');
  expect(await site.gantry('app', 'add', folder, '--id', 'probe')).toMatchObject({ code: 0 });
  expect((await site.ask('/people/@me/@self', { as: '2', key: 'member-key', secret: 'member-secret' })).status).toBe(
    200,
  );
  const before = readKeys(site.data);
  expect(await site.gantry('keys', 'replace')).toMatchObject({ code: 2, err: expect.stringContaining('is in use') });
  expect(readKeys(site.data)).toEqual(before);
  await site.server.close();

  const sealed = async () => {
    const db = openSqlite({ file: join(site.data, 'gantry.db') });
    const rows = await db.query<{ key: string; app: string; sealed: string; own: string }>(sql`
      select consumer.key as key, id as app, sealed_secret as sealed, consumer_secret as own
      from app_registrations join consumer on consumer.key = consumer_key`);
    await db.close();
    return rows;
  };
  const [old] = await sealed();
  const { code, out } = await site.gantry('keys', 'replace', '--json');
  expect([code, JSON.parse(out)]).toEqual([
    0,
    {
      apps: ['probe'],
      revoked: [
        { key: 'notes-key', kind: 'app', of: 'notes' },
        { key: 'member-key', kind: 'member', of: '2' },
      ],
    },
  ]);
  const after = readKeys(site.data);
  expect(after.tokenKeys).toHaveLength(1);
  expect(after.secretKey).not.toEqual(before.secretKey);
  expect(after.tokenKeys[0]?.key).not.toEqual(before.tokenKeys[0]?.key);
  const [now] = await sealed();
  const secretOf = (row: typeof now, keys: typeof after) =>
    row && [
      unseal(keys.secretKey, row.sealed, `consumer/${row.key}`),
      unseal(keys.secretKey, row.own, `app/${row.app}`),
    ];
  const [ofService, ofProxy] = secretOf(now, after) ?? [];
  expect(ofService).toBe(ofProxy); // the proxy signs with what the service accepts
  expect(secretOf(old, before)).not.toContain(ofService); // control: both keys changed
  expect(() => secretOf(now, before)).toThrow('sealed with another key');

  const again = await runSite([], {}, site.data);
  onTestFinished(() => again.server.close());
  expect((await again.ask('/people/@me/@self', { as: '2', key: 'member-key', secret: 'member-secret' })).status).toBe(
    401,
  );
});

test('gantry keys replace does the same on PostgreSQL', async () => {
  const schema = await createSchema();
  onTestFinished(() => schema.remove());
  const file = join(data, 'world.json');
  await writeFile(file, JSON.stringify(world));
  expect(await gantry(data, 'import', file, '--database', schema.url)).toMatchObject({ code: 0 });
  const { code, out } = await gantry(data, 'keys', 'replace', '--json', '--database', schema.url);
  expect(code).toBe(0);
  expect(JSON.parse(out).revoked).toEqual(expect.arrayContaining([{ key: 'member-key', kind: 'member', of: '2' }]));
});

test('help and the guide name every secret, and no error repeats one (security rule 8)', async () => {
  const help = (await gantry(data, '--help')).out;
  const guide = readFileSync('docs/guides/deployment.md', 'utf8');
  for (const name of Object.keys(secretVariables)) {
    expect(help).toContain(`  ${name} `);
    expect(guide).toContain(`\`${name}\``);
  }
  const secret = 'a-secret-in-the-wrong-place-of-the-site';
  const env = { GANTRY_DATA: data, GANTRY_UPSTREAM: secret, GANTRY_VIEWER_KEY: secret };
  expect(await runCommand(['proxy'], env)).toMatchObject({ code: 2, err: expect.stringContaining('not "…"') });
});
