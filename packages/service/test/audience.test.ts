import { createAudience, siteChanges, writeSetting } from '@gantry/service';
import {
  createChangeFeed,
  createListeners,
  type Database,
  type Listener,
  type LoggedChange,
  type Statement,
  sql,
} from '@gantry/store';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { installApp, uninstallApp } from './apps.ts';
import { databases } from './databases.ts';
import { openSite, type Site } from './site.ts';

// 1 and 2 are friends, as are 2 and 3; 4 has no friends. 5 is a friend of 1 and has blocked 2.
const world = {
  members: ['1', '2', '3', '4', '5'].map((id) => ({ id, displayName: `Member ${id}` })),
  friendships: [
    ['1', '2'],
    ['2', '3'],
    ['1', '5'],
  ],
  blocks: [['5', '2']],
  apps: ['notes', 'other'].map((id) => ({ id, title: id, url: '' })),
  installs: [
    ...['1', '2', '3'].map((memberId) => ({ appId: 'notes', memberId })),
    { appId: 'other', memberId: '2', visibility: 'private' },
  ],
  consumers: ['notes', 'other'].map((appId) => ({
    ...{ key: `${appId}-container`, secret: 'secret', kind: 'app', appId, container: true },
  })),
};

const looking = (viewer: string, { owners = [viewer], apps = ['notes'] } = {}): Listener => ({
  viewer,
  owners: new Set(owners),
  apps: new Set(apps),
});
const everyone = ['1', '2', '3', '4', '5'].map((id) => looking(id));

