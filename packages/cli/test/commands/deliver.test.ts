import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PushAnswer } from '@gantry/proxy';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { folderForFile } from '../../../wire/test/temporary-folder.ts';
import { main } from '../../src/index.ts';
import { runCommand } from '../run-command.ts';
import { type RunningSite, runSite } from '../running-site.ts';

// An author's machine, which has nothing of the site but its address and a key.
let site: RunningSite;
const folder = folderForFile();
beforeAll(async () => {
  site = await runSite();
});
afterAll(() => site.stop());

const author = (key: string, ...args: string[]) => runCommand(args, { GANTRY_SITE: site.server.url, GANTRY_KEY: key });

async function keyFor(...args: string[]): Promise<string> {
  const { code, out, err } = await site.gantry('keys', 'add', '--json', ...args);
  expect([code, err]).toEqual([0, '']);
  return JSON.parse(out).key;
}

async function app(name: string, manifest: object = {}, files: Readonly<Record<string, string>> = {}): Promise<string> {
  const path = join(folder, name);
  await mkdir(path, { recursive: true });
  const all = { 'gadget.json': JSON.stringify({ name: 'Quiz', page: 'index.html', ...manifest }), ...files };
  const page = '<!doctype html><title>Quiz</title><script src="/gantry/osapi.js"></script>';
  for (const [file, text] of Object.entries({ 'index.html': page, ...all })) await writeFile(join(path, file), text);
  return path;
}

test('an app goes from an author’s machine to a site: pushed, approved, rolled back, refused (decision 89)', async () => {
  const key = await keyFor('--app', 'quiz', '--may', 'approval', '--title', 'CI');
  const first = await app('quiz', { version: '1.0.0', uses: ['people.get'] });
  const pushed = await author(key, 'app', 'push', first, '--note', 'Hello');
  expect(pushed).toMatchObject({ code: 0, err: expect.stringContaining('quiz: 2 files, ') });
  expect(pushed.out).toMatch(/^Quiz 1\.0\.0 \([0-9a-f]{12}\): 2 files, \d+ B\n {2}state {8}waits for approval\n/);
  expect(pushed.out).toContain('+ See your name and picture, and those of your friends (people)');
  expect(pushed.out).toContain('its author   says that gantry app check found 0 errors and');
  expect(pushed.out).toContain('notes: Hello');
  expect(pushed.out).toMatch(/To approve: gantry app approve quiz [0-9a-f]{12}$/);

  const waiting = await site.gantry('app', 'status', 'quiz');
  expect(waiting.out).toMatch(/^quiz: Quiz, not registered\n {2}live {5}no version\n {2}waits {4}Quiz 1\.0\.0/);
  expect(await site.gantry('app', 'approve', 'quiz')).toMatchObject({ code: 2, err: expect.stringContaining('--yes') });
  const approved = await site.gantry('app', 'approve', 'quiz', '--yes');
  expect(approved).toMatchObject({ code: 0, out: expect.stringMatching(/^[0-9a-f]{12} of quiz is live\.$/) });
  expect((await author(key, 'app', 'status')).out).toMatch(/^quiz: Quiz, active\n {2}live {5}Quiz 1\.0\.0/);

  const owner = await keyFor('--app', 'quiz', '--may', 'live');
  const second = await app('quiz', { version: '1.1.0', uses: ['people.get'] });
  const live = await author(owner, 'app', 'push', second, '--json');
  expect(JSON.parse(live.out)).toMatchObject({
    app: 'quiz',
    done: 'live',
    state: 'live',
    label: '1.1.0',
    site: site.server.url,
  });
  const back = await author(owner, 'app', 'rollback');
  expect(back).toMatchObject({ code: 0, out: expect.stringMatching(/^Quiz 1\.0\.0 .*\n {2}state {8}live/) });
  expect((await author(key, 'app', 'rollback')).code).toBe(1); // it may not

  const third = await app('quiz', { version: '1.2.0', uses: ['people.get', 'activities.get'] });
  expect((await author(key, 'app', 'push', third)).out).toContain('  permissions  + ');
  const refused = await author(owner, 'app', 'refuse', 'quiz', '1.2.0', '--yes', '--reason', 'Why activities?');
  expect(refused).toMatchObject({ code: 0, out: expect.stringMatching(/of quiz was refused\.$/) });
  expect((await author(key, 'app', 'push', third)).err).toContain('This version was refused');
  const history = await author(key, 'app', 'history');
  expect(history.out).toMatch(/1\.2\.0 +refused/);
  expect(history.out).toContain('Why activities?');
});

test('a push that changes nothing says so, and one that stopped goes on', async () => {
  const key = await keyFor('--app', 'dice', '--may', 'live');
  const dice = await app('dice', { version: '1.0.0' }, { 'a.js': 'export {};', 'b.js': 'export const b = 1;' });
  const first = await author(key, 'app', 'push', dice);
  expect(first.err).toMatch(/Sending \d+ B, the rest is there already/);
  const again = await author(key, 'app', 'push', dice);
  expect(again.err).not.toContain('Sending');
  expect(again.out).toContain('It was live already.');
});

