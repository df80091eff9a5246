import { isDeepStrictEqual } from 'node:util';
import { compareIds } from '@gantry/wire';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { databases } from './databases.ts';
import { openSite, type Reply, type Site, start } from './site.ts';

/*
 * Random small worlds, and for each some random requests, answered by the service and by a model of the contract's §6 that
 * knows nothing of reach, SQL or pages: it looks at all there is and filters.
 */

type Level = 'site' | 'friends' | 'private';

interface World {
  readonly friends: readonly (readonly [string, string])[];
  readonly blocks: readonly (readonly [string, string])[];
  readonly installs: readonly { readonly memberId: string; readonly appId: string; readonly visibility: Level }[];
  readonly levels: Readonly<Record<string, Readonly<Record<'aboutMe' | 'age' | 'birthday' | 'gender', Level>>>>;
  readonly activities: readonly { readonly id: string; readonly userId: string; readonly appId?: string }[];
  readonly appData: readonly { readonly memberId: string; readonly appId: string }[];
  readonly albums: readonly { readonly id: string; readonly ownerId: string; readonly visibility: Level }[];
  readonly items: readonly { readonly id: string; readonly albumId: string; readonly visibility: Level }[];
}

const members = ['1', '2', '3', '4', '10'];
const appIds = ['x', 'y'];
const member = fc.constantFrom(...members);
const app = fc.constantFrom(...appIds);
const level = fc.constantFrom<Level>('site', 'friends', 'private');
const pairs = fc.uniqueArray(fc.tuple(member, member), { maxLength: 7 }).map((all) => all.filter(([a, b]) => a !== b));

const numbered = <T extends object>(prefix: string, item: fc.Arbitrary<T>, maxLength: number) =>
  fc.array(item, { maxLength }).map((all) => all.map((one, index) => ({ ...one, id: `${prefix}${index + 8}` })));

const worlds: fc.Arbitrary<World> = fc
  .record({
    friends: pairs,
    blocks: fc.uniqueArray(fc.tuple(member, member), { maxLength: 4 }).map((all) => all.filter(([a, b]) => a !== b)),
    installs: fc.uniqueArray(fc.record({ memberId: member, appId: app, visibility: level }), {
      maxLength: 8,
      selector: ({ memberId, appId }) => `${memberId} ${appId}`,
    }),
    levels: fc.record(
      Object.fromEntries(
        members.map((id) => [id, fc.record({ aboutMe: level, age: level, birthday: level, gender: level })]),
      ),
    ),
    activities: numbered('', fc.record({ userId: member, appId: fc.option(app, { nil: 'none' }) }), 10),
    appData: fc.uniqueArray(fc.record({ memberId: member, appId: app }), {
      maxLength: 6,
      selector: ({ memberId, appId }) => `${memberId} ${appId}`,
    }),
    albums: numbered('a', fc.record({ ownerId: member, visibility: level }), 4),
    items: numbered('m', fc.record({ album: fc.nat(), visibility: level }), 8),
  })
  .map((world) => ({
    ...world,
    activities: world.activities.map(({ id, userId, appId }) => ({ id, userId, ...(appId !== 'none' && { appId }) })),
    items: world.items.flatMap(({ id, album, visibility }) => {
      const albumId = world.albums[album % Math.max(1, world.albums.length)]?.id;
      return albumId === undefined ? [] : [{ id, albumId, visibility }];
    }),
  }));

interface Question {
  readonly viewer: string;
  readonly app: string;
  readonly guids: readonly string[];
  readonly pid: string;
  readonly album: string;
}

const guid = fc.oneof({ weight: 8, arbitrary: member }, { weight: 1, arbitrary: fc.constant('404') });
const questions: fc.Arbitrary<Question> = fc.record({
  viewer: member,
  app,
  guids: fc.oneof(
    { weight: 3, arbitrary: guid.map((id) => [id]) },
    fc.uniqueArray(guid, { minLength: 2, maxLength: 4 }),
  ),
  pid: guid,
  album: fc.integer({ min: 8, max: 12 }).map((n) => `a${n}`),
});

// The world's file: the same facts, as records.
function file(world: World): object {
  return {
    members: members.map((id) => ({
      id,
      displayName: `M${id}`,
      aboutMe: `about ${id}`,
      birthday: '2000/01/01',
      gender: 'male',
      visibility: world.levels[id],
    })),
    friendships: world.friends,
    blocks: world.blocks,
    apps: appIds.map((id) => ({ id, title: id })),
    installs: world.installs,
    consumers: appIds.map((appId) => ({ key: appId, secret: 'secret', kind: 'app', appId, container: true })),
    activities: world.activities.map((activity) => ({
      ...activity,
      title: 'title',
      postedTime: new Date(start).toISOString(),
    })),
    appData: world.appData.map((owner) => ({ ...owner, data: { k: `of ${owner.memberId}` } })),
    albums: world.albums.map((album) => ({ ...album, title: 'album' })),
    mediaItems: world.items.map((item) => ({ ...item, url: '/picture.jpg' })),
  };
}

