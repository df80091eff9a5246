import { type Database, StoreError, sql } from '@gantry/store';
import type { Instance } from '@gantry/wire';
import { describe, expect, test } from 'vitest';
import { databases } from '../../../service/test/databases.ts';
import { logAppChange } from '../../src/events/changes.ts';
import { proxyChangeLog } from '../../src/events/proxied-changes.ts';
import { decideVersion } from '../../src/versions/decide-version.ts';
import { endPreview, offerPreview } from '../../src/versions/previews.ts';
import { openSite } from '../site.ts';
import { appOf, openStoredSite, type StoredSite } from './stored-site.ts';

const minuteMs = 60_000;
const people = appOf({ uses: ['people.get'] });
const notes = appOf({ uses: ['people.get', 'appdata.get'], optional: { uses: ['appdata.update'] } });
const photos = appOf({ uses: ['people.get', 'albums.get'] });

const grant = (site: StoredSite, { token }: Instance, names: readonly string[], kind: 'grant' | 'revoke' = 'grant') =>
  site.post('/gantry/grants', { token, [kind]: names });
const decide = async (site: StoredSite, { token }: Pick<Instance, 'token'>, accept: boolean) => {
  const response = await site.post('/gantry/previews', { token, accept });
  return [response.status, await response.json()] as const;
};
const read = async (site: StoredSite, gadget: Instance, operation = 'people.get') => {
  const call = {
    id: 'c',
    instance: gadget.instance,
    operation,
    params: operation === 'albums.get' ? {} : { userId: '@viewer' },
  };
  const reply = (await site.call([call], [gadget])).get('c');
  return reply && 'error' in reply ? reply.error.data?.reason : 'ok';
};
const offer = (site: StoredSite, digest: string, members: readonly string[] = ['7']) =>
  offerPreview(site.db, { app: 'quiz', registration: 'first', digest, members, by: 'test', nowMs: site.nowMs });

