import { type Database, type Statement, sql } from '@gantry/store';
import { describe, expect, test } from 'vitest';
import { databases } from '../databases.ts';
import { call } from '../rpc-client.ts';
import { openSite, type Site, send, serviceOf } from '../site.ts';

const tooManyRows = 'A list over several members reads at most 20000 rows: name fewer members, or one at a time.';
const tooDeep = 'In a list over several members startIndex and count are at most 10000 together: name one at a time.';

const people = Array.from({ length: 12 }, (_, index) => String(index + 1));
const many = 20_000;

/** Numbers from 1 as `n.i`, for `insert … select`. */
const upTo = (most: number) =>
  sql`(with recursive n (i) as (select 1 union all select i + 1 from n where i < ${most}) select i from n) as n`;

/** Adds members whose ids begin with a letter. */
const strangers = (prefix: string, count: number) => sql`
  insert into member (id, display_name, thumbnail_url, about_me, region, birthday, gender, language, about_me_level,
    region_level, age_level, birthday_level, gender_level, language_level, admin)
  select ${prefix} || i, '', '', '', '', '', '', '', 0, 0, 0, 0, 0, 0, 0 from ${upTo(count)}`;
const friendships = (member: string, prefix: string, count: number) => sql`
  insert into friendship (member_id, friend_id) select ${member}, ${prefix} || i from ${upTo(count)}`;
const posts = (member: string, prefix: string, count: number, app: string | null = null) => sql`
  insert into activity (id, member_id, app_id, title, posted_at_s)
  select ${prefix} || i, ${member}, ${app}, 'T', i from ${upTo(count)}`;
const albums = (member: string, prefix: string, count: number, level = 0) => sql`
  insert into album (id, member_id, title, description, thumbnail_url, media_type, level)
  select ${prefix} || i, ${member}, 'T', '', '', 'IMAGE', ${level} from ${upTo(count)}`;
const items = (album: string, prefix: string, count: number, level = 0) => sql`
  insert into media_item (id, album_id, title, description, type, created_at_s, updated_at_s, file_size, url, thumbnail_url, level)
  select ${prefix} || i, ${album}, 'T', '', 'image', 0, 0, 0, '', '', ${level} from ${upTo(count)}`;

interface Kind {
  /** Reads the list of these members for member 1. */
  readonly path: (ids: string) => string;
  /** Adds rows that member 1 may see: 12,000 of member 2 and 8,000 of member 3. */
  readonly fill: readonly Statement[];
  /** Adds one more. */
  readonly more: readonly Statement[];
  /** Adds as many that member 1 may not see. */
  readonly hide: readonly Statement[];
  readonly total: number | undefined;
}

const kinds: Readonly<Record<string, Kind>> = {
  friends: {
    path: (ids) => `/people/${ids}/@friends`,
    fill: [strangers('s', 12_000), friendships('2', 's', 12_000), friendships('3', 's', 8_000)],
    more: [friendships('3', 's1200', 1)],
    hide: [friendships('9', 's', 12_000)], // member 9 has blocked member 1
    total: 12_000,
  },
  activities: {
    path: (ids) => `/activities/${ids}/@self`,
    fill: [posts('2', 'a', 12_000), posts('3', 'b', 8_000)],
    more: [posts('3', 'c', 1)],
    // Member 4 shows what `notes` posts to nobody.
    hide: [
      posts('9', 'd', 12_000),
      sql`insert into member_app (member_id, app_id, installed, level) values ('4', 'notes', 1, 2)`,
      posts('4', 'e', 12_000, 'notes'),
    ],
    total: many,
  },
  'activities of friends': {
    path: (ids) => `/activities/${ids}/@friends`,
    fill: [strangers('s', 12_000), friendships('2', 's', 12_000), friendships('3', 's', 8_000), posts('s5', 'a', 3)],
    more: [friendships('3', 's1200', 1)],
    hide: [friendships('9', 's', 12_000)],
    total: 3,
  },
  albums: {
    path: (ids) => `/albums/${ids}/@self`,
    fill: [albums('2', 'a', 12_000), albums('3', 'b', 8_000)],
    more: [albums('3', 'c', 1)],
    hide: [albums('9', 'd', 12_000), albums('4', 'e', 12_000, 2)],
    total: many,
  },
  'albums of friends': {
    path: (ids) => `/albums/${ids}/@friends`,
    fill: [
      ...[sql`insert into friendship (member_id, friend_id) values ('2', '5'), ('3', '5'), ('3', '6')`],
      ...[albums('5', 'a', 12_000), albums('6', 'b', 8_000)],
    ],
    more: [albums('6', 'c', 1)],
    hide: [
      sql`insert into friendship (member_id, friend_id) values ('2', '9')`,
      albums('9', 'd', 12_000),
      albums('5', 'e', 12_000, 2),
    ],
    total: many,
  },
};