/** The contract's §6, naively. Answers are what `told` keeps of a reply. */
function model(world: World) {
  const exists = (id: string) => members.includes(id);
  const areFriends = (a: string, b: string) =>
    world.friends.some(([x, y]) => (x === a && y === b) || (x === b && y === a));
  const blocked = (by: string, whom: string) => world.blocks.some(([x, y]) => x === by && y === whom);
  const visible = (viewer: string, id: string) => exists(id) && (id === viewer || !blocked(id, viewer));
  const installOf = (memberId: string, appId: string | undefined) =>
    world.installs.find((one) => one.memberId === memberId && one.appId === appId);
  const mayUse = (viewer: string, owner: string, visibility: Level) =>
    visible(viewer, owner) &&
    (viewer === owner || visibility === 'site' || (visibility === 'friends' && areFriends(viewer, owner)));
  const friendsOf = (viewer: string, guids: readonly string[]) =>
    members
      .filter((id) => guids.some((one) => visible(viewer, one) && areFriends(one, id)) && visible(viewer, id))
      .sort(compareIds);
  const list = (all: readonly unknown[]) => ({ status: 200, all });
  const missing = { status: 404 };

  const person = (viewer: string, id: string, more: { readonly app: string; readonly also?: string }) => {
    const own = world.levels[id];
    const shows = (visibility: Level | undefined) =>
      visibility !== undefined &&
      mayUse(viewer, id, visibility) &&
      (more.also === undefined || mayUse(more.also, id, visibility));
    const knowsAge = shows(own?.age);
    return {
      id,
      hasApp: installOf(id, more.app) !== undefined,
      aboutMe: shows(own?.aboutMe) ? `about ${id}` : '',
      age: knowsAge ? 26 : '',
      birthday: !shows(own?.birthday) ? '' : knowsAge ? '2000/01/01' : '0000/01/01',
      gender: shows(own?.gender) ? 'male' : '',
    };
  };
  const newest = (all: World['activities']) => all.map(({ id }) => id).sort((a, b) => compareIds(b, a));
  const shown = (viewer: string, { userId, appId }: World['activities'][number]) =>
    mayUse(viewer, userId, appId === undefined ? 'site' : (installOf(userId, appId)?.visibility ?? 'site'));
  const unknown = ({ viewer, guids }: Question) => guids.length === 1 && !visible(viewer, guids[0] ?? '');

  return {
    people(question: Question) {
      const { viewer, guids, app: appId } = question;
      if (unknown(question)) return missing;
      const found = guids.filter((id) => visible(viewer, id)).map((id) => person(viewer, id, { app: appId }));
      return guids.length === 1 ? { status: 200, one: found[0] } : list(found);
    },
    personSeenFrom({ viewer, guids, pid, app: appId }: Question) {
      const [from = ''] = guids;
      if (!visible(viewer, from) || !visible(viewer, pid) || !visible(from, pid)) return missing;
      return { status: 200, one: person(viewer, pid, { app: appId, also: from }) };
    },
    friends(question: Question) {
      if (unknown(question)) return missing;
      const { viewer, guids, app: appId } = question;
      return list(friendsOf(viewer, guids).map((id) => person(viewer, id, { app: appId })));
    },
    friendsWithApp(question: Question) {
      if (unknown(question)) return missing;
      const { viewer, guids, app: appId } = question;
      return list(friendsOf(viewer, guids).filter((id) => installOf(id, appId) !== undefined));
    },
    activities(question: Question, byApp: boolean) {
      if (unknown(question)) return missing;
      const { viewer, guids, app: appId } = question;
      const own = world.activities.filter(({ userId }) => guids.includes(userId));
      return list(newest(own.filter((one) => shown(viewer, one) && (!byApp || one.appId === appId))));
    },
    friendsActivities(question: Question, byApp: boolean) {
      if (unknown(question)) return missing;
      const { viewer, guids, app: appId } = question;
      const authors = friendsOf(viewer, guids);
      const theirs = world.activities.filter(({ userId }) => authors.includes(userId));
      return list(newest(theirs.filter((one) => shown(viewer, one) && (!byApp || one.appId === appId))));
    },
    appData(question: Question) {
      const { viewer, guids, app: appId } = question;
      const readable = (id: string) => id === viewer || (areFriends(viewer, id) && installOf(id, appId) !== undefined);
      if (unknown(question)) return missing;
      if (guids.length === 1 && !readable(guids[0] ?? '')) return { status: 403 };
      const found = guids.filter((id) => visible(viewer, id) && readable(id));
      return { status: 200, one: Object.fromEntries(found.map((id) => [id, keysOf(id, appId)])) };
    },
    friendsAppData(question: Question) {
      if (unknown(question)) return missing;
      const { viewer, guids, app: appId } = question;
      const found = friendsOf(viewer, guids).filter(
        (id) =>
          (id === viewer || areFriends(viewer, id)) && installOf(id, appId) !== undefined && 'k' in keysOf(id, appId),
      );
      return { status: 200, one: Object.fromEntries(found.map((id) => [id, keysOf(id, appId)])) };
    },
    albums(question: Question, ofFriends: boolean) {
      if (unknown(question)) return missing;
      const { viewer, guids } = question;
      const owners = ofFriends ? friendsOf(viewer, guids) : guids;
      const found = world.albums.filter(
        (one) => owners.includes(one.ownerId) && mayUse(viewer, one.ownerId, one.visibility),
      );
      return list(
        found
          .toSorted((a, b) => compareIds(a.id, b.id))
          .map(({ id }) => ({ id, mediaItemCount: itemsOf(viewer, id).length })),
      );
    },
    mediaItems({ viewer, guids, album: id }: Question) {
      const album = world.albums.find((one) => one.id === id);
      if (!album || !guids.includes(album.ownerId) || !mayUse(viewer, album.ownerId, album.visibility)) return missing;
      return list(itemsOf(viewer, id));
    },
  };

  function keysOf(memberId: string, appId: string): object {
    const has = world.appData.some((one) => one.memberId === memberId && one.appId === appId);
    return has ? { k: `of ${memberId}` } : {};
  }

  function itemsOf(viewer: string, albumId: string): readonly string[] {
    const owner = world.albums.find((one) => one.id === albumId)?.ownerId ?? '';
    const found = world.items.filter((one) => one.albumId === albumId && mayUse(viewer, owner, one.visibility));
    return found.map(({ id }) => id).sort(compareIds);
  }
}

