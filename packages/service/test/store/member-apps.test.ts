import { decideMemberApp, endAppForAll, installOnFirstUse, readAppUse, siteChanges } from '@gantry/service';
import { type Statement, sql } from '@gantry/store';
import { describe, expect, test } from 'vitest';
import { databases } from '../databases.ts';
import { openSite, type Site, village } from '../site.ts';

// An app with its own key, and members that other tests do not use: no member has it at first.
const world = {
  ...village,
  members: [...village.members, { id: 'pia', displayName: 'Pia' }, { id: 'quentin', displayName: 'Quentin' }],
  friendships: [...village.friendships, ['pia', 'quentin']],
  apps: [...village.apps, { id: 'dice', title: 'Dice', url: '' }],
  consumers: [
    ...village.consumers,
    { key: 'dice-container', secret: 'secret', kind: 'app', appId: 'dice', container: true },
    { key: 'dice-app', secret: 'secret', kind: 'app', appId: 'dice' },
  ],
};
const all = 'people people.birthday appdata appdata.write';

interface Deciding {
  /** Permissions that the member then grants; null for none. */
  readonly granted: string | null;
  readonly removesData?: boolean;
  readonly nowMs?: number;
}

async function decide(site: Site, memberId: string, { granted, removesData = false, nowMs = site.nowMs }: Deciding) {
  const of = { memberId, appId: 'dice' };
  await site.db.batch(decideMemberApp(of, { granted: sql`${granted}`, nowMs, removesData, decision: [] }));
}

const container = (as: string) => ({ as, key: 'dice-container' });
const appKey = (as: string) => ({ as, key: 'dice-app' });
const save = (site: Site, as: string, data: object = { score: '7' }) =>
  site.send({ ...container(as), method: 'POST', path: '/appData/@me/@self/@app', body: data });
const hasApp = async (site: Site, id: string, viewer: string) =>
  ((await site.get(`/people/${id}/@self`, container(viewer))).json.entry as { hasApp: boolean }).hasApp;
const friendsData = async (site: Site, as: string) =>
  (await site.get('/appData/@me/@friends/@app', container(as))).json.entry;
const record = (more: object) => ({ installs: [{ appId: 'dice', memberId: 'pia', ...more }] });
const at = (nowMs: number) => new Date(nowMs).toISOString();