describe.each(databases)('versions on pages, on $name', ({ open }) => {
  const openQuiz = async (over = (db: Database) => db) => openStoredSite({ db: over(await open()) });

  test('a new page gets the live version, and one that runs another keeps it', async () => {
    const site = await openQuiz();
    const first = await site.release(people);
    expect(await site.ask()).toMatchObject({ version: first, document: expect.stringContaining(`/@${first}/`) });
    expect(await site.ask()).not.toHaveProperty('live');
    const second = await site.release(notes);
    const renewed = await site.ask({ version: first });
    expect(renewed).toMatchObject({ version: first, live: second, document: expect.stringContaining(`/@${first}/`) });
    expect(renewed.uses).toEqual(['people.get']);
    expect(await site.ask()).toMatchObject({ version: second, uses: ['people.get', 'appdata.get', 'appdata.update'] });
    expect(await site.ask({ version: second })).not.toHaveProperty('live');
    await site.point(first); // rolled back
    expect(await site.ask({ version: second })).toMatchObject({ version: second, live: first });
  });

  test('a version that is gone, refused, or of nobody gives way to the live one', async () => {
    const site = await openQuiz();
    const first = await site.release(people);
    const second = await site.release(notes);
    const waiting = await site.push(photos, 'waiting');
    for (const version of [waiting, 'f'.repeat(64)])
      expect(await site.ask({ version })).toMatchObject({ version: second });
    await site.db.query(sql`delete from app_versions where digest = ${first}`);
    expect(await site.ask({ version: first })).toMatchObject({ version: second });
    const wrong = await site.post('/gantry/instances', [{ app: 'quiz', version: '../x' }]);
    expect([wrong.status, (await wrong.json()).error.message]).toEqual([
      400,
      'The body: [0].version must be the digest of a version',
    ]);
  });

  test('a live folder and a remote app have no version', async () => {
    const { mount } = await openSite({ db: await open() });
    for (const app of ['friends', 'elsewhere']) {
      const instance = await mount({ app, version: 'f'.repeat(64) });
      expect(Object.keys(instance)).not.toEqual(
        expect.arrayContaining([expect.stringMatching(/^(?:version|live|preview)$/)]),
      );
    }
  });

  test('a new permission is asked for by the new version, while the old one goes on', async () => {
    const site = await openQuiz();
    const first = await site.release(people);
    const before = await site.ask();
    await grant(site, before, ['people']);
    const second = await site.release(notes);
    expect((await site.ask()).consent).toEqual({ needed: ['appdata'], optional: ['appdata.write'] });
    expect((await site.ask({ version: first })).consent).toEqual({ needed: [], optional: [] });
    expect([await read(site, before), await read(site, before, 'appdata.get')]).toEqual(['ok', 'NOT_GRANTED']);
    const after = await site.ask();
    await grant(site, before, ['appdata']); // not what this version declares
    expect(await read(site, after, 'appdata.get')).toBe('NOT_GRANTED');
    await grant(site, after, ['appdata']);
    expect([await read(site, after, 'appdata.get'), await read(site, before, 'appdata.get')]).toEqual([
      'ok',
      'NOT_GRANTED',
    ]);
    const rows = await site.db.query(sql`select permission, version from app_grants order by permission`);
    expect(rows.map((row) => ({ ...row }))).toEqual([
      { permission: 'appdata', version: second },
      { permission: 'people', version: first },
    ]);
  });

  test('who takes back all that the live version has takes it from every open page', async () => {
    const site = await openQuiz();
    const first = await site.release(photos);
    const old = await site.ask();
    await grant(site, old, ['people', 'albums']);
    await site.release(people);
    const now = await site.ask();
    expect(await read(site, old, 'albums.get')).toBe('ok'); // the control
    site.nowMs += 1;
    await grant(site, now, ['people'], 'revoke');
    expect(await read(site, old, 'albums.get')).toBe('NOT_GRANTED');
    expect((await site.ask({ version: first })).consent.needed).toEqual(['people', 'albums']);
    site.nowMs += 1;
    await grant(site, old, ['people', 'albums']); // asked again there, and allowed
    expect([await read(site, old, 'albums.get'), await read(site, now)]).toEqual(['ok', 'ok']);
  });

  test('trust does not outlast that a member took all back', async () => {
    const site = await openQuiz();
    await site.release(photos, { trusted: true });
    const old = await site.ask();
    await site.release(people);
    expect(await read(site, old, 'albums.get')).toBe('ok');
    site.nowMs += 1;
    await grant(site, await site.ask(), ['people'], 'revoke');
    expect(await read(site, old, 'albums.get')).toBe('NOT_GRANTED');
  });

  test('the sweeper hears of a version that pages have, at most every five minutes', async () => {
    const site = await openQuiz();
    const first = await site.release(people);
    await site.release(notes);
    const named = async () => {
      const [row] = await site.db.query<{ at: number }>(
        sql`select named_at_ms as at from app_versions where digest = ${first}`,
      );
      return row?.at;
    };
    const startMs = site.nowMs;
    site.nowMs += minuteMs;
    await site.ask(); // the live one
    expect(await named()).toBe(startMs);
    await site.ask({ version: first });
    expect(await named()).toBe(startMs + minuteMs);
    site.nowMs += 4 * minuteMs;
    await site.ask({ version: first });
    expect(await named()).toBe(startMs + minuteMs);
    site.nowMs += minuteMs;
    await site.ask({ version: first });
    expect(await named()).toBe(startMs + 6 * minuteMs);
  });

  test('an old page works as well while nothing can be written (security rule 23)', async () => {
    let isReadOnly = false;
    const refused: string[] = [];
    const site = await openQuiz((db) => ({
      ...db,
      async batch(statements) {
        if (!isReadOnly) return db.batch(statements);
        refused.push(...statements.map(({ strings }) => strings.join('?').trim().slice(0, 19)));
        throw new StoreError('full', 'the disk is read-only');
      },
    }));
    const first = await site.release(people);
    await site.release(notes);
    isReadOnly = true;
    expect(await site.ask({ version: first })).toMatchObject({ version: first });
    expect(refused).toEqual(['update app_versions']);
  });

  test('a preview is offered to those members who were named, and shown to those who accept it', async () => {
    const site = await openQuiz();
    const live = await site.release(people);
    const digest = await site.push(appOf({ name: 'Next', uses: ['people.get'] }), 'preview');
    await offer(site, digest, ['7', '8']);
    const offered = await site.ask();
    expect(offered).toMatchObject({ version: live, preview: 'offered', context: { app: { title: 'Quiz' } } });
    expect(await decide(site, offered, true)).toEqual([200, {}]);
    const shown = await site.ask();
    expect(shown).toMatchObject({ version: digest, live, preview: 'shown', context: { app: { title: 'Next' } } });
    expect(await site.ask({ version: digest })).toMatchObject({ version: digest, preview: 'shown' });
    expect(await site.ask({ version: live })).toMatchObject({ version: live }); // an open page keeps what it runs
    site.viewer = '8';
    const other = await site.ask();
    expect(other).toMatchObject({ version: live, preview: 'offered' });
    expect(await decide(site, other, false)).toEqual([200, {}]);
    expect(await site.ask()).not.toHaveProperty('preview'); // asked once
    site.viewer = '9';
    for (const version of [undefined, digest]) {
      const instance = await site.ask(version === undefined ? {} : { version });
      expect([instance.version, instance.preview]).toEqual([live, undefined]);
    }
  });

  test('a member leaves a preview, and an administrator ends or refuses it', async () => {
    const site = await openQuiz();
    const live = await site.release(people);
    const digest = await site.push(notes, 'preview');
    const name = { app: 'quiz', registration: 'first', digest, by: 'test', nowMs: site.nowMs };
    const enter = async () => {
      await decide(site, await site.ask(), true);
      return site.ask();
    };
    await offer(site, digest);
    const shown = await enter();
    expect(shown.version).toBe(digest);
    expect(await decide(site, shown, false)).toEqual([200, {}]);
    expect([(await site.ask()).version, (await site.ask({ version: digest })).version]).toEqual([live, live]);
    await endPreview(site.db, name);
    await offer(site, digest);
    expect((await enter()).version).toBe(digest);
    await endPreview(site.db, name);
    expect((await site.ask({ version: digest })).version).toBe(live);
    await offer(site, digest);
    expect((await enter()).version).toBe(digest);
    await decideVersion(site.db, { ...name, approve: false });
    expect((await site.ask({ version: digest })).version).toBe(live);
    expect(await decide(site, shown, true)).toMatchObject([404, { error: { data: { reason: 'NOT_FOUND' } } }]);
  });

  test('an answer is about the version that was offered, not the one that is offered meanwhile', async () => {
    const site = await openQuiz();
    const live = await site.release(people);
    const [first, second] = [await site.push(notes, 'preview'), await site.push(photos, 'preview')];
    await offer(site, first);
    const asked = await site.ask();
    await offer(site, second);
    expect(await decide(site, asked, true)).toMatchObject([404, {}]);
    expect(await site.ask()).toMatchObject({ version: live, preview: 'offered' });
  });

  test('a preview has what the live version has and it declares too, and asks for nothing else', async () => {
    const site = await openQuiz();
    await site.release(notes); // people, appdata; optional appdata.write
    await grant(site, await site.ask(), ['people']);
    const wanting = appOf({
      ...{
        uses: ['people.get', 'albums.get'],
        fields: ['birthday'],
        optional: { uses: ['appdata.get', 'activities.get'] },
      },
      hosts: ['https://evil.example'],
    });
    const digest = await site.push(wanting, 'preview');
    await offer(site, digest);
    await decide(site, await site.ask(), true);
    const shown = await site.ask();
    expect([shown.version, shown.consent, shown.context.permissions]).toEqual([
      digest,
      { needed: [], optional: ['appdata'] },
      ['people'],
    ]);
    await grant(site, shown, ['albums', 'people.birthday', 'host:https://evil.example', 'activities', 'appdata']);
    expect((await site.ask()).context.permissions).toEqual(['people', 'appdata']);
    expect([await read(site, shown), await read(site, shown, 'appdata.get')]).toEqual(['ok', 'ok']);
    expect([await read(site, shown, 'albums.get'), await read(site, shown, 'activities.get')]).toEqual([
      'NOT_GRANTED',
      'NOT_GRANTED',
    ]);
    // The control: accepted and live, it asks for the rest, and then has it.
    await site.release(wanting);
    const live = await site.ask();
    expect(live.consent.needed).toEqual(['albums', 'people.birthday', 'host:https://evil.example']);
    await grant(site, live, live.consent.needed);
    expect(await read(site, live, 'albums.get')).toBe('ok');
  });

  test('a preview of a trusted app is not trusted beyond the live version', async () => {
    const site = await openQuiz();
    await site.release(people, { trusted: true });
    await offer(site, await site.push(photos, 'preview'));
    await decide(site, await site.ask(), true);
    const shown = await site.ask();
    expect([await read(site, shown), await read(site, shown, 'albums.get')]).toEqual(['ok', 'NOT_GRANTED']);
  });

  test('a preview waits for the hosts that the live version waits for', async () => {
    const site = await openQuiz();
    const host = 'https://images.example';
    await site.release(people);
    await grant(site, await site.ask(), ['people']);
    await site.release(appOf({ uses: ['people.get'], hosts: [host] }));
    await offer(site, await site.push(appOf({ name: 'Next', uses: ['people.get'], hosts: [host] }), 'preview'));
    await decide(site, await site.ask(), true);
    const shown = await site.ask();
    expect([shown.preview, shown.consent.needed, await read(site, shown)]).toEqual([
      'shown',
      [`host:${host}`],
      'NOT_GRANTED',
    ]);
  });
});