describe.each(databases)('lists over several members on $name', ({ open }) => {
  async function opened(): Promise<Site> {
    return openSite(open, {
      members: people.map((id) => ({ id, displayName: id })),
      apps: [{ id: 'notes', title: 'Notes' }],
      installs: [{ appId: 'notes', memberId: '1' }],
      blocks: [['9', '1']],
      consumers: [
        { key: 'notes-container', secret: 'secret', kind: 'app', appId: 'notes', container: true },
        { key: 'notes-key', secret: 'secret', kind: 'app', appId: 'notes' },
      ],
    });
  }

  test.each(Object.entries(kinds))(
    '%s: 20,000 rows are read, and rows that the viewer may not see do not count (contract §8 Bounds)',
    async (_, kind) => {
      const { path, fill, more, hide, total } = kind;
      const site = await opened();
      for (const statement of fill) await site.db.query(statement);
      const whole = await site.get(path('2,3,4,9'));
      expect([whole.status, whole.json.totalResults]).toEqual([200, total]);
      for (const statement of hide) await site.db.query(statement);
      const { json } = await site.get(path('2,3,4,9'));
      expect(json).toEqual(whole.json);
      for (const statement of more) await site.db.query(statement);
      const refused = await site.get(path('2,3,4,9'));
      expect([refused.status, refused.json.error?.message]).toEqual([413, tooManyRows]);
      expect((await site.get(path('2'))).status).toBe(200); // control: one member's list has no such bound
    },
  );

  test('photos of several members: 20,000 in JSON-RPC too (contract §8 Bounds)', async () => {
    const site = await opened();
    await site.db.batch([albums('2', 'a', 1), albums('3', 'b', 1), albums('3', 'c', 1, 2), albums('9', 'd', 1)]);
    await site.db.batch([items('a1', 'e', 12_000), items('b1', 'f', 8_000)]);
    const hidden = [items('a1', 'g', 12_000, 2), items('c1', 'h', 12_000), items('d1', 'i', 12_000)];
    const read = () => call(site, 'mediaItems.get', { userId: ['2', '3', '9'], count: 2 });
    const whole = await read();
    expect(whole.data).toMatchObject({ totalResults: many });
    await site.db.batch(hidden);
    expect(await read()).toEqual(whole);
    await site.db.query(items('b1', 'j', 1));
    expect((await read()).error).toMatchObject({ code: 413, message: tooManyRows });
  });

  test('AppData of several members: 20,000 keys, and of 20,000 friends (contract §8 Bounds)', async () => {
    const site = await opened();
    const keys = (member: string, prefix: string, count: number) => [
      sql`insert into member_app (member_id, app_id, installed, level, app_data_keys, app_data_bytes, app_data_keys_most)
        values (${member}, 'notes', 1, 0, ${count}, ${count}, ${count})`,
      sql`insert into app_data (member_id, app_id, key, value) select ${member}, 'notes', ${prefix} || i, '' from ${upTo(count)}`,
    ];
    await site.db.batch([
      ...['2', '3', '4'].flatMap((id) => [
        sql`insert into friendship (member_id, friend_id) values ('1', ${id}), (${id}, '1')`,
      ]),
      ...keys('2', 'k', 12_000),
      ...keys('3', 'k', 8_000),
    ]);
    expect((await site.get('/appData/2,3,9/@self/@app')).status).toBe(200);
    await site.db.batch(keys('4', 'k', 1));
    expect((await site.get('/appData/2,3,4,9/@self/@app')).status).toBe(413);

    await site.db.batch([strangers('s', 12_000), friendships('2', 's', 12_000), friendships('3', 's', 7_998)]);
    expect((await site.get('/appData/2,3/@friends/@app')).status).toBe(200);
    await site.db.query(friendships('3', 's1200', 1));
    const refused = await site.get('/appData/2,3/@friends/@app');
    expect([refused.status, refused.json.error?.message]).toEqual([413, tooManyRows]);
  });

  test('a page beyond item 10,000 is refused in every dialect, and of one member it is read (contract §8 Bounds)', async () => {
    const site = await opened();
    await site.db.query(posts('2', 'a', 20_100));
    const lists = ['/people/1,2/@friends', '/people/1,2/@self', '/activities/1,2/@self', '/activities/1,2/@friends'];
    for (const path of [...lists, '/albums/1,2/@self', '/albums/1,2/@friends', '/appData/1,2/@friends/@app']) {
      expect((await site.get(`${path}?startIndex=9900&count=100`)).json.error?.message).not.toBe(tooDeep);
      const { status, json } = await site.get(`${path}?startIndex=9901&count=100`);
      expect([path, status, json.error?.message]).toEqual([path, 413, tooDeep]);
    }
    for (const method of ['people.get', 'activities.get', 'albums.get', 'mediaItems.get'] as const) {
      const { error } = await call(site, method, {
        userId: ['1', '2'],
        groupId: '@self',
        startIndex: 9_901,
        count: 100,
      });
      expect([method, error?.code, error?.message]).toEqual([method, 413, tooDeep]);
    }
    const { json } = await site.get('/activities/2/@self?startIndex=20000&count=100');
    expect([json.totalResults, (json.entry as { id: string }[]).at(-1)?.id]).toEqual([20_100, 'a1']);
  });

  test('permission comes before the bound (contract §4)', async () => {
    const site = await opened();
    const { status } = await site.get('/appData/1,2/@friends/chess?startIndex=99999');
    expect(status).toBe(403);
  });

  test('reads over several members have two connections at most (security rule 35)', async () => {
    const site = await opened();
    await site.db.batch([posts('2', 'a', 500), posts('3', 'b', 500)]);
    const paths = { several: '/activities/2,3/@self', one: '/activities/2/@self' };
    const most: Record<string, number> = {};
    for (const [kind, path] of Object.entries(paths)) {
      let running = 0;
      most[kind] = 0;
      const db: Database = {
        ...site.db,
        async query(statement) {
          const isList = statement.strings.join('').includes('activity');
          if (isList) most[kind] = Math.max(most[kind] ?? 0, ++running);
          try {
            await new Promise(setImmediate);
            return await site.db.query(statement);
          } finally {
            if (isList) running--;
          }
        },
      };
      const service = await serviceOf(site, { db });
      const answers = people.slice(0, 8).map((as) => send(service, { path, as, timestamp: site.nowMs / 1000 }));
      expect((await Promise.all(answers)).map(({ status }) => status).filter((status) => status === 200).length).toBe(
        8,
      );
      await service.close();
    }
    expect(most.several).toBe(2);
    expect(most.one).toBeGreaterThan(2); // control: without the gate
  });
});
