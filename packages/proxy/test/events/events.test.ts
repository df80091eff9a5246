import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ChangeSource, type ProxyOptions, revokeGrants } from '@gantry/proxy';
import { createAudience, importWorld, serviceMigrations, siteChanges, writeSetting } from '@gantry/service';
import { createChangeFeed, migrate, openSqlite, sql } from '@gantry/store';
import { silentLogger } from '@gantry/wire/runtime';
import { describe, expect, test } from 'vitest';
import { registerApp } from '../register-app.ts';
import { appFolder, consumerOf, openSite, type Site, says, secretKey, siteUrl } from '../site.ts';
import { openStream } from './event-reader.ts';

// 7 and 8 are friends, 9 is nobody's. 6 is a friend of 7, and has blocked 8.
const world = {
  site: { name: 'Test', publicUrl: siteUrl },
  members: ['6', '7', '8', '9'].map((id) => ({ id, displayName: `Member ${id}` })),
  friendships: [
    ['7', '8'],
    ['7', '6'],
  ],
  blocks: [['6', '8']],
  apps: ['friends', 'notes'].map((id) => ({ id, title: id, url: '' })),
  installs: ['friends', 'notes'].flatMap((appId) => ['6', '7', '8', '9'].map((memberId) => ({ appId, memberId }))),
  consumers: ['friends', 'notes'].map((appId) => ({ ...consumerOf(appId), kind: 'app', appId, container: true })),
};

interface Setting {
  readonly site: Site;
  /** Writes as another process would, and lets this one look. */
  write(memberId: string, change?: { readonly topic?: string; readonly appId?: string }): Promise<void>;
  /** Lets time pass for the streams. */
  pass(ms: number): void;
  /** Lets streams look once more, while the time of day stands still. */
  look(): void;
}

async function opened(options: Partial<ProxyOptions> & Partial<Pick<ChangeSource, 'audience'>> = {}): Promise<Setting> {
  const ticks = new Set<() => void>();
  const db = openSqlite({ file: ':memory:' });
  await migrate(db, { name: 'service', migrations: serviceMigrations });
  const folder = mkdtempSync(join(tmpdir(), 'gantry-events-'));
  await importWorld(db, world, { folder, mediaFolder: folder, secretKey });
  const newFeed = () => createChangeFeed({ db, log: siteChanges, every: () => () => {} });
  const feed = newFeed();
  const site = await openSite({
    db,
    changes: { feed, log: siteChanges, cacheFeed: newFeed(), audience: options.audience ?? createAudience(db) },
    every(tick) {
      ticks.add(tick);
      return () => ticks.delete(tick);
    },
    ...options,
  });
  return {
    site,
    async write(memberId, { topic = 'people', appId } = {}) {
      await site.db.query(siteChanges.add({ topic, memberId, appId }));
      feed.wake();
    },
    pass(ms) {
      site.nowMs += ms;
      for (const tick of ticks) tick();
    },
    look() {
      for (const tick of ticks) tick();
    },
  };
}

const appData = (member: string, app: string) => ({ topic: 'appData', member, app });