test('an answer about a preview needs a signed-in member, their token, and a page of the site (rules 3 and 10)', async () => {
  const site = await openStoredSite();
  await site.release(people);
  const plain = await site.ask();
  await offer(site, await site.push(notes, 'preview'));
  const { token } = await site.ask();
  const status = async (body: unknown, headers?: Record<string, string>) =>
    (await site.post('/gantry/previews', body, headers)).status;
  expect(await status({ token, accept: true }, { Origin: 'https://evil.example' })).toBe(403);
  expect(await status({ token, accept: 'yes' })).toBe(400);
  expect(await status({ accept: true })).toBe(400);
  expect(await status({ token: `${token}x`, accept: true })).toBe(401);
  expect(await status({ token: plain.token, accept: true })).toBe(404); // nothing was offered then
  site.viewer = '8';
  expect(await status({ token, accept: true })).toBe(401);
  site.viewer = undefined;
  expect(await status({ token, accept: true })).toBe(401);
  site.viewer = '7';
  expect(await status({ token, accept: true })).toBe(200); // the control
});

test('who is not signed in is offered nothing', async () => {
  const site = await openStoredSite({ viewer: async () => undefined });
  const live = await site.release(people);
  await offer(site, await site.push(notes, 'preview'));
  const instance = await site.ask();
  expect([instance.version, instance.preview]).toEqual([live, undefined]);
});