function told(reply: Reply, pick: (item: Readonly<Record<string, unknown>>) => unknown): unknown {
  const { entry, totalResults } = reply.json;
  if (reply.status !== 200) return { status: reply.status };
  if (!Array.isArray(entry)) return { status: 200, one: totalResults === undefined ? pick(entry as never) : entry };
  const all = entry.map(pick);
  return totalResults === all.length ? { status: 200, all } : { status: 200, all, wrongTotal: totalResults };
}

const id = (item: Readonly<Record<string, unknown>>) => item.id;
const whole = (item: unknown) => item;
const profile = ({ id: own, hasApp, aboutMe, age, birthday, gender }: Readonly<Record<string, unknown>>) => ({
  id: own,
  hasApp,
  aboutMe,
  age,
  birthday,
  gender,
});
const album = ({ id: own, mediaItemCount }: Readonly<Record<string, unknown>>) => ({ id: own, mediaItemCount });

async function check(site: Site, world: World, question: Question): Promise<void> {
  const { viewer: as, app: key, guids, pid } = question;
  const expected = model(world);
  const who = guids.join(',');
  const fields = 'fields=aboutMe,age,birthday,gender';
  const cases: readonly (readonly [path: string, pick: (item: never) => unknown, expected: unknown])[] = [
    [`/people/${who}/@self?${fields}`, profile, expected.people(question)],
    [`/people/${guids[0]}/@all/${pid}?${fields}`, profile, expected.personSeenFrom(question)],
    [`/people/${who}/@friends?${fields}`, profile, expected.friends(question)],
    [`/people/${who}/@friends?filterBy=hasApp`, id, expected.friendsWithApp(question)],
    [`/activities/${who}/@self`, id, expected.activities(question, false)],
    [`/activities/${who}/@self/@app`, id, expected.activities(question, true)],
    [`/activities/${who}/@friends`, id, expected.friendsActivities(question, false)],
    [`/activities/${who}/@friends/@app`, id, expected.friendsActivities(question, true)],
    [`/appData/${who}/@self/@app`, whole, expected.appData(question)],
    [`/appData/${who}/@friends/@app`, whole, expected.friendsAppData(question)],
    [`/albums/${who}/@self`, album, expected.albums(question, false)],
    [`/albums/${who}/@friends`, album, expected.albums(question, true)],
    [`/mediaitems/${who}/@self/${question.album}`, id, expected.mediaItems(question)],
  ];
  for (const [path, pick, wanted] of cases) {
    const answer = told(await site.get(path, { as, key }), pick as never);
    if (!isDeepStrictEqual(answer, wanted))
      expect({ path, as, key, answer }).toEqual({ path, as, key, answer: wanted });
  }
}

test.each(databases)(
  'on $name, everyone sees what a naive model of the rules shows them, in random worlds (contract §6, security rule 17)',
  async ({ open, name }) => {
    await fc.assert(
      fc.asyncProperty(worlds, fc.array(questions, { minLength: 5, maxLength: 5 }), async (world, asked) => {
        const site = await openSite(open, file(world));
        for (const question of asked) await check(site, world, question);
        await site.db.close();
      }),
      { numRuns: name === 'SQLite' ? 150 : 40 }, // the rules are the same text; a server takes three times as long
    );
  },
  120_000,
);
