import {
  decideMemberApp,
  endAppForAll,
  installOnFirstUse,
  listConsumersOf,
  readAppUse,
  revokeConsumer,
  type Service,
} from '@gantry/service';
import {
  denyAuthorization,
  listAuthorizations,
  pendingAuthorization,
  revokeAuthorization,
} from '@gantry/service/account';
import { type Database, openPostgres, openSqlite, type Statement, sql } from '@gantry/store';
import { describe, expect, test } from 'vitest';
import { createSchema } from '../../../store/test/postgres.ts';
import { ask, authorized, requestToken, tokenOf } from '../oauth-client.ts';
import { call } from '../rpc-client.ts';
import { openSite, type Site, send, serviceOf, start, village } from '../site.ts';

/** Access to a database's query plans. */
interface Planner {
  readonly name: string;
  readonly open: () => Promise<Database>;
  readonly scans: (db: Database, statement: Statement) => Promise<readonly string[]>;
}

// Scanning a table expression is fine: it holds only the requested members. Settings are read
// whole.
const ownTables =
  /^SCAN (author|owner|own|friend|holder|newest|since|found|asked|decided|CONSTANT ROW$|setting|\d+ constant)/;

const planners: readonly Planner[] = [
  {
    name: 'SQLite',
    open: async () => openSqlite({ file: ':memory:' }),
    async scans(db, statement) {
      const plan = await db.query<{ detail: string }>(sql`explain query plan ${statement}`);
      return plan.map(({ detail }) => detail).filter((line) => line.startsWith('SCAN') && !ownTables.test(line));
    },
  },
  {
    name: 'PostgreSQL',
    // Small tables are scanned despite their indexes. With scans forbidden, and made expensive
    // where a subplan is hashed, a scan means that no index serves.
    async open() {
      const { url } = await createSchema();
      return openPostgres({ url: `${url}%20-c%20enable_seqscan%3Doff%20-c%20seq_page_cost%3D1000` });
    },
    async scans(db, statement) {
      const plan = await db.query<{ 'QUERY PLAN': string }>(sql`explain ${statement}`);
      return plan.map((row) => row['QUERY PLAN']).filter((line) => /Seq Scan on (?!setting\b)/.test(line));
    },
  },
];

const reads = [
  '/people/@me/@self?fields=@all',
  '/people/2/@friends?fields=@all',
  '/people/@me/@friends?startIndex=1&count=1',
  '/people/@me/@friends?filterBy=hasApp&count=1',
  '/people/2/@all/3',
  '/people/1,2,3/@self',
  '/people/1,2/@friends',
  '/people/1,2/@friends?filterBy=hasApp',
  '/activities/2/@self?count=1',
  '/activities/1,2/@self',
  '/activities/1,2/@friends',
  '/activities/2/@self/@app',
  '/activities/@me/@friends?count=1',
  '/activities/@me/@friends/@app',
  '/appData/2/@self/@app?fields=a,b',
  '/appData/1,2/@self/@app?fields=a,b',
  '/appData/@me/@friends/@app',
  '/appData/1,2/@friends/@app',
  '/appData/@me/@friends/@app?count=1&fields=a',
  '/albums/2/@self',
  '/albums/@me/@friends',
  '/albums/2,3/@self',
  '/albums/1,2/@friends',
  '/mediaitems/2/@self/a1',
];