describe.each(databases)('having an app on $name', ({ name, open }) => {
  test('a member has an app as soon as they allow it: AppData, hasApp, friends and keys (contract §6)', async () => {
    const site = await openSite(open, world);
    expect((await save(site, 'pia')).status).toBe(403);
    await decide(site, 'pia', { granted: all });
    await decide(site, 'quentin', { granted: all });
    expect((await save(site, 'pia')).status).toBe(200);
    expect(await hasApp(site, 'pia', 'quentin')).toBe(true);
    expect(await friendsData(site, 'quentin')).toEqual({ pia: { score: '7' } });
    expect((await site.get('/people/@me/@self', appKey('pia'))).status).toBe(200);
    expect((await readAppUse(site.db, 'dice')).haveIt).toBe(2);
  });

  test('revoking everything removes the app and keeps its AppData; allowing again finds it (contract §6)', async () => {
    const site = await openSite(open, world);
    await decide(site, 'pia', { granted: all });
    await save(site, 'pia');
    await decide(site, 'pia', { granted: null });
    expect(await hasApp(site, 'pia', 'quentin')).toBe(false);
    expect(await friendsData(site, 'quentin')).toEqual({});
    expect((await save(site, 'pia')).status).toBe(403);
    expect((await site.get('/people/@me/@self', appKey('pia'))).status).toBe(401);
    await decide(site, 'pia', { granted: all });
    expect(await friendsData(site, 'quentin')).toEqual({ pia: { score: '7' } });
  });

  test('AppData is deleted with the app if the member chooses so, and only then (contract §6)', async () => {
    const site = await openSite(open, world);
    await decide(site, 'pia', { granted: all });
    await save(site, 'pia');
    await decide(site, 'pia', { granted: 'people', removesData: true }); // one permission stays
    expect(await friendsData(site, 'quentin')).toEqual({ pia: { score: '7' } });
    await decide(site, 'pia', { granted: null, removesData: true });
    await decide(site, 'pia', { granted: all });
    expect(await friendsData(site, 'quentin')).toEqual({});
    const big = { a: 'x'.repeat(102_000) };
    expect((await save(site, 'pia', big)).status).toBe(200); // deleted data takes no space
  });

  test('a key of the app itself reaches what the member granted; a record of the site gives it all (contract §6)', async () => {
    const site = await openSite(open, world);
    const ask = async (path: string, more: object = {}) =>
      (await site.send({ ...appKey('pia'), path, ...more })).status;
    const post = { method: 'POST', body: { title: 'Hello' } };
    const statuses = async () => [
      await ask('/people/@me/@self?fields=birthday'),
      await ask('/people/@me/@self?fields=birthday,gender'),
      await ask('/people/@me/@friends?fields=@all'),
      await ask('/appData/@me/@self/@app'),
      await ask('/appData/@me/@self/@app', { method: 'POST', body: { a: '1' } }),
      await ask('/activities/@me/@self'),
      await ask('/activities/@me/@self', post),
      await ask('/albums/@me/@self'),
    ];
    await decide(site, 'pia', { granted: all });
    expect(await statuses()).toEqual([200, 403, 403, 200, 200, 403, 403, 403]);
    await decide(site, 'pia', { granted: 'people' });
    expect(await statuses()).toEqual([403, 403, 403, 403, 403, 403, 403, 403]);
    await decide(site, 'pia', { granted: 'storage' }); // storage is no permission of the API
    expect(await ask('/people/@me/@self')).toBe(403);
    await site.add(record({}));
    expect(await statuses()).toEqual([200, 200, 200, 200, 200, 200, 200, 200]);
    await decide(site, 'pia', { granted: 'people' }); // the site's record still counts
    expect(await ask('/albums/@me/@self')).toBe(200);
  });

  test('the key of the site’s own proxy, which limits by itself, is not limited again', async () => {
    const site = await openSite(open, world);
    await decide(site, 'pia', { granted: 'people' });
    expect((await site.get('/activities/@me/@self', container('pia'))).status).toBe(200);
  });

  test('after a withdrawal only allowing or a newer record gives the app again (contract §6)', async () => {
    const site = await openSite(open, world);
    await site.add(record({}));
    await decide(site, 'pia', { granted: null });
    const has = () => hasApp(site, 'pia', 'quentin');
    expect(await has()).toBe(false);
    await site.add(record({}));
    await site.add(record({ visibility: 'friends' }));
    await site.add(record({ changedAt: at(site.nowMs - 1) }));
    expect(
      await installOnFirstUse(site.db, { memberId: 'pia', appId: 'dice' }, { granted: [], nowMs: site.nowMs }),
    ).toBe(false);
    expect(await has()).toBe(false);
    await site.add(record({ changedAt: at(site.nowMs + 1) }));
    expect(await has()).toBe(true);
    await decide(site, 'pia', { granted: null, nowMs: site.nowMs + 2 });
    await decide(site, 'pia', { granted: all, nowMs: site.nowMs + 3 });
    expect(await has()).toBe(true);
  });

  test('a repeated record does not widen what a member granted when they came back', async () => {
    const site = await openSite(open, world);
    await site.add(record({}));
    await decide(site, 'pia', { granted: null });
    await decide(site, 'pia', { granted: 'people' });
    await site.add(record({}));
    expect((await site.get('/albums/@me/@self', appKey('pia'))).status).toBe(403);
    await site.add(record({ changedAt: at(site.nowMs + 1) }));
    expect((await site.get('/albums/@me/@self', appKey('pia'))).status).toBe(200);
  });

  test('an app that a record removed returns by a record, and not by a first use', async () => {
    const site = await openSite(open, world);
    await site.add(record({}));
    await site.add(record({ removed: true }));
    const of = { memberId: 'pia', appId: 'dice' };
    expect(await installOnFirstUse(site.db, of, { granted: ['people'], nowMs: site.nowMs })).toBe(false);
    expect(await hasApp(site, 'pia', 'quentin')).toBe(false);
    await site.add(record({}));
    expect(await hasApp(site, 'pia', 'quentin')).toBe(true);
  });

  test('records of another Gantry carry permissions and times, in any order (world file)', async () => {
    const site = await openSite(open, world);
    const { nowMs } = site;
    await site.add(record({ changedAt: at(nowMs), permissions: ['people', 'appdata'] }));
    expect((await site.get('/people/@me/@self', appKey('pia'))).status).toBe(200);
    expect((await site.get('/albums/@me/@self', appKey('pia'))).status).toBe(403);
    await site.add({ ...record({ changedAt: at(nowMs + 20), removed: true, removesData: true }) });
    await site.add(record({ changedAt: at(nowMs + 10), permissions: ['people'] })); // late
    expect((await site.get('/people/@me/@self', appKey('pia'))).status).toBe(401);
  });

  test.each([
    [{ changedAt: 'yesterday' }, 'installs[0].changedAt must be a time with its offset'],
    [{ permissions: 'people' }, 'installs[0].permissions must be a list'],
    [{ permissions: ['a b'] }, 'installs[0].permissions[0] must be the name of a permission'],
    [
      { permissions: Array.from({ length: 201 }, () => 'people') },
      'installs[0].permissions must be a list of at most 200',
    ],
    [{ removed: true, permissions: ['people'] }, 'installs[0].permissions cannot be of a removed app'],
    [{ removesData: true }, 'installs[0].removesData needs removed: true'],
  ])('a record is refused that %# cannot mean (contract §9)', async (more, message) => {
    const site = await openSite(open, world);
    await expect(site.add(record(more))).rejects.toThrow(message);
  });

  test('a trusted app is had from the first use, once, as far as it is trusted; no member and no app is made up', async () => {
    const site = await openSite(open, world);
    const of = { memberId: 'pia', appId: 'dice' };
    const use = { granted: ['people', 'appdata.write'], nowMs: site.nowMs };
    expect(await installOnFirstUse(site.db, of, use)).toBe(true);
    expect((await save(site, 'pia')).status).toBe(200);
    expect((await site.get('/albums/@me/@self', appKey('pia'))).status).toBe(403);
    const before = await changes(site);
    expect(await installOnFirstUse(site.db, of, use)).toBe(true);
    expect(await changes(site)).toBe(before);
    expect(await installOnFirstUse(site.db, { memberId: 'nobody', appId: 'dice' }, use)).toBe(false);
    expect(await installOnFirstUse(site.db, { memberId: 'pia', appId: 'nothing' }, use)).toBe(false);
    await decide(site, 'nobody', { granted: all });
    expect((await readAppUse(site.db, 'dice')).haveIt).toBe(1);
  });

  test('a removal by the member is final against records, and deletes the data', async () => {
    const site = await openSite(open, world);
    await decide(site, 'pia', { granted: all });
    await save(site, 'pia');
    await decide(site, 'pia', { granted: null, removesData: true });
    await site.add(record({}));
    expect(await hasApp(site, 'pia', 'quentin')).toBe(false);
    expect(await data(site)).toEqual([]);
  });

  test('a deleted app has no members, nor data if that is deleted too; the next app of its id starts empty', async () => {
    const site = await openSite(open, world);
    const before = (await site.get('/people/@me/@friends', container('quentin'))).headers.get('etag');
    for (const id of ['pia', 'quentin']) await decide(site, id, { granted: all });
    await save(site, 'pia');
    await decide(site, 'pia', { granted: null }); // keeps what was saved
    await save(site, 'quentin');
    await site.db.batch(endAppForAll('dice', { removesData: false }));
    expect((await readAppUse(site.db, 'dice')).haveIt).toBe(0);
    expect(await data(site)).toHaveLength(2);
    expect((await site.get('/people/@me/@friends', container('quentin'))).headers.get('etag')).not.toBe(before);
    await site.db.batch(endAppForAll('dice', { removesData: true }));
    expect(await data(site)).toEqual([]);
    expect((await site.get('/appData/1/@self/@app', { as: '1' })).status).toBe(200); // others keep theirs
    expect((await readAppUse(site.db, 'notes')).haveIt).toBe(4);
    const use = { granted: ['people'], nowMs: site.nowMs };
    expect(await installOnFirstUse(site.db, { memberId: 'pia', appId: 'dice' }, use)).toBe(true);
  });

  test('friends’ answers change with having, and only with it (decision 7)', async () => {
    const site = await openSite(open, world);
    const etag = async () => (await site.get('/people/@me/@friends', container('quentin'))).headers.get('etag');
    const etags = [await etag()];
    for (const granted of [all, null, 'people']) {
      await decide(site, 'pia', { granted });
      etags.push(await etag());
    }
    expect(new Set(etags).size).toBe(4);
    const before = await changes(site);
    await decide(site, 'pia', { granted: all });
    expect([await etag(), await changes(site)]).toEqual([etags[3], before]);
  });

  test('each of several decisions at once sees the others’ revocations (ADR 33; control: without the row’s lock not)', async () => {
    const site = await openSite(open, world);
    await site.db.query(sql`create table decision (name text primary key, granted integer not null)`);
    const of = { memberId: 'pia', appId: 'dice' };
    const granted = sql`(select string_agg(name, ' ' order by name) from decision where granted = 1)`;
    // If writers do not queue by themselves, all three are in their transactions at once.
    const wait = name === 'PostgreSQL' ? [sql`select pg_sleep(0.1)`] : [];
    const transaction = (one: string, isGranted: number): readonly Statement[] => {
      const write = sql`
        insert into decision (name, granted) values (${one}, ${isGranted})
        on conflict (name) do update set granted = excluded.granted`;
      const decided = { granted, nowMs: site.nowMs, removesData: false, decision: [write, ...wait] };
      return [...decideMemberApp(of, decided), ...wait];
    };
    const all = async (isGranted: number, from = 0) => {
      await Promise.all(['a', 'b', 'c'].map((one) => site.db.batch(transaction(one, isGranted).slice(from))));
      const [row] = await site.db.query<{ installed: number; granted: string | null }>(sql`
        select installed, granted from member_app where member_id = 'pia' and app_id = 'dice'`);
      return row;
    };
    expect(await all(1)).toMatchObject({ installed: 1, granted: 'a b c' });
    expect(await all(0)).toMatchObject({ installed: 0, granted: null });
    if (name !== 'PostgreSQL') return;
    await all(1);
    expect(await all(0, 1)).toMatchObject({ installed: 1 });
  });
});

async function changes(site: Site): Promise<number> {
  return (await site.db.query(sql`select 1 from ${siteChanges.table}`)).length;
}

function data(site: Site): Promise<readonly unknown[]> {
  return site.db.query(sql`select key from app_data where app_id = 'dice'`);
}