test('a page with a hundred gadgets of old versions costs a few statements', async () => {
  const site = await openStoredSite();
  const versions: string[] = [];
  for (let index = 0; index < 3; index += 1)
    versions.push(await site.release(appOf({ description: `number ${index}` })));
  const { query } = site.db;
  let count = 0;
  site.db.query = (statement) => {
    count += 1;
    return query(statement);
  };
  const body = Array.from({ length: 100 }, (_, index) => ({ app: 'quiz', version: versions[index % 3] }));
  expect((await site.post('/gantry/instances', body)).status).toBe(200);
  expect(count).toBeLessThan(10);
  count = 0;
  await site.post(
    '/gantry/instances',
    Array.from({ length: 100 }, (_, index) => ({ app: 'quiz', version: `${index}`.padStart(64, '0') })),
  );
  expect(count).toBeLessThan(10); // names of a stranger
});

test('a paused app shows no version', async () => {
  const site = await openStoredSite();
  const first = await site.release(people);
  await site.release(notes);
  await site.db.batch([
    sql`update app_registrations set paused = 1 where id = 'quiz'`,
    logAppChange(proxyChangeLog, 'quiz'),
  ]);
  expect(await site.answerOf({ version: first })).toMatchObject({ error: { data: { reason: 'APP_PAUSED' } } });
});
