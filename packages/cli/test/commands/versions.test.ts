import { createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { chunksOf, packVersion, readFolder } from '@gantry/proxy';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type AppSite, kinds, openAppSite } from './app-site.ts';

describe.each(kinds)('versions of apps on $name', (kind) => {
  let site: AppSite;
  beforeEach(async () => {
    site = await openAppSite(kind);
  });
  afterEach(() => site.close());

  const app = (...args: string[]) => site.command('app', ...args);
  const json = async (...args: string[]) => JSON.parse((await app(...args, '--json')).out);
  const audit = async (...args: string[]) => JSON.parse((await site.command('audit', ...args, '--json')).out);
  const states = async () =>
    (await json('history', 'score')).versions.map(({ label, state }: { label: string; state: string }) => [
      label,
      state,
    ]);

  /** Adds a version of `score` that its manifest names. */
  async function add(version: string, manifest: object = {}): Promise<{ version: string; done: string }> {
    const folder = await site.app('score', { name: 'Score', version, ...manifest });
    return json('add', folder, '--update');
  }

  test('an app that changes keeps the key that signs its calls, and its registration, over updates and roll-backs', async () => {
    await add('1.0.0');
    const { key, registeredAt } = await json('show', 'score');
    const open = await site.mount('score');
    await add('1.1.0');
    await app('rollback', 'score');
    expect(await json('show', 'score')).toMatchObject({ key, registeredAt, manifest: { version: '1.0.0' } });
    await site.allow(open);
    expect(await site.call(open, 'appdata.get', { userId: '@viewer' })).toMatchObject({ ok: {} });
    // A key that was revoked by hand is replaced by the next update, as it was before.
    await site.command('consumer', 'revoke', key);
    await add('1.2.0');
    expect((await json('show', 'score')).key).not.toBe(key);
  });

  test('the version that is live is not stored again: nothing happens, with or without --update', async () => {
    const first = await add('1.0.0');
    const changes = await audit();
    expect(await add('1.0.0')).toMatchObject({ version: first.version, done: 'unchanged' });
    const again = await app('add', join(site.folder, 'score'));
    expect([again.code, again.out.split('\n')[0]]).toEqual([0, 'Unchanged score: Score']);
    expect(again.out).toContain(`score: version ${first.version.slice(0, 12)} is live already`);
    expect(await audit()).toEqual(changes);
    // The control: another trust is a change.
    expect(await json('add', join(site.folder, 'score'), '--update', '--trusted')).toMatchObject({ done: 'updated' });
  });

  test('history lists versions with their names, sizes and makers, the newest first', async () => {
    await add('1.0.0');
    const { version } = await add('1.1.0');
    expect(await states()).toEqual([
      ['1.1.0', 'live'],
      ['1.0.0', 'accepted'],
    ]);
    const { out } = await app('history', 'score');
    const [headings, first] = out.split('\n');
    expect(headings).toMatch(/^version +named +state +size +made +by$/);
    expect(first).toMatch(new RegExp(`^${version.slice(0, 12)} +1\\.1\\.0 +live +\\d+ B +\\S+Z +cli:\\S+$`));
    expect(await app('history', 'none')).toMatchObject({ code: 2, err: 'There is no app "none".' });
  });

  test('rollback goes to the version before, and further, or to one by its name or first digits', async () => {
    const one = await add('1.0.0');
    await add('1.1.0');
    await add('1.2.0');
    const { code, out } = await app('rollback', 'score');
    expect(code).toBe(0);
    expect(out).toMatch(/^Rolled back score from 1\.2\.0 \([0-9a-f]{12}\) to 1\.1\.0 \([0-9a-f]{12}\)\. Open pages /);
    await app('rollback', 'score');
    expect(await states()).toEqual([
      ['1.2.0', 'accepted'],
      ['1.1.0', 'accepted'],
      ['1.0.0', 'live'],
    ]);
    expect(await app('rollback', 'score')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^score has no version from before 1\.0\.0 /),
    });
    expect((await app('rollback', 'score', '1.2.0')).code).toBe(0);
    expect((await app('rollback', 'score', one.version.slice(0, 8))).code).toBe(0);
    expect(await app('rollback', 'score', '1.0.0')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/is live already/),
    });
    expect(await app('rollback', 'score', '9.9.9')).toMatchObject({ code: 1, err: 'score has no version "9.9.9".' });
    expect(await app('rollback', 'none')).toMatchObject({ code: 1, err: 'There is no app "none".' });
  });

  test('a name that two versions have is refused, with both', async () => {
    await add('1.0.0');
    await add('1.0.0', { height: 300 });
    await add('1.1.0');
    const { code, err } = await app('rollback', 'score', '1.0.0');
    expect(code).toBe(1);
    expect(err).toMatch(
      /^"1\.0\.0" names several versions of score: 1\.0\.0 \([0-9a-f]{12}\), 1\.0\.0 \([0-9a-f]{12}\)\.$/,
    );
  });

  test('a way back across data is refused without a terminal, says that data stays, and is in the audit', async () => {
    const one = await add('1.0.0');
    const two = await add('2.0.0', { data: 1 });
    const refused = await app('rollback', 'score');
    expect(refused.code).toBe(1);
    expect(refused.err).toMatch(/is for data 0, and the live 2\.0\.0 \(\w+\) saves data 1, which is not rolled back/);
    expect(await states()).toContainEqual(['2.0.0', 'live']);
    expect(await audit('--app', 'score')).toMatchObject([
      { action: 'rollback', outcome: 'refused', actor: expect.stringMatching(/^cli:/), detail: refused.err },
      { action: 'live', outcome: 'done', from: one.version, to: two.version },
      { action: 'store', to: two.version },
      {},
      {},
      {},
    ]);
    const { out } = await app('rollback', 'score', '--despite-data');
    expect(out).toMatch(
      /\nData is not rolled back: what 2\.0\.0 .* saved is for data 1, and 1\.0\.0 .* reads data 0\.$/,
    );
    // Forward there is no question.
    expect((await app('rollback', 'score', '2.0.0')).code).toBe(0);
  });

  test('an update to a version for older data is refused, as a roll-back is, unless it is said', async () => {
    await add('2.0.0', { data: 2 });
    const older = ['add', await site.app('older', { name: 'Score', data: 1 }), '--id', 'score', '--update'];
    expect(await app(...older)).toMatchObject({ code: 1, err: expect.stringMatching(/is for data 1.*--despite-data/) });
    expect(await states()).toEqual([['2.0.0', 'live']]);
    expect((await app(...older, '--despite-data')).code).toBe(0);
  });

  test('a live folder is served as it is, at a local address or with --force, until it is stored', async () => {
    const folder = await site.app('score', { name: 'Score' });
    const live = ['app', 'add', folder, '--live', '--update'];
    const added = await site.command(...live);
    expect(added.out).toContain(`from     ${folder}, served live: changed files count at the next load`);
    expect(await json('show', 'score')).toMatchObject({ source: { kind: 'served', folder } });
    expect((await app('list')).out).toMatch(/^score +Score +live folder +active /m);
    expect((await app('history', 'score')).out).toBe('score has no stored version: gantry app add --help');
    expect(await app('rollback', 'score')).toMatchObject({
      code: 1,
      err: 'score is not served from a stored version.',
    });
    const stored = await app('add', folder, '--update');
    expect(stored.out).toMatch(
      /stored as version \w+: later changes, which counted at once so far, count after --update/,
    );
    expect(await json('show', 'score')).toMatchObject({ source: { kind: 'stored', folder } });
    expect((await site.command(...live)).code).toBe(0);
    expect(await json('show', 'score')).toMatchObject({ source: { kind: 'served' } });
  });

  test('--live is refused for a site at a public address before anything is written', async () => {
    const folder = await site.app('score');
    const live = ['add', folder, '--live'];
    const { code, err } = await site.at('https://social.example', 'app', ...live);
    expect([code, err]).toEqual([2, expect.stringMatching(/^--live serves a folder as it is.*--force\.$/)]);
    expect(await json('list')).toEqual([]);
    expect((await site.at('https://social.example', 'app', ...live, '--force')).code).toBe(0);
    expect((await site.at('http://localhost:4400', 'app', ...live, '--update')).code).toBe(0);
    expect((await app('add', 'https://apps.example/', '--id', 'quiz', '--live')).code).toBe(2);
  });

  test('a packed file becomes the version that its folder would, under the name before its version', async () => {
    const folder = await site.app('score', { name: 'Score' });
    const { list, read } = await readFolder(folder);
    const bytes = new Map<string, Uint8Array>();
    for await (const [digest, chunk] of read(chunksOf(list).keys())) bytes.set(digest, chunk);
    const file = join(site.folder, 'score-1.4.0-rc.1.tar');
    const packed = packVersion(list, async (digest) => bytes.get(digest));
    await pipeline(Readable.fromWeb(packed as Parameters<typeof Readable.fromWeb>[0]), createWriteStream(file));
    expect(await json('add', file)).toMatchObject({ id: 'score', done: 'registered', version: list.digest });
    expect(await json('show', 'score')).toMatchObject({ source: { kind: 'stored', version: list.digest } });
    expect((await app('list')).out).toMatch(/ no folder$/m);
    expect(await json('add', folder, '--update')).toMatchObject({ done: 'unchanged' });
    await writeFile(file, 'no tar');
    expect((await app('add', file, '--id', 'score', '--update')).code).toBe(1);
  });

  test('a preview is offered to members who exist, listed, and ended', async () => {
    await add('1.0.0');
    const next = await site.app('next', { name: 'Score', version: '2.0.0' });
    expect(await app('preview', 'score', next, '--members', '1,nobody')).toMatchObject({
      code: 1,
      err: 'There is no member "nobody".',
    });
    expect(await states()).toEqual([['1.0.0', 'live']]); // nothing was stored
    const { out } = await app('preview', 'score', next, '--members', '1,2');
    expect(out).toMatch(
      /^Offered 2\.0\.0 \(\w+\) of score to 1, 2\. .*\nWhoever knows its whole digest can fetch its files\.$/,
    );
    expect(await states()).toEqual([
      ['2.0.0', 'preview'],
      ['1.0.0', 'live'],
    ]);
    expect((await app('preview', 'score')).out).toMatch(/^2\.0\.0 \(\w+\): 1, 2$/);
    expect((await app('history', 'score')).out).toMatch(/ preview, previewed by 1 2 /);
    expect((await app('preview', 'score', '2.0.0', '--end', '--members', '2')).code).toBe(0);
    expect((await app('preview', 'score')).out).toMatch(/: 1$/);
    expect((await app('preview', 'score', '2.0.0', '--end')).code).toBe(0);
    expect((await app('preview', 'score')).out).toBe('No version of score is previewed.');
    // A version for previews is no way back: it was never accepted.
    expect((await app('rollback', 'score', '2.0.0')).code).toBe(1);
    expect((await app('preview', 'none', next, '--members', '1')).code).toBe(1);
    expect((await app('preview', 'score', next)).code).toBe(2);
  });

  test('every change of an app is in the audit with its maker and versions, the newest first; attempts, too', async () => {
    const one = await add('1.0.0');
    const two = await add('1.1.0');
    await app('rollback', 'score');
    await app('pause', 'score');
    await app('resume', 'score');
    await app('add', await site.app('other'), '--id', 'score');
    await app('add', await site.app('other'), '--id', 'score', '--replace', '--yes');
    await app('remove', 'score');
    await app('add', 'https://apps.example/', '--id', 'quiz');
    const entries = (await audit()) as readonly Record<string, unknown>[];
    const by = expect.stringMatching(/^cli:./);
    const other = expect.stringMatching(/^[0-9a-f]{64}$/);
    const score = { app: 'score', actor: by, outcome: 'done' };
    expect(entries).toMatchObject([
      { app: 'quiz', actor: by, action: 'register', detail: 'from https://apps.example/; members are asked' },
      { ...score, action: 'remove', from: other },
      { ...score, action: 'live', to: other },
      { ...score, action: 'replace', from: one.version, to: other },
      { ...score, action: 'store', to: other },
      { ...score, action: 'add', outcome: 'refused', detail: expect.stringMatching(/^score is Score, from/) },
      { ...score, action: 'resume', to: one.version },
      { ...score, action: 'pause', to: one.version },
      { ...score, action: 'rollback', from: two.version, to: one.version },
      { ...score, action: 'live', from: one.version, to: two.version },
      { ...score, action: 'store', to: two.version },
      { ...score, action: 'live', to: one.version },
      { ...score, action: 'register', to: one.version },
      { ...score, action: 'store', to: one.version },
    ]);
    const page = await audit('--limit', '3');
    expect(page).toEqual(entries.slice(0, 3));
    expect(await audit('--limit', '3', '--before', page[2].id)).toEqual(entries.slice(3, 6));
    expect(await audit('--app', 'quiz')).toEqual(entries.slice(0, 1));
    const { out } = await site.command('audit', '--limit', '2');
    expect(out).toMatch(/^time +by +app +change +version +detail\n\S+Z +cli:\S+ +quiz +register/);
    expect(out).toMatch(/\nOlder ones: --before \S+$/);
    for (const limit of ['0', '201', 'all']) expect((await site.command('audit', '--limit', limit)).code).toBe(2);
  });
});