describe('a stream is opened', () => {
  test('only for a page of the site itself, with its headers (security rule 10)', async () => {
    const { site } = await opened();
    const { instance, token, since } = await site.mount({ app: 'friends' });
    const status = async (change: Record<string, string | undefined>) =>
      (await site.post('/gantry/events', { tokens: { [instance]: token }, since: [since] }, change)).status;
    expect(await status({})).toBe(200);
    expect(await status({ 'Gantry-Container': undefined })).toBe(403);
    expect(await status({ Origin: 'https://evil.example' })).toBe(403);
    expect(await status({ Origin: 'null' })).toBe(403);
    expect(await status({ 'Content-Type': 'text/plain' })).toBe(415);
    expect((await site.get('/gantry/events')).status).toBe(405);
    expect((await site.post('/gantry/events', { tokens: {}, since: [since] })).status).toBe(400);
    expect((await site.post('/gantry/events', { tokens: { [instance]: token } })).status).toBe(400);
  });

  test('with valid tokens of the member who is signed in (security rule 9)', async () => {
    const { site } = await opened();
    const gadget = await site.mount({ app: 'friends' });
    const refused = async () => {
      const { response } = await openStream(site, [gadget]);
      return [response.status, response.status === 200 ? '' : (await response.json()).error.data.reason];
    };
    expect(await refused()).toEqual([200, '']);
    site.viewer = '8';
    expect(await refused()).toEqual([401, 'VIEWER_CHANGED']);
    site.viewer = undefined;
    expect(await refused()).toEqual([401, 'VIEWER_CHANGED']);
    site.viewer = '7';
    site.nowMs += 601_000;
    expect(await refused()).toEqual([401, 'TOKEN_EXPIRED']);
    const stolen = { ...gadget, instance: 'another' };
    const { response } = await openStream(site, [stolen]);
    expect(response.status).toBe(401);
  });

  test.each(['1.2', '0.9.3'])(
    'with two hundred tokens at most, whatever the version of the API: %s (security rule 25)',
    async (version) => {
      const { site } = await opened();
      await writeSetting(site.db, 'apiVersion', version);
      const gadgets = await Promise.all(
        Array.from({ length: 201 }, (_, index) => site.mount({ app: 'notes', owner: `owner${index}` })),
      );
      const { response } = await openStream(site, gadgets);
      expect(response.status).toBe(400);
      expect((await response.json()).error.message).toBe('The body: tokens must be an object of at most 200 tokens');
      expect((await openStream(site, gadgets.slice(1))).response.status).toBe(200);
    },
  );

  test('without reading the body of an anonymous request (security rule 25)', async () => {
    const { site } = await opened();
    const tokens = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [index, 'x']));
    expect((await site.post('/gantry/events', { tokens, since: ['x'] })).status).toBe(400); // control: a member's is
    site.viewer = undefined;
    const { status } = await site.post('/gantry/events', { tokens, since: ['x'] });
    expect(status).toBe(401);
  });

  test('up to the limits (security rule 20)', async () => {
    const { site } = await opened({ eventLimits: { streams: 3, ofViewer: 2 } });
    const open = async (viewer: string) => {
      site.viewer = viewer;
      return openStream(site, [await site.mount({ app: 'friends' })]);
    };
    const first = await open('7');
    expect((await open('7')).response.status).toBe(200);
    expect((await open('7')).response.status).toBe(429);
    expect((await open('8')).response.status).toBe(200);
    expect((await open('9')).response.status).toBe(503);
    expect(site.proxy.streams).toBe(3);
    await first.leave();
    expect(site.proxy.streams).toBe(2);
    expect((await open('9')).response.status).toBe(200);
  });
});

describe('a stream that is opened again and again', () => {
  /** Opens and closes a stream, and returns the members of its first event. */
  async function reopen({ site }: Setting, gadget: Awaited<ReturnType<Site['mount']>>) {
    const stream = await openStream(site, [gadget]);
    const first = await stream.next();
    await stream.leave();
    return first?.data === undefined ? [] : membersOf(first);
  }

  test.each([
    ['little', 50, []],
    ['much', 51, ['*']],
  ])(
    'at a position that missed %s catches up, from the 31st time in a minute with everything (security rule 25)',
    async (_, missed, last) => {
      const place = await opened();
      const gadget = await place.site.mount({ app: 'notes' });
      for (let n = 0; n < missed; n++) await place.write(`stranger${n}`);
      for (let n = 0; n < 30; n++) expect(await reopen(place, gadget)).toEqual([]);
      expect(await reopen(place, gadget)).toEqual(last);
      place.pass(60_000);
      expect(await reopen(place, gadget)).toEqual([]);
    },
  );

  test('at a position that missed more than five hundred changes begins with everything (security rule 25)', async () => {
    const place = await opened();
    const gadget = await place.site.mount({ app: 'notes' });
    for (let n = 0; n < 500; n++) await place.write(`stranger${n}`);
    expect(await reopen(place, gadget)).toEqual([]);
    await place.write('stranger500');
    expect(await reopen(place, gadget)).toEqual(['*']);
  });

  test('is refused after 240 openings of a member, and others are not (security rule 25)', async () => {
    const place = await opened();
    const gadget = await place.site.mount({ app: 'notes' });
    for (let n = 0; n < 240; n++) await reopen(place, gadget);
    const { response } = await openStream(place.site, [gadget]);
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '1']);
    place.site.viewer = '8';
    expect(await reopen(place, await place.site.mount({ app: 'notes' }))).toEqual([]);
  });
});

