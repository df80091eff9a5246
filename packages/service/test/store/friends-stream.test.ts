import { type Database, sql } from '@gantry/store';
import { compareIds } from '@gantry/wire';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { friendsStream } from '../../src/store/friends-stream.ts';
import { databases } from '../databases.ts';
import { openSite, type Site, start } from '../site.ts';

const members = ['1', '2', '3', '4', '5', '10'];
const someone = fc.constantFrom(...members);
const pairs = (maxLength: number) =>
  fc.array(fc.tuple(someone, someone), { maxLength }).map((all) => all.filter(([first, second]) => first !== second));
const levels = ['site', 'friends', 'private'] as const;
const apps = ['notes', 'photos'] as const;

/** Few moments, so that many are equal, and the rest long before or after them. */
const moment = fc.oneof(
  fc.integer({ min: 0, max: 4 }),
  fc.integer({ min: -2_000_000, max: 2_000_000 }),
  fc.constantFrom(-3_000_000_000, 100_000_000),
);

const world = fc.record({
  friendships: pairs(14),
  blocks: pairs(4),
  installs: fc.array(
    fc.record({ appId: fc.constantFrom(...apps), memberId: someone, visibility: fc.constantFrom(...levels) }),
  ),
  posts: fc.array(
    fc.record({ userId: someone, atS: moment, appId: fc.option(fc.constantFrom(...apps), { nil: undefined }) }),
    {
      maxLength: 60,
    },
  ),
});

type World = typeof world extends fc.Arbitrary<infer W> ? W : never;

async function openWorld(open: () => Promise<Database>): Promise<Site> {
  return openSite(open, {
    members: members.map((id) => ({ id, displayName: `M${id}` })),
    apps: apps.map((id) => ({ id, title: id })),
  });
}

async function refill({ db, add }: Site, { friendships, blocks, installs, posts }: World): Promise<void> {
  await db.batch([
    sql`delete from activity`,
    sql`delete from member_app`,
    sql`delete from block`,
    sql`delete from friendship`,
  ]);
  const activities = posts.map(({ atS, ...post }, index) => ({
    ...post,
    id: String(index + 1),
    title: 't',
    postedTime: new Date(start + atS * 1000).toISOString(),
  }));
  await add({ friendships, blocks, installs, activities });
}

interface Viewing {
  readonly viewer: string;
  readonly of: readonly string[];
  readonly appId: string | undefined;
}

/** Applies the rule itself to the generated world (contract §3, §6). */
function expected({ friendships, blocks, installs, posts }: World, { viewer, of, appId }: Viewing): string[] {
  const areFriends = (a: string, b: string) => friendships.some((pair) => pair.includes(a) && pair.includes(b));
  const hides = (member: string) => blocks.some(([blocker, blocked]) => blocker === member && blocked === viewer);
  const levelOf = (memberId: string, app: string | undefined) => {
    const install = installs.findLast((one) => one.memberId === memberId && one.appId === app);
    return install ? levels.indexOf(install.visibility) : 0;
  };
  const reach = (member: string) => (member === viewer ? 2 : areFriends(viewer, member) ? 1 : 0);
  return posts
    .map((post, index) => ({ ...post, id: String(index + 1) }))
    .filter(({ userId }) => of.some((member) => !hides(member) && member !== userId && areFriends(member, userId)))
    .filter(({ userId }) => !hides(userId))
    .filter((post) => appId === undefined || post.appId === appId)
    .filter((post) => levelOf(post.userId, post.appId) <= reach(post.userId))
    .toSorted((a, b) => b.atS - a.atS || -compareIds(a.id, b.id))
    .map(({ id }) => id);
}

describe.each(databases)("friends' streams on $name", ({ open, name }) => {
  const runs = name === 'SQLite' ? 300 : 60;

  test('are the newest that the viewer may see, however little is read of them (contract §3)', async () => {
    const site = await openWorld(open);
    const viewing = fc.record({
      viewer: someone,
      of: fc.uniqueArray(someone, { minLength: 1, maxLength: 3 }),
      appId: fc.option(fc.constantFrom(...apps), { nil: undefined }),
    });
    const limits = fc.record({ reachBack: fc.integer({ min: 1, max: 6 }), more: fc.integer({ min: 0, max: 6 }) });
    const range = fc.record({ startIndex: fc.integer({ min: 0, max: 8 }), count: fc.integer({ min: 1, max: 8 }) });
    await fc.assert(
      fc.asyncProperty(world, viewing, limits, range, async (given, asked, { reachBack, more }, page) => {
        const seen = expected(given, asked).slice(0, reachBack);
        const single = asked.of.length === 1 && given.blocks.some(([a, b]) => a === asked.of[0] && b === asked.viewer);
        if (single) return;
        await refill(site, given);
        const { rows, total } = await friendsStream(
          site.db,
          { memberId: asked.viewer, appId: undefined, hasApp: false },
          { ids: asked.of, appId: asked.appId, range: page },
          { reachBack, read: reachBack + more },
        );
        expect(total).toBe(seen.length);
        expect(rows.map(({ id }) => id)).toEqual(seen.slice(page.startIndex, page.startIndex + page.count));
      }),
      { numRuns: runs },
    );
  });

  test('authors who post much are read again in few statements (contract §3)', async () => {
    const site = await openSite(open, { members: [{ id: '1', displayName: 'M' }] });
    const friends = Array.from({ length: 60 }, (_, index) => String(index + 2));
    const postsOf = (index: number) => (index === 0 ? 600 : index < 21 ? 70 : 1);
    const posts = friends.flatMap((userId, index) => new Array<string>(postsOf(index)).fill(userId));
    await site.add({
      members: friends.map((id) => ({ id, displayName: 'M' })),
      friendships: friends.map((id) => ['1', id]),
      activities: posts.map((userId, index) => ({
        ...{ id: String(index + 1), userId, title: 't' },
        postedTime: new Date(start + ((index * 7919) % posts.length) * 1000).toISOString(),
      })),
    });
    const newest = posts
      .map((_, index) => ({ id: String(index + 1), atS: (index * 7919) % posts.length }))
      .toSorted((a, b) => b.atS - a.atS)
      .map(({ id }) => id);
    let statements = 0;
    const query: Database['query'] = (statement) => {
      statements++;
      return site.db.query(statement);
    };
    const { rows, total } = await friendsStream(
      { ...site.db, query },
      { memberId: '1', appId: undefined, hasApp: false },
      { ids: ['1'], appId: undefined, range: { startIndex: 900, count: 100 } },
    );
    expect([rows.map(({ id }) => id), total]).toEqual([newest.slice(900, 1_000), 1_000]);
    // Friends, their posts, three for those of 67 and more, one for that of 536 and more, the page.
    expect(statements).toBe(7);
  });
});