describe.each(planners)('on $name', (planner) => {
  test.each(reads)('GET %s looks up, and scans no table (architecture: storage)', async (path) => {
    const { scans, answer } = await watched((site, service) => send(service, { path, timestamp: site.nowMs / 1000 }));
    expect([answer.status, scans]).toEqual([200, []]);
  });

  test('the validator of a cached answer is looked up, and no table is scanned (architecture: storage)', async () => {
    const { scans, answer } = await watched(async (site, service) => {
      const path = '/mediaitems/2,3/@self/a1';
      const { headers } = await send(service, { path, timestamp: site.nowMs / 1000 });
      return service.confirms({
        rawTarget: `/social/rest${path}`,
        consumerKey: 'notes-container',
        requestorId: '1',
        etag: headers.get('etag') ?? '',
      });
    });
    expect([answer, scans]).toEqual([true, []]);
  });

  test('media items of all albums are looked up, and no table is scanned (contract §8)', async () => {
    const { scans, answer } = await watched((site, service) =>
      call({ ...site, service }, 'mediaItems.get', { userId: '2', count: 1 }),
    );
    expect([answer.error, scans]).toEqual([undefined, []]);
  });

  test('tokens are asked for, allowed, exchanged, used, listed and revoked without a scan (contract §5)', async () => {
    const consumer = { key: 'member-2', secret: 'secret' };
    const { scans, answer } = await watched(async (site) => {
      const token = await authorized(site, consumer, '1');
      const used = await ask(site, { path: '/social/rest/people/@me/@self', consumer, token });
      const denied = tokenOf(await requestToken(site, { consumer })).key;
      await pendingAuthorization(site.db, { token: denied, flow: 'member', nowMs: site.nowMs });
      await denyAuthorization(site.db, { token: denied, flow: 'member', nowMs: site.nowMs });
      await listConsumersOf(site.db, '2');
      const listed = await listAuthorizations(site.db, '1');
      await revokeAuthorization(site.db, { memberId: '1', consumerKey: 'member-2', flow: 'member' });
      await revokeConsumer(site.db, 'member-2', { memberId: '2' });
      return [used.status, listed.length];
    });
    expect([answer, scans]).toEqual([[200, 1], []]);
  });

  test('having an app is given, counted and ended without a scan (contract §6)', async () => {
    const { scans } = await watched(async ({ db }) => {
      const of = { memberId: '1', appId: 'photos' };
      await installOnFirstUse(db, of, { granted: ['people'], nowMs: start });
      for (const granted of [sql`'people'`, sql`null`]) {
        await db.batch(decideMemberApp(of, { granted, nowMs: start, removesData: true, decision: [] }));
      }
      await readAppUse(db, 'photos');
      await db.batch(endAppForAll('photos', { removesData: true }));
    });
    expect(scans).toEqual([]);
  });

  /** Returns the scans that `work` causes. */
  async function watched<T>(work: (site: Site, service: Service) => Promise<T>) {
    const site = await openSite(planner.open, { ...village, albums: [{ id: 'a1', ownerId: '2', title: 'A' }] });
    const run: Statement[] = [];
    const db: Database = {
      ...site.db,
      query: (statement) => {
        run.push(statement);
        return site.db.query(statement);
      },
      batch: (statements) => {
        run.push(...statements);
        return site.db.batch(statements);
      },
    };
    const service = await serviceOf(site, { db });
    const answer = await work({ ...site, db, service }, service);
    const scans: string[] = [];
    for (const statement of run) {
      scans.push(...(await planner.scans(site.db, statement)));
    }
    return { answer, scans };
  }
});

test('one page of friends is read along an index, without sorting (architecture: storage)', async () => {
  const site = await openSite(async () => openSqlite({ file: ':memory:' }), village);
  const plan = await site.db.query<{ detail: string }>(sql`
    explain query plan select member.id from friendship join member on member.id = friend_id
    where friendship.member_id = ${'1'} order by length(friend_id), friend_id limit 20`);
  expect(plan.map(({ detail }) => detail)).toEqual([
    'SEARCH friendship USING COVERING INDEX friendship_in_order (member_id=?)',
    'SEARCH member USING COVERING INDEX sqlite_autoindex_member_1 (id=?)',
  ]);
});

test.each([
  [
    'the items of albums are counted in an index alone',
    '/albums/@me/@friends',
    [
      'SEARCH friendship USING COVERING INDEX friendship_in_order (member_id=?)',
      'SEARCH b USING COVERING INDEX sqlite_autoindex_block_1 (blocked_id=?)',
      'SEARCH album USING INDEX album_in_order (member_id=?)',
      'SEARCH media_item USING COVERING INDEX media_item_in_order (album_id=?)', // counts
      'SEARCH media_item USING INDEX media_item_in_order (album_id=?)', // the first thumbnail
    ],
  ],
  [
    'blocks are looked up only for friends who have the app, and the app once for each friend',
    '/people/@me/@friends?filterBy=hasApp',
    [
      'SEARCH friendship USING COVERING INDEX friendship_in_order (member_id=?)',
      'SEARCH a USING INDEX sqlite_autoindex_member_app_1 (member_id=? AND app_id=?)',
      'SEARCH b USING COVERING INDEX sqlite_autoindex_block_1 (blocked_id=? AND blocker_id=?)',
      'SEARCH member USING INDEX sqlite_autoindex_member_1 (id=?)',
    ],
  ],
  [
    'posts of an app are read along the index that only such posts are in',
    '/activities/@me/@self/@app',
    ['SEARCH activity USING INDEX activity_newest_of_app (member_id=? AND app_id=?)'],
  ],
])('%s (ADR 101)', async (_, path, steps) => {
  const site = await openSite(async () => openSqlite({ file: ':memory:' }), village);
  const plans: string[][] = [];
  const query = async <R>(statement: Statement) => {
    const plan = await site.db.query<{ detail: string }>(sql`explain query plan ${statement}`);
    plans.push(plan.map(({ detail }) => detail).filter((line) => line.startsWith('SEARCH')));
    return site.db.query<R>(statement);
  };
  await send(await serviceOf(site, { db: { ...site.db, query } }), { path, timestamp: site.nowMs / 1000 });
  expect(plans).toContainEqual(steps);
});

test('positive control: PostgreSQL reports a scan if no index serves', async () => {
  const [, planner] = planners as readonly [Planner, Planner];
  const site = await openSite(planner.open, village);
  expect(await planner.scans(site.db, sql`select id from member where display_name = ${'Ann'}`)).toEqual([
    expect.stringContaining('Seq Scan on member'),
  ]);
  await site.db.close();
});