describe('a page receives', () => {
  test('the stale topics of a friend’s write, and nothing of a stranger’s (security rule 14)', async () => {
    const { site, write } = await opened();
    const stream = await openStream(site, [await site.mount({ app: 'notes' })]);
    expect(stream.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(stream.response.headers.get('x-accel-buffering')).toBe('no');
    expect(await stream.next()).toEqual({ id: expect.any(String) });
    await write('9', { topic: 'appData', appId: 'notes' }); // a stranger
    await write('8', { topic: 'appData', appId: 'friends' }); // an app that is not on the page
    await write('8', { topic: 'appData', appId: 'notes' });
    expect(await stream.next()).toEqual({ id: expect.any(String), event: 'changes', data: [appData('8', 'notes')] });
  });

  test('strangers’ changes without the rule: the positive control', async () => {
    const { site, write } = await opened({ audience: async (news, all) => news.map(() => [...all]) });
    const stream = await openStream(site, [await site.mount({ app: 'notes' })]);
    await stream.next();
    await write('9', { topic: 'appData', appId: 'notes' });
    expect(await stream.next()).toMatchObject({ data: [appData('9', 'notes')] });
  });

  test('nothing of a member who has blocked the viewer, even on that member’s page (contract §6)', async () => {
    const { site, write } = await opened();
    site.viewer = '8';
    const stream = await openStream(site, [await site.mount({ app: 'notes', owner: '6' })]);
    await stream.next();
    await write('6');
    await write('6', { topic: 'appData', appId: 'notes' });
    await write('8', { topic: 'activities' });
    expect(await stream.next()).toMatchObject({ data: [{ topic: 'activities', member: '8' }] });
    site.viewer = '7';
    const friend = await openStream(site, [await site.mount({ app: 'notes' })]);
    await friend.next();
    await write('6', { topic: 'activities' });
    expect(await friend.next()).toMatchObject({ data: [{ topic: 'activities', member: '6' }] });
  });

  test('its member’s decisions about its apps, of any process, and no others (security rule 14)', async () => {
    const { site, write } = await opened({ audience: async (news, all) => news.map(() => [...all]) });
    await registerApp(site.db, secretKey, {
      id: 'asking',
      folder: await appFolder(),
      manifest: { name: 'CallContext', page: 'index.html', uses: ['people.get'] },
      consumerKey: 'k',
      consumerSecret: 's',
    });
    const [asking, notes] = [await site.mount({ app: 'asking' }), await site.mount({ app: 'notes' })];
    const mine = await openStream(site, [asking]);
    const elsewhere = await openStream(site, [notes]); // of the same member, without the app
    site.viewer = '8';
    const friends = await openStream(site, [await site.mount({ app: 'asking', owner: '7' })]);
    for (const stream of [mine, elsewhere, friends]) await stream.next();
    site.viewer = '7';
    await site.post('/gantry/grants', { token: asking.token, grant: ['people'] });
    const log = silentLogger;
    const decisions = { db: site.db, changes: siteChanges, installs: undefined, now: () => site.nowMs, log };
    await revokeGrants(decisions, { viewer: '7', app: 'asking' }); // as another process would
    await write('9', { topic: 'appData', appId: 'notes' });
    expect(await mine.next()).toMatchObject({
      data: [{ topic: 'grants', member: '7', app: 'asking' }, appData('9', 'notes')],
    });
    for (const stream of [elsewhere, friends])
      expect(await stream.next()).toMatchObject({ data: [appData('9', 'notes')] });
  });

  test('another live version of its apps, and a preview for its member, and no others', async () => {
    const { site, write } = await opened();
    const [notes, friends] = [await site.mount({ app: 'notes' }), await site.mount({ app: 'friends' })];
    const mine = await openStream(site, [notes]);
    const elsewhere = await openStream(site, [friends]); // of the same member, without the app
    site.viewer = '9';
    const stranger = await openStream(site, [await site.mount({ app: 'notes' })]);
    for (const stream of [mine, elsewhere, stranger]) await stream.next();
    await write('', { topic: 'versions', appId: 'notes' });
    const live = { topic: 'versions', member: '*', app: 'notes' };
    for (const stream of [mine, stranger]) expect(await stream.next()).toMatchObject({ data: [live] });
    await write('9', { topic: 'versions', appId: 'notes' });
    expect(await stranger.next()).toMatchObject({ data: [{ ...live, member: '9' }] });
    await write('7', { topic: 'albums' });
    for (const stream of [mine, elsewhere]) {
      expect(await stream.next()).toMatchObject({ data: [{ topic: 'albums' }, { topic: 'mediaItems' }] });
    }
  });

  test('all topics of a changed person; after a setting, all topics', async () => {
    const { site, write } = await opened();
    const stream = await openStream(site, [await site.mount({ app: 'notes' })]);
    await stream.next();
    await write('8');
    const topics = ['people', 'activities', 'appData', 'albums', 'mediaItems'];
    expect(await stream.next()).toMatchObject({ data: topics.map((topic) => ({ topic, member: '8' })) });
    await writeSetting(site.db, 'pageSize', '5');
    await write('9', { topic: 'albums' });
    expect(await stream.next()).toMatchObject({ data: topics.map((topic) => ({ topic, member: '*' })) });
  });

  test('positions that do not reveal how much is written (security rule 8)', async () => {
    const { site, write } = await opened();
    const { since = '' } = await site.mount({ app: 'notes' });
    await write('9');
    const { since: next = '' } = await site.mount({ app: 'notes' });
    expect(since).toMatch(/^v1\.[\w-]{38,40}$/);
    expect(next.length).toBe(since.length);
    expect(next).not.toBe(since);
  });
});

describe('a page that reconnects', () => {
  test('receives the changes that it missed on any stream', async () => {
    const { site, write } = await opened();
    const gadget = await site.mount({ app: 'notes' });
    await write('8', { topic: 'activities' }); // after the page was opened, before its stream
    const stream = await openStream(site, [gadget]);
    const first = await stream.next();
    expect(first).toMatchObject({ data: [{ topic: 'activities', member: '8' }] });
    await stream.leave();
    await write('9', { topic: 'activities' });
    await write('7', { topic: 'albums' });
    const again = await openStream(site, [gadget], first?.id);
    expect(await again.next()).toMatchObject({ data: [{ topic: 'albums' }, { topic: 'mediaItems' }] });
    await write('8', { topic: 'activities' });
    expect(await again.next()).toMatchObject({ data: [{ topic: 'activities', member: '8' }] });
  });

  test('with an old or unknown position receives all topics', async () => {
    const { site, write } = await opened();
    const gadget = await site.mount({ app: 'notes' });
    for (const id of ['8', '9', '9']) await write(id);
    await site.db.query(sql`delete from change_log where position < (select max(position) from change_log)`);
    expect(membersOf(await (await openStream(site, [gadget])).next())).toEqual(['*']);
    expect(membersOf(await (await openStream(site, [gadget], 'v1.forged')).next())).toEqual(['*']);
    expect(membersOf(await (await openStream(site, [gadget], '17')).next())).toEqual(['*']);
  });
});

describe('a stream’s life', () => {
  test('a heartbeat every 15 seconds carries the position', async () => {
    const { site, write, pass } = await opened();
    const stream = await openStream(site, [await site.mount({ app: 'notes' })]);
    const first = await stream.next();
    pass(15_000);
    expect(await stream.next()).toEqual({});
    await write('9');
    await new Promise(setImmediate); // lets the event arrive
    pass(15_000);
    const beat = await stream.next();
    expect(beat).toEqual({ id: expect.any(String) });
    expect(beat?.id).not.toBe(first?.id);
  });

  test('a clock that was set back or stopped silences no stream: ticks count too', async () => {
    const { site, look } = await opened();
    const stream = await openStream(site, [await site.mount({ app: 'notes' })]);
    await stream.next();
    site.nowMs -= 3_600_000;
    for (let looks = 0; looks < 15; looks++) look();
    expect(await stream.next()).toEqual({});
  });

  test('it ends when a token does, and says so (security rule 9)', async () => {
    const { site, pass } = await opened();
    const stream = await openStream(site, [await site.mount({ app: 'notes' })]);
    await stream.next();
    pass(601_000);
    expect(await stream.next()).toEqual({ event: 'end', data: 'expired' });
    expect(await stream.next()).toBeUndefined();
    expect(site.proxy.streams).toBe(0);
  });

  test('it ends when another member is signed in', async () => {
    const { site, pass } = await opened();
    const stream = await openStream(site, [await site.mount({ app: 'notes' })]);
    await stream.next();
    site.viewer = '8';
    pass(15_000);
    expect(await stream.next()).toEqual({ event: 'end', data: 'expired' });
  });

  test('a stream that is not read ends (security rule 20)', async () => {
    const { site, write } = await opened();
    const gadget = await site.mount({ app: 'notes' });
    await openStream(site, [gadget]);
    const reading = await openStream(site, [gadget]);
    await reading.next();
    for (let index = 0; site.proxy.streams === 2 && index < 5_000; index++) {
      await write('8');
      await reading.next();
    }
    expect(site.proxy.streams).toBe(1);
  });

  test('the end of the process ends all of them, and lets no more in (security rule 21)', async () => {
    const { site } = await opened();
    const gadget = await site.mount({ app: 'notes' });
    const stream = await openStream(site, [gadget]);
    await stream.next();
    site.proxy.endStreams();
    expect(await stream.next()).toEqual({ event: 'end', data: 'later' });
    expect(await stream.next()).toBeUndefined();
    expect((await openStream(site, [gadget])).response.status).toBe(503);
  });
});

describe('before a foreign upstream', () => {
  test('writes through this proxy notify the member’s pages, and without the member’s id all others with the app', async () => {
    const ticks = new Set<() => void>();
    const site = await openSite({
      upstream: async () => says({ entry: {} }),
      every(tick) {
        ticks.add(tick);
        return () => ticks.delete(tick);
      },
    });
    const open = async (viewer: string, app: string) => {
      site.viewer = viewer;
      return openStream(site, [await site.mount({ app, owner: '7' })]);
    };
    const streams = [await open('7', 'notes'), await open('8', 'notes'), await open('8', 'friends')] as const;
    for (const stream of streams) await stream.next();
    site.viewer = '7';
    const gadget = await site.mount({ app: 'notes' });
    const call = { id: 'w', instance: gadget.instance, operation: 'appdata.update', params: { data: { a: '1' } } };
    expect((await site.call([call], [gadget])).get('w')).toEqual({ id: 'w', ok: {} });
    const post = { ...call, operation: 'activities.create', params: { activity: { title: 'x' } } };
    await site.call([post], [gadget]);
    for (const tick of ticks) tick();
    const activities = { topic: 'activities', member: '*' };
    expect((await streams[0].next())?.data).toEqual([
      appData('7', 'notes'),
      appData('*', 'notes'),
      { ...activities, member: '7' },
      activities,
    ]);
    expect((await streams[1].next())?.data).toEqual([appData('*', 'notes'), activities]);
    expect((await streams[2].next())?.data).toEqual([activities]);
  });

  test('a refused write notifies no page', async () => {
    const site = await openSite({
      upstream: async () => says({ error: { code: 403, message: 'No.' } }, { status: 403 }),
    });
    const gadget = await site.mount({ app: 'notes' });
    const call = { id: 'w', instance: gadget.instance, operation: 'appdata.update', params: { data: { a: '1' } } };
    expect((await site.call([call], [gadget])).get('w')).toMatchObject({ error: { code: 403 } });
    expect(await site.db.query(sql`select count(*) as n from proxy_change_log`)).toEqual([{ n: 0 }]);
  });
});

function membersOf(event: { readonly data?: unknown } | undefined): string[] {
  const changes = (event?.data ?? []) as { readonly member: string }[];
  return [...new Set(changes.map(({ member }) => member))];
}
