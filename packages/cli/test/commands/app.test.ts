import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { folderForTest } from '../../../wire/test/temporary-folder.ts';
import { gantry } from '../running-site.ts';
import { type AppSite, kinds, openAppSite } from './app-site.ts';

test('an app that is not there makes no data folder, and a list without apps says where it looked', async () => {
  const folder = folderForTest();
  const data = join(folder, 'data');
  expect(await gantry(data, 'app', 'add', join(folder, 'friends'))).toEqual({
    code: 1,
    out: '',
    err: `There is no folder ${folder}/friends.`,
  });
  expect(await readdir(folder)).toEqual([]);
  expect((await gantry(data, 'app', 'list')).out).toBe(`No apps yet in ${data}: gantry app add --help`);
});

describe.each(kinds)('gantry app on $name', (kind) => {
  let site: AppSite;
  beforeEach(async () => {
    site = await openAppSite(kind);
  });
  afterEach(() => site.close());

  const json = async (...args: string[]) => JSON.parse((await site.command('app', ...args, '--json')).out);

  /**
   * The app `score`, which two members have and one of them allowed, with a key of its own, AppData
   * and posts.
   */
  async function addScore(): Promise<void> {
    await site.command('app', 'add', await site.app('score', { name: 'Score' }));
    await site.import({
      members: [],
      installs: [
        { appId: 'score', memberId: '1', visibility: 'private' },
        { appId: 'score', memberId: '3' },
      ],
      consumers: [{ key: 'score-own', secret: 'score-own-secret', kind: 'app', appId: 'score' }],
      appData: [{ appId: 'score', memberId: '1', data: { best: '9' } }],
      activities: [
        { id: 'a1', userId: '1', title: 'Best score: 9', postedTime: '2026-05-01T09:30:00Z', appId: 'score' },
      ],
    });
    await site.allow(await site.mount('score'));
  }

  const read = async (app: string, operation: string, params: object = {}) =>
    site.call(await site.mount(app), operation, { userId: '@viewer', ...params });
  const saved = { id: 'c', ok: { 1: { best: '9' } } };

  test('a taken id is refused with what is there and both ways on, and nothing is changed (security rule 29)', async () => {
    await addScore();
    const before = await json('show', 'score');
    const { code, out, err } = await site.command('app', 'add', await site.app('spy'), '--id', 'score', '--trusted');
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(
      /^score is Score, from \/.*\/score, registered on \d{4}-\d\d-\d\d; 2 members allowed it, have it, or have data saved by it\. Nothing was changed\.$/m,
    );
    expect(err).toMatch(/^ {2}--update .*\n {2}--replace .*\n {2}--id ID /m);
    expect(await json('show', 'score')).toEqual(before);
    expect(await read('score', 'appdata.get')).toEqual(saved);
  });

  test('several folders are one command: each has its line, and the exit code says that one was not added', async () => {
    const folders = [await site.app('chess'), join(site.folder, 'missing'), await site.app('quiz')];
    const { code, out, err } = await site.command('app', 'add', ...folders);
    expect(out).toMatch(/^Registered chess: chess\nRegistered quiz: quiz\n {2}kept in {2}\/\S+ \(database \S+\)$/);
    expect(err).toMatch(/^Failed missing: There is no folder /m);
    expect(err).toMatch(/^1 of 3 apps were not added\.$/m);
    expect(code).toBe(1);
    await site.app('chess', { height: 300 });
    const again = await site.command('app', 'add', ...folders, '--update', '--json');
    expect(again.code).toBe(1);
    expect(again.out.split('\n').map((line) => JSON.parse(line))).toMatchObject([
      { id: 'chess', done: 'updated' },
      { id: 'missing', error: expect.any(String) },
      { id: 'quiz', done: 'unchanged' },
    ]);
    expect(await site.command('app', 'add', ...folders, '--id', 'chess')).toMatchObject({ code: 2 });
  });

  test('--update keeps what members allowed, what it saved and its own key, from any folder (security rule 29)', async () => {
    await addScore();
    const open = await site.mount('score');
    const { code, out } = await site.command('app', 'add', await site.app('moved'), '--id', 'score', '--update');
    expect([code, out]).toEqual([0, expect.stringMatching(/^Updated score: moved\n/)]);
    expect(await read('score', 'appdata.get')).toEqual(saved);
    expect(await site.call(open, 'appdata.get', { userId: '@viewer' })).toEqual(saved);
    expect((await site.ask('/appdata/@me/@self/@app', { key: 'score-own' })).status).toBe(200);
    const consumers = JSON.parse((await site.command('consumer', 'list', '--json')).out) as { container: boolean }[];
    expect(consumers.filter(({ container }) => container)).toHaveLength(1);
    await site.command('app', 'add', await site.app('moved', { fields: ['birthday'] }), '--id', 'score', '--update');
    expect((await site.mount('score')).consent.needed).toEqual(['people.birthday']);
    expect(await json('show', 'score')).toMatchObject({ updatedAt: expect.any(String), members: 2 });
  });

  test('--replace without an answer changes nothing, and says whom it concerns (security rule 29)', async () => {
    await addScore();
    const replace = ['app', 'add', await site.app('spy'), '--id', 'score', '--replace'];
    const { code, err } = await site.command(...replace);
    expect(code).toBe(2);
    expect(err).toMatch(/2 members.*\nIts grants, .* deleted\..*\nNothing was changed: confirm with --yes/);
    expect(await read('score', 'appdata.get')).toEqual(saved);
    expect(await site.command(...replace, '--update')).toMatchObject({ code: 2 });
  });

  test('--replace ends all that the old app had, for every member (security rule 29)', async () => {
    await addScore();
    const old = await site.mount('score');
    await site.call(old, 'activities.create', { activity: { title: 'Best score: 10' } });
    const before = await site.ask('/people/@me/@friends', { key: 'score-own' });
    expect(before.json).toMatchObject({ entry: [{ id: '2', hasApp: false }] });
    const { code, out } = await site.command(
      ...['app', 'add', await site.app('spy'), '--id', 'score', '--replace', '--yes'],
    );
    expect([code, out]).toEqual([0, expect.stringMatching(/^Replaced score: spy\n/)]);
    expect(await json('show', 'score')).toMatchObject({ name: 'spy', members: 0, haveIt: 0, savedBytes: 0 });

    const gone = { id: 'c', error: { code: 410, data: { reason: 'APP_REPLACED' } } };
    expect(await site.call(old, 'appdata.get')).toMatchObject(gone);
    expect(await site.call(old, 'appdata.update', { data: { best: '99' } })).toMatchObject(gone);
    expect(await site.allow(old)).toBe(410);
    expect((await site.ask('/appdata/@me/@self/@app', { key: 'score-own' })).status).toBe(401);

    const now = await site.mount('score');
    expect(now.consent.needed.length).toBeGreaterThan(0);
    expect(await read('score', 'people.get')).toMatchObject({ error: { data: { reason: 'NOT_GRANTED' } } });
    await site.allow(now);
    expect(await json('show', 'score')).toMatchObject({ members: 1, haveIt: 1, savedBytes: 0 });
    expect(await read('score', 'appdata.get')).toEqual({ id: 'c', ok: { 1: {} } });
    const posts = await read('score', 'activities.get', { appId: '@app' });
    expect(posts).toMatchObject({ ok: { list: [], totalResults: 0 } });
  });

  test('activities of a replaced app stay, with the audience that they had (contract §6)', async () => {
    await addScore();
    await site.command('app', 'add', await site.app('spy'), '--id', 'score', '--replace', '--yes');
    const stream = async (as: string) => (await site.ask('/activities/1/@self', { key: 'admin', as })).json;
    expect(await stream('1')).toMatchObject({ entry: [{ id: 'a1', title: 'Best score: 9' }] });
    expect(await stream('2')).toMatchObject({ entry: [] });
    // Another audience for the new app changes nothing of that.
    await site.import({ members: [], installs: [{ appId: 'score', memberId: '1', visibility: 'site' }] });
    expect(await stream('2')).toMatchObject({ entry: [] });
  });

  test('a removed id remembers its app: --update finds what that saved, and members are asked again (security rule 29)', async () => {
    await addScore();
    expect(await site.command('app', 'remove', 'score')).toEqual({ code: 0, out: 'Removed score.', err: '' });
    expect((await site.ask('/appdata/@me/@self/@app', { key: 'score-own' })).status).toBe(401);
    expect(await site.command('app', 'remove', 'score')).toMatchObject({ code: 2, err: 'There is no app "score".' });
    expect(await json('show', 'score')).toMatchObject({ state: 'removed', members: 1, haveIt: 0, savedFor: 1 });
    const add = ['app', 'add', await site.app('score')];
    const { code, err } = await site.command(...add, '--trusted');
    expect(code).toBe(1);
    expect(err).toMatch(/^score was Score, from .*, and was removed on .*; data of 1 member is left\./);
    expect((await site.command(...add, '--update')).out).toMatch(/^Updated score: score\n/);
    expect((await site.mount('score')).consent.needed.length).toBeGreaterThan(0);
    await site.allow(await site.mount('score'));
    expect(await read('score', 'appdata.get')).toEqual(saved);
  });

  test('a removed app can be replaced, which ends what was left of it (security rule 29)', async () => {
    await addScore();
    await site.command('app', 'remove', 'score');
    const add = ['app', 'add', await site.app('spy'), '--id', 'score', '--replace'];
    expect((await site.command(...add)).code).toBe(2);
    expect((await site.command(...add, '--yes')).out).toMatch(/^Replaced score: spy\n/);
    await site.allow(await site.mount('score'));
    expect(await read('score', 'appdata.get')).toEqual({ id: 'c', ok: { 1: {} } });
  });

  test('members and data that a world file gave an id are its app’s, which is added without a question', async () => {
    await site.import({
      members: [],
      apps: [{ id: 'score', title: 'Score' }],
      installs: [{ appId: 'score', memberId: '1' }],
      appData: [{ appId: 'score', memberId: '1', data: { best: '9' } }],
    });
    expect((await site.command('app', 'add', await site.app('score'), '--trusted')).code).toBe(0);
    expect(await read('score', 'appdata.get')).toEqual(saved);
  });

  test('a record with another address changes the words about an app, not what runs nor what was allowed (security rule 29)', async () => {
    await addScore();
    await site.import({ members: [], apps: [{ id: 'score', title: 'Spy', url: 'https://spy.example/' }] });
    expect(await json('show', 'score')).toMatchObject({ name: 'Score', source: { kind: 'stored' }, members: 2 });
    expect(await read('score', 'appdata.get')).toEqual(saved);
  });

  test('a remote app is known by its origin, and no folder becomes one (security rule 29)', async () => {
    const add = (url: string, ...flags: string[]) => site.command('app', 'add', url, '--id', 'quiz', ...flags);
    await add('https://apps.example/quiz/');
    expect(await add('https://apps.example/moved/', '--update')).toMatchObject({ code: 0 });
    expect(await add('https://apps.example:8443/', '--update')).toMatchObject({
      code: 1,
      err: 'quiz came from https://apps.example. An app from elsewhere is another app (--replace), not an update.',
    });
    expect(await add(await site.app('quiz'), '--update')).toMatchObject({
      code: 1,
      err: 'quiz came from a server of its own. An app from elsewhere is another app (--replace), not an update.',
    });
    expect(await json('show', 'quiz')).toMatchObject({ source: { url: 'https://apps.example/moved/' } });
  });

  test('trust stays as it was unless it is said, and what changes is said', async () => {
    const add = ['app', 'add', await site.app('score')];
    expect((await site.command(...add, '--trusted')).out).toMatch(/members {2}are not asked: the site trusts it/);
    expect((await site.command(...add, '--update')).out).toMatch(/members {2}are not asked: the site trusts it/);
    const lost = await site.command(...add, '--update', '--no-trusted');
    expect(lost.out).toMatch(/members {2}are asked from now on, since it is no longer trusted/);
    expect((await site.mount('score')).consent.needed.length).toBeGreaterThan(0);
    expect((await site.command(...add, '--update', '--trusted')).out).toMatch(/members {2}are no longer asked/);
    expect(await site.command(...add, '--update', '--trusted', '--no-trusted')).toMatchObject({ code: 2 });
  });

  test('a paused app is not shown, its calls and keys are refused, and nothing is lost', async () => {
    await addScore();
    const open = await site.mount('score');
    expect(await site.command('app', 'pause', 'score')).toMatchObject({ code: 0 });
    const paused = { error: { code: 503, data: { reason: 'APP_PAUSED' } } };
    expect(await site.instance('score')).toMatchObject(paused);
    expect(await site.call(open, 'appdata.get')).toMatchObject(paused);
    expect((await site.ask('/appdata/@me/@self/@app', { key: 'score-own' })).status).toBe(401);
    expect((await site.command('app', 'list')).out).toMatch(
      /^score +Score +[0-9a-f]{12}, \d+ B +paused +asks +2 +\/.*\/score$/m,
    );
    // Neither an update nor a record that does not say so resumes it.
    await site.command('app', 'add', await site.app('score'), '--update');
    await site.import({ members: [], apps: [{ id: 'score', title: 'Score' }] });
    expect(await json('show', 'score')).toMatchObject({ state: 'paused' });
    expect(await site.command('app', 'resume', 'score')).toMatchObject({ code: 0, out: 'Resumed score.' });
    expect(await site.call(open, 'appdata.get', { userId: '@viewer' })).toEqual(saved);
    expect(await site.command('app', 'pause', 'none')).toMatchObject({ code: 2, err: 'There is no app "none".' });
  });

  test.each(['dist', 'build', 'out', 'public'])('%s is no id: a name for the app is suggested', async (name) => {
    const folder = await site.app(`my-quiz/${name}`, { name: 'Harbour Quiz!' });
    expect(await site.command('app', 'add', folder)).toMatchObject({
      code: 2,
      err: `${name} is the name of a build folder, not of an app: choose an id, for example --id harbour-quiz`,
    });
    expect(await site.command('app', 'add', folder, '--id', name, '--update')).toMatchObject({ code: 1 });
    expect(await site.command('app', 'add', folder, '--id', 'replaced:x')).toMatchObject({ code: 1 });
    expect(await json('list')).toEqual([]);
  });

  test('add says where it wrote to, which version it stored, how it is shown and what check finds', async () => {
    const folder = await site.app('score', { name: 'Score', fields: ['birthday'] });
    await writeFile(join(folder, 'key.pem'), 'secret');
    await mkdir(join(folder, 'node_modules', 'lit'), { recursive: true });
    await writeFile(join(folder, 'node_modules', 'lit', 'lit.js'), 'export {}');
    const { out, err } = await site.command('app', 'add', folder);
    const [first, ...lines] = out.split('\n');
    expect(first).toBe('Registered score: Score');
    expect(lines[0]).toMatch(
      /^ {2}from {5}\/.*\/score, stored as version [0-9a-f]{12}: later changes count after --update$/,
    );
    expect(lines[1]).toMatch(
      /^ {2}serves {3}2 files, \d+ B \(the largest: gadget\.json, \d+ B\); not served: key\.pem, node_modules\/$/,
    );
    expect(lines[2]).toMatch(new RegExp(`^ {2}kept in {2}${site.folder}/data \\(database (/|postgres://…@)\\S+\\)$`));
    expect(lines[3]).toBe('  shown by <gantry-gadget app="score"></gantry-gadget> on a page of the site');
    expect(err).toContain(
      'Warning: gadget.json: Members are asked for people.get, which no script of the folder calls.',
    );
    expect(await json('add', folder, '--update')).toMatchObject({
      ...{ id: 'score', folder, name: 'Score', trusted: false, done: 'unchanged' },
      ...{ version: expect.stringMatching(/^[0-9a-f]{64}$/), bytes: expect.any(Number), was: { name: 'Score' } },
      served: [{ path: 'gadget.json' }, { path: 'index.html', size: 55 }],
      notServed: ['key.pem', 'node_modules/'],
      warnings: expect.arrayContaining([expect.stringContaining('people.get')]),
    });
  });

  test('show says everything about one app but its secret; list the state, origin and members of all', async () => {
    await addScore();
    const details = await json('show', 'score');
    expect(details).toMatchObject({
      ...{ id: 'score', name: 'Score', state: 'active', trusted: false, members: 2, haveIt: 2, savedFor: 1 },
      ...{ savedBytes: 5, key: expect.stringMatching(/^[0-9a-f]{32}$/), registeredAt: expect.any(String) },
    });
    const { out } = await site.command('app', 'show', 'score');
    expect(out).toMatch(
      /^score: Score\nstate +active\nversion +[0-9a-f]{12}, \d+ B\nfrom +\/.*\/score\nconsent +members are asked\n/,
    );
    expect(out).toMatch(/^ {2}- See your name and picture.* \(people\)$/m);
    expect(await json('list')).toMatchObject([{ id: 'score', state: 'active', members: 2, trusted: false }]);
    expect((await site.command('app', 'list')).out).toMatch(/^id +name +version +state +consent +members +from$/m);
    expect(await site.command('app', 'show', 'none')).toMatchObject({ code: 2, err: 'There is no app "none".' });
  });
});