describe.each(databases)('the audience of a change on $name', ({ open }) => {
  async function opened() {
    const site = await openSite(open, world);
    const feed = createChangeFeed({ db: site.db, log: siteChanges });
    const from = await feed.position();
    const written = async () => (await feed.since(from))?.changes ?? [];
    return { site, written };
  }

  /** Returns the viewers whose pages a change of that topic concerns. */
  async function hear(db: Database, change: Partial<LoggedChange>, listeners = everyone): Promise<string[]> {
    const full = { topic: 'people', memberId: '2', appId: undefined, ...change };
    const [concerned = []] = await createAudience(db)([full], createListeners(listeners));
    return concerned.map(({ viewer }) => viewer).sort();
  }

  test('a page alone hears what it hears among others, however its friends are found (contract §6)', async () => {
    const { site } = await opened();
    for (const memberId of ['1', '2', '3', '4', '5']) {
      const alone = await Promise.all(everyone.map((page) => hear(site.db, { memberId }, [page])));
      expect(alone.flat().sort()).toEqual(await hear(site.db, { memberId }));
    }
  });

  test('reads of a popular member’s friends only those with open pages (security rule 25)', async () => {
    const { site } = await opened();
    const numbers = sql`(with recursive n (i) as (select 1 union all select i + 1 from n where i < 20000) select i from n) as n`;
    await site.db.batch([
      sql`insert into member select 's' || i, display_name, thumbnail_url, about_me, region, birthday, gender, language,
        about_me_level, region_level, age_level, birthday_level, gender_level, language_level, admin
        from ${numbers}, member where member.id = '4'`,
      sql`insert into friendship (member_id, friend_id) select '4', 's' || i from ${numbers}`,
      sql`insert into friendship (member_id, friend_id) select 's' || i, '4' from ${numbers}`,
    ]);
    let rows = 0;
    const db: Database = {
      ...site.db,
      async query<R>(statement: Statement) {
        const result = await site.db.query<R>(statement);
        rows += result.length;
        return result;
      },
    };
    // More owners than were ever named in one statement; every other one is a friend.
    const owners = Array.from({ length: 600 }, (_, index) => (index % 2 === 0 ? `s${index + 1}` : `x${index}`));
    const listeners = [looking('1', { owners }), looking('s7'), looking('2')];
    expect(await hear(db, { memberId: '4', topic: 'activities' }, listeners)).toEqual(['1', 's7']);
    expect(rows).toBeLessThan(1_000);
    await db.query(sql`select friend_id from friendship where member_id = '4'`);
    expect(rows).toBeGreaterThan(20_000); // control: all friends
  });

  test('a member and their friends do, strangers do not, and one whom the member blocked does not (contract §6)', async () => {
    const { site } = await opened();
    expect(await hear(site.db, { memberId: '2' })).toEqual(['1', '2', '3']);
    expect(await hear(site.db, { memberId: '1' })).toEqual(['1', '2', '5']);
    expect(await hear(site.db, { memberId: '4' })).toEqual(['4']);
    expect(await hear(site.db, { memberId: '5' })).toEqual(['1', '5']);
    expect(await hear(site.db, { memberId: '5' }, [looking('2', { owners: ['5'] })])).toEqual([]);
    await site.db.query(sql`delete from block`);
    expect(await hear(site.db, { memberId: '5' }, [looking('2', { owners: ['5'] })])).toEqual(['2']);
  });

  test('a viewer on a member’s page does, and also for that member’s friends (contract §6)', async () => {
    const { site } = await opened();
    const onPageOf = (owner: string) => [looking('4', { owners: [owner] })];
    expect(await hear(site.db, { memberId: '3' }, onPageOf('3'))).toEqual(['4']);
    expect(await hear(site.db, { memberId: '2' }, onPageOf('3'))).toEqual(['4']);
    expect(await hear(site.db, { memberId: '1' }, onPageOf('3'))).toEqual([]);
    // The owner has blocked the viewer, so the page shows nothing of them or their friends.
    expect(await hear(site.db, { memberId: '1' }, [looking('2', { owners: ['5'] })])).toEqual(['2']);
    expect(await hear(site.db, { memberId: '5' }, [looking('2', { owners: ['1'] })])).toEqual([]);
  });

  test('AppData concerns pages with that app, of the member and of friends, while the member has it (§4 AppData)', async () => {
    const { site } = await opened();
    const change = { topic: 'appData', memberId: '2', appId: 'notes' };
    expect(await hear(site.db, change)).toEqual(['1', '2', '3']);
    expect(await hear(site.db, change, [looking('1', { apps: ['other'] })])).toEqual([]);
    expect(await hear(site.db, change, [looking('4', { owners: ['2'] })])).toEqual([]);
    await uninstallApp(site.db, { appId: 'notes', memberId: '2' });
    expect(await hear(site.db, change)).toEqual(['2']);
  });

  test('an activity concerns viewers who may see its app’s posts (contract §6)', async () => {
    const { site } = await opened();
    expect(await hear(site.db, { topic: 'activities', appId: 'notes' })).toEqual(['1', '2', '3']);
    expect(await hear(site.db, { topic: 'activities', appId: 'other' })).toEqual(['2']);
  });

  test('a change of everything concerns all', async () => {
    const { site } = await opened();
    expect(await hear(site.db, { topic: 'everything', memberId: '' })).toEqual(['1', '2', '3', '4', '5']);
  });

  test('each write leaves what changed, and a refused one nothing (ADR 20)', async () => {
    const { site, written } = await opened();
    const post = () => site.send({ method: 'POST', path: '/activities/@me/@self', body: { title: 'x' } });
    await site.send({ method: 'PUT', path: '/appData/@me/@self/@app?fields=a', body: { a: '1' } });
    await post();
    expect((await post()).status).toBe(500); // too soon
    await site.send({ method: 'DELETE', path: '/appData/@me/@self/@app?fields=a' });
    await installApp(site.db, { appId: 'other', memberId: '1' });
    await writeSetting(site.db, 'pageSize', '5');
    expect(await written()).toEqual([
      { topic: 'appData', memberId: '1', appId: 'notes' },
      { topic: 'activities', memberId: '1', appId: 'notes' },
      { topic: 'appData', memberId: '1', appId: 'notes' },
      { topic: 'people', memberId: '1', appId: undefined },
      { topic: 'everything', memberId: '', appId: undefined },
    ]);
  });

  test('the removal of a member concerns their friends, who cannot be found afterwards', async () => {
    const { site, written } = await opened();
    await remove(site, '2');
    const news = await written();
    const heard = await createAudience(site.db)(news, createListeners(everyone));
    expect(new Set(heard.flat().map(({ viewer }) => viewer))).toEqual(new Set(['1', '2', '3', '5']));
  });

  test('other listeners change no listener’s share (security rule 14)', async () => {
    const { site } = await opened();
    const audience = createAudience(site.db);
    const listener = fc.record({
      viewer: fc.constantFrom('1', '2', '3', '4', '5'),
      owners: fc.uniqueArray(fc.constantFrom('1', '2', '3', '4', '5')).map((ids) => new Set(ids)),
      apps: fc.uniqueArray(fc.constantFrom('notes', 'other')).map((ids) => new Set(ids)),
    });
    const change = fc.record({
      topic: fc.constantFrom('people', 'activities', 'appData', 'albums'),
      memberId: fc.constantFrom('1', '2', '3', '4', '5'),
      appId: fc.constantFrom('notes', 'other', undefined),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(listener, { maxLength: 6 }), fc.array(change, { maxLength: 4 }), async (all, news) => {
        const together = await audience(news, createListeners(all));
        for (const one of all) {
          const alone = await audience(news, createListeners([one]));
          expect(alone.map(({ length }) => length > 0)).toEqual(together.map((concerned) => concerned.includes(one)));
        }
      }),
      { numRuns: 60 },
    );
  });
});

async function remove(site: Site, id: string): Promise<void> {
  await site.add({ members: [{ id, deleted: true }] });
}
