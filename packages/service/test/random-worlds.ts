import type { Database } from '@gantry/store';
import fc from 'fast-check';
import { uninstallApp } from './apps.ts';
import { openSite, type Site, start } from './site.ts';

/*
 * Random small worlds, dense in friendships, blocks and levels, and random questions about them.
 */

export type Level = 'site' | 'friends' | 'private';
export type ProfileField = (typeof profileFields)[number];

export interface Install {
  readonly memberId: string;
  readonly appId: string;
  readonly visibility: Level;
  /** True if the app was removed again: its visibility stays. */
  readonly removed: boolean;
  /** True if its AppData stays after removal. */
  readonly keepsData: boolean;
  /** Permissions that the member granted; absent for an app from the site. */
  readonly permissions?: readonly string[];
}

export interface World {
  readonly friends: readonly (readonly [string, string])[];
  readonly blocks: readonly (readonly [string, string])[];
  readonly installs: readonly Install[];
  readonly levels: Readonly<Record<string, Readonly<Record<ProfileField, Level>>>>;
  readonly activities: readonly { readonly id: string; readonly userId: string; readonly appId?: string }[];
  readonly appData: readonly { readonly memberId: string; readonly appId: string }[];
  readonly albums: readonly { readonly id: string; readonly ownerId: string; readonly visibility: Level }[];
  readonly items: readonly { readonly id: string; readonly albumId: string; readonly visibility: Level }[];
}

export const members = ['1', '2', '3', '4', '10'];
/** Administrator who grants the tokens of the flow `admin`. */
export const administrator = '10';
export const appIds = ['x', 'y'];
export const profileFields = ['aboutMe', 'addresses', 'age', 'birthday', 'languagesSpoken', 'gender'] as const;

const permissions = [
  ...['people', 'activities', 'activities.post', 'appdata', 'appdata.write', 'albums'],
  ...profileFields.map((field) => `people.${field}`),
];

const member = fc.constantFrom(...members);
const app = fc.constantFrom(...appIds);
export const level = fc.constantFrom<Level>('site', 'friends', 'private');
const pairs = (maxLength: number) =>
  fc.uniqueArray(fc.tuple(member, member), { maxLength }).map((all) => all.filter(([a, b]) => a !== b));

const numbered = <T extends object>(prefix: string, item: fc.Arbitrary<T>, maxLength: number) =>
  fc.array(item, { maxLength }).map((all) => all.map((one, index) => ({ ...one, id: `${prefix}${index + 8}` })));

export const worlds: fc.Arbitrary<World> = fc
  .record({
    friends: pairs(7),
    blocks: pairs(4),
    installs: fc.uniqueArray(
      fc.record(
        {
          memberId: member,
          appId: app,
          visibility: level,
          removed: fc.boolean(),
          keepsData: fc.boolean(),
          permissions: fc.subarray([...permissions]),
        },
        { requiredKeys: ['memberId', 'appId', 'visibility', 'removed', 'keepsData'] },
      ),
      { maxLength: 8, selector: ({ memberId, appId }) => `${memberId} ${appId}` },
    ),
    levels: fc.record(
      Object.fromEntries(
        members.map((id) => [
          id,
          fc.record({
            aboutMe: level,
            addresses: level,
            age: level,
            birthday: level,
            languagesSpoken: level,
            gender: level,
          }),
        ]),
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

/** Ways to sign a request. Only the first two have an app. */
export const ways = ['container', 'app', 'member', 'admin', 'member token', 'admin token'] as const;
export type Way = (typeof ways)[number];

export interface Asker {
  readonly viewer: string;
  readonly way: Way;
  readonly app: string;
}

export interface Question extends Asker {
  readonly guids: readonly string[];
  readonly pids: readonly string[];
  readonly album: string;
  readonly page: { readonly startIndex: number; readonly count: number };
}

const guid = fc.oneof({ weight: 8, arbitrary: member }, { weight: 1, arbitrary: fc.constantFrom('404', '@nobody') });
const guids = fc.oneof(
  { weight: 3, arbitrary: guid.map((id) => [id]) },
  fc.uniqueArray(guid, { minLength: 2, maxLength: 4 }),
);
const asker = {
  viewer: member,
  app,
  way: fc.oneof({ weight: 4, arbitrary: fc.constant<Way>('container') }, fc.constantFrom(...ways)),
};

export const askers: fc.Arbitrary<Asker> = fc.record(asker);
export const questions: fc.Arbitrary<Question> = fc.record({
  ...asker,
  guids,
  pids: guids,
  album: fc.integer({ min: 8, max: 12 }).map((n) => `a${n}`),
  page: fc.record({ startIndex: fc.integer({ min: 0, max: 3 }), count: fc.integer({ min: 1, max: 2 }) }),
});

export async function openWorld(open: () => Promise<Database>, world: World): Promise<Site> {
  const site = await openSite(open, file(world));
  for (const { memberId, appId, removed, keepsData: keeps } of world.installs) {
    if (removed && keeps) await site.add({ installs: [{ appId, memberId, removed }] });
    if (removed && !keeps) await uninstallApp(site.db, { appId, memberId });
  }
  return site;
}

// Returns the world as records.
function file(world: World): object {
  return {
    members: members.map((id) => ({
      id,
      displayName: `M${id}`,
      aboutMe: `about ${id}`,
      region: `region ${id}`,
      birthday: '2000/01/01',
      gender: 'male',
      language: `l${id}`,
      visibility: world.levels[id],
      admin: id === administrator,
    })),
    friendships: world.friends,
    blocks: world.blocks,
    apps: appIds.map((id) => ({ id, title: id })),
    installs: world.installs.map(({ removed: _, keepsData: __, ...install }) => install),
    consumers: [
      ...appIds.flatMap((appId) => [
        { key: `container-${appId}`, secret: 'secret', kind: 'app', appId, container: true },
        { key: `app-${appId}`, secret: 'secret', kind: 'app', appId },
      ]),
      ...members.map((memberId) => ({ key: `member-${memberId}`, secret: 'secret', kind: 'member', memberId })),
      { key: 'admin-any', secret: 'secret', kind: 'admin', anyMember: true },
      { key: 'admin', secret: 'secret', kind: 'admin' },
    ],
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