test('a packed app is the version that a push of its folder is', async () => {
  const key = await keyFor('--app', 'packed', '--may', 'live');
  const path = await app('packed', { version: '2.0.0' }, { 'notes.md': 'for authors', 'a.js': 'export {};' });
  const file = join(folder, 'packed.tar');
  const packed = JSON.parse((await author('', 'app', 'pack', path, '--out', file, '--json')).out);
  expect(packed).toMatchObject({ file, files: 3, label: '2.0.0' });
  expect((await readFile(file)).subarray(0, 7).toString()).toBe('a.js\0\0\0');
  expect(await author('', 'app', 'pack', path, '--out', file)).toMatchObject({
    code: 2,
    err: expect.stringContaining('exists already'),
  });
  const pushed: PushAnswer = JSON.parse((await author(key, 'app', 'push', file, '--json')).out);
  expect(pushed.version).toBe(packed.version);
  expect(JSON.parse((await author(key, 'app', 'push', path, '--json')).out)).toMatchObject({ done: 'unchanged' });
});

test('what cannot be registered is not sent, and the counts of tests are', async () => {
  const key = await keyFor('--app', 'tested', '--may', 'approval');
  const bad = await author(key, 'app', 'push', await app('bad', { uses: ['people.gte'] }));
  expect([bad.code, bad.err]).toMatchObject([1, expect.stringContaining('people.get')]);
  const report = join(folder, 'report.json');
  await writeFile(report, JSON.stringify({ stats: { expected: 11, flaky: 1, unexpected: 0, skipped: 2 } }));
  const good = await app('tested');
  expect((await author(key, 'app', 'push', good, '--tests', report)).out).toContain(
    'says that 12 tests passed, 0 failed and 2 were skipped',
  );
  await writeFile(report, '{}');
  expect(await author(key, 'app', 'push', good, '--tests', report)).toMatchObject({ code: 2 });
});

test('a preview is for the members that it names, by their ids', async () => {
  const [live, preview] = [
    await keyFor('--app', 'seen', '--may', 'live'),
    await keyFor('--app', 'seen', '--may', 'preview'),
  ];
  await author(live, 'app', 'push', await app('seen', { version: '1.0.0' }));
  const next = await app('seen', { version: '1.1.0' });
  const offered = await author(preview, 'app', 'push', next, '--members', '1,2', '--json');
  expect(JSON.parse(offered.out)).toMatchObject({ state: 'preview', label: '1.1.0' });
  expect((await site.gantry('app', 'preview', 'seen')).out).toContain('1.1.0');
  expect(await author(preview, 'app', 'preview', 'seen', '1.1.0', '--members', 'nobody')).toMatchObject({ code: 1 });
});

test('a push says what is missing: site, key, app, end of the key', async () => {
  const place = await app('lost');
  const run = (env: NodeJS.ProcessEnv, ...args: string[]) => {
    const err: string[] = [];
    return main(['app', 'push', place, ...args], env, { out: () => {}, err: (line) => err.push(line) }).then((code) => [
      code,
      err.at(-1),
    ]);
  };
  expect(await run({})).toEqual([2, expect.stringContaining('--site https://')]);
  expect(await run({}, '--site', 'http://social.example')).toEqual([2, expect.stringContaining('over https only')]);
  expect(await run({ GANTRY_SITE: site.server.url })).toEqual([2, expect.stringContaining('into GANTRY_KEY')]);
  expect(await run({ GANTRY_SITE: site.server.url, GANTRY_KEY: 'x y' })).toEqual([
    2,
    expect.stringContaining('no key'),
  ]);
  const several = await keyFor('--app', 'one', '--app', 'two', '--may', 'live');
  expect(await run({ GANTRY_SITE: site.server.url, GANTRY_KEY: several })).toEqual([
    2,
    expect.stringContaining('one, two'),
  ]);
  const unknown = await run({ GANTRY_SITE: site.server.url, GANTRY_KEY: `${'0'.repeat(16)}.${'a'.repeat(43)}` });
  expect(unknown).toEqual([1, expect.stringContaining('gantry keys add')]);
});

test('keys of apps are listed beside those of members, and revoked like them', async () => {
  const { out } = await site.gantry(
    'keys',
    'add',
    '--app',
    'a',
    '--app',
    'b',
    '--may',
    'preview',
    '--days',
    '7',
    '--json',
  );
  const { id, key, expiresAt } = JSON.parse(out);
  await site.gantry('keys', 'add', '--title', 'PHP');
  const listed = await site.gantry('keys', 'list');
  expect(listed.out).toMatch(new RegExp(`${id} +preview +a, b +\\S+ +${expiresAt}`));
  expect(listed.out).toMatch(/PHP +members +\S+ +never/);
  expect(listed.out).not.toContain(key.split('.')[1]);
  expect(await site.gantry('keys', 'revoke', id)).toMatchObject({ code: 0 });
  expect(await site.gantry('keys', 'revoke', id)).toMatchObject({ code: 2 });
  expect((await author(key, 'app', 'status', 'a')).code).toBe(1);
  for (const args of [
    ['--app', 'a'],
    ['--app', 'a', '--may', 'all'],
    ['--may', 'live'],
    ['--days', '3'],
  ]) {
    expect(await site.gantry('keys', 'add', ...args), args.join(' ')).toMatchObject({ code: 2 });
  }
});
