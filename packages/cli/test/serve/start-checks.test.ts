import { access, chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { checkStart, startWarnings } from '../../../server/src/setup/start-checks.ts';
import { folderForTest } from '../../../wire/test/temporary-folder.ts';
import { gantry } from '../running-site.ts';

let folder: string;
beforeEach(() => {
  folder = folderForTest();
});

test('a data folder that cannot be one is one clear line (security rule 24)', async () => {
  await writeFile(join(folder, 'file'), '');
  const data = join(folder, 'file', 'data');
  expect(await gantry(data, 'serve', '--port', '0')).toEqual({
    code: 2,
    out: '',
    err: `The data folder ${data} cannot be used (ENOTDIR). Choose another with --data or GANTRY_DATA.`,
  });
});

test('a broken key file is one clear line, and is left as it is (security rule 24)', async () => {
  await writeFile(join(folder, 'keys.json'), '{');
  const { code, err } = await gantry(folder, 'serve', '--port', '0');
  expect([code, err.split('\n').length]).toEqual([1, 1]);
  expect(err).toContain('keys.json is not a key file. Restore it from a backup');
});

test('a database of a newer version is one clear line (security rule 24)', async () => {
  await gantry(folder, 'consumer', 'list');
  const { DatabaseSync } = await import('node:sqlite');
  const db = new DatabaseSync(join(folder, 'gantry.db'));
  db.exec("insert into schema_migration (set_name, number, name, applied_at_ms) values ('service', 999, 'later', 0)");
  db.close();
  const { code, err } = await gantry(folder, 'serve', '--port', '0');
  expect([code, err.split('\n').length]).toEqual([1, 1]);
  expect(err).toMatch(
    /^The database has service schema 999, but this version of Gantry, [\d.]+, knows only \d+: run a newer version, or restore the backup from before the upgrade\.$/,
  );
});

test('a start that fails leaves the process as it was: signals end it, and its parent is still heard', async () => {
  await writeFile(join(folder, 'keys.json'), '{');
  const ends = () => ['SIGTERM', 'SIGINT', 'SIGHUP', 'disconnect'].map((event) => process.listenerCount(event));
  const pipes = () => process.getActiveResourcesInfo().filter((kind) => kind === 'PipeWrap').length; // our parent's channel
  const before = [ends(), pipes()];
  expect((await gantry(folder, 'serve', '--port', '0')).code).toBe(1);
  expect([ends(), pipes()]).toEqual(before);
});

test('a clock that was never set is one clear line: every signature would be refused (security rule 24)', () => {
  expect(() => checkStart({ data: folder, nowMs: 60_000 })).toThrow(
    'The clock of this machine shows 1970-01-01T00:01:00.000Z. Set it first: signatures depend on it.',
  );
  expect(() => checkStart({ data: folder })).not.toThrow();
});

test.each([
  ['http://social.example', 'http://social.example', 'must not be the host of the site itself'],
  ['http://social.example', 'http://social.example:81', 'must not be the host of the site itself'],
  ['https://social.example', 'http://social.example', 'must not be the host of the site itself'],
  ['http://www.social.example', 'http://social.example', 'must not be below the apps host social.example'],
  ['http://www.social.example', 'http://*.social.example', 'must not be below the apps host social.example'],
  ['https://social.example', 'http://*.social-apps.example', 'must be https as the site is'],
])('a site at %s with apps at %s does not start, and one line says why (security rule 4)', async (url, apps, why) => {
  const data = join(folder, 'data');
  const { code, err } = await gantry(data, 'serve', '--port', '0', '--url', url, '--apps-host', apps);
  expect([code, err.split('\n').length]).toEqual([2, 1]);
  expect(err).toContain(why);
  await expect(access(data)).rejects.toThrow('ENOENT'); // nothing was written
});

test.each([
  ['http://social.example', 'http://*.social-apps.example'],
  ['https://social.example', 'https://apps.social.example'],
  ['http://localhost:4400', 'http://*.apps.localhost:4400'],
  ['http://social.example', 'https://sandbox.example'],
  ['http://notsocial.example', 'http://social.example'],
])('a site at %s with apps at %s may start (security rule 4)', (url, appsHost) => {
  expect(() => checkStart({ data: folder, url, appsHost })).not.toThrow();
});

test('a database of DATABASE_URL is named, without its password (security rule 8)', () => {
  const address = { database: 'postgres://u:secret@db.example/shop', nodeVersion: '24.21.0' };
  expect(startWarnings({ data: join(folder, 'new'), ...address, databaseIsFound: true })).toEqual([
    'The database is that of DATABASE_URL: postgres://…@db.example/shop',
  ]);
  expect(startWarnings({ data: join(folder, 'new'), ...address })).toEqual([]);
});

test('a data folder, keys and a Node release that should not be so are a line each (security rule 30)', async () => {
  const nodeVersion = '24.21.0';
  for (const name of ['keys.json', 'site-key.pem']) await writeFile(join(folder, name), '', { mode: 0o600 });
  expect(startWarnings({ data: folder, nodeVersion })).toEqual([]);
  await chmod(folder, 0o750);
  await chmod(join(folder, 'keys.json'), 0o604);
  expect(startWarnings({ data: folder, nodeVersion: '24.14.0' })).toEqual([
    expect.stringMatching(/^Node 24\.14\.0 has CVE-2026-21717/),
    `${folder} is open to other users of this machine (mode 750): run chmod 700 ${folder}`,
    `${join(folder, 'keys.json')} is open to other users of this machine (mode 604): run chmod 600 ${join(folder, 'keys.json')}`,
  ]);
});
