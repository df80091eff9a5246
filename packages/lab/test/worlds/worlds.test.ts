import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findWorld, type World, worldNames } from '../../src/index.ts';
import { worldPicture } from '../../src/worlds/pictures.ts';
import { type SiteOfWorld, siteOfWorld } from './site-of-world.ts';

const nowMs = Date.UTC(2026, 4, 1, 12);
const options = { now: () => nowMs, apps: ['notes'] };

describe.each(worldNames)('the world %s', (name) => {
  let world: World;
  let site: SiteOfWorld;
  beforeAll(async () => {
    world = await findWorld(name, options);
    site = await siteOfWorld(world);
  });
  afterAll(() => site?.close());

  test('is imported, and the service answers every read of every persona', async () => {
    expect(world.personas?.length).toBeGreaterThan(0);
    for (const { id, name: shown } of world.personas ?? []) {
      const self = await site.get(id, `/people/@me/@self?fields=@all`);
      expect(self.entry).toMatchObject({ id, displayName: shown });
      await site.get(id, '/people/@me/@friends?fields=@all&count=100');
      await site.get(id, '/activities/@me/@self?count=100');
      await site.get(id, '/activities/@me/@friends?count=100');
      await site.get(id, '/appdata/@me/@self/@app');
      await site.get(id, '/appdata/@me/@friends/@app?count=100');
      const { entry: albums } = await site.get(id, '/albums/@me/@self?count=100');
      for (const album of albums) await site.get(id, `/mediaitems/@me/@self/${album.id}?count=100`);
    }
  });

  test('is the same for the same time, and differs in its dates for another', async () => {
    expect(await findWorld(name, options)).toEqual(world);
    if (name === 'empty') return;
    expect(await findWorld(name, { ...options, now: () => nowMs + 86_400_000 })).not.toEqual(world);
  });

  test('names each oddity once, after the world, and its member exists', async () => {
    const { members } = world.file as { members: readonly { id: string }[] };
    const oddities = world.oddities ?? [];
    expect(new Set(oddities.map(({ id }) => id)).size).toBe(oddities.length);
    for (const { id, member = 'm-1' } of oddities) {
      expect(id.startsWith(`${name}/`)).toBe(true);
      expect(members.some((each) => each.id === member)).toBe(true);
    }
  });
});

describe('friendly', () => {
  test('has plenty for the first persona, little for the second, and the third is a stranger to both', async () => {
    const world = await findWorld('friendly', options);
    expect(world.personas).toEqual([
      { id: 'm-1', name: 'Ada Lovell', about: '24 friends, 2 posts, 3 albums' },
      { id: 'm-2', name: 'Bo Sand', about: '2 friends, 1 post' },
      { id: 'm-4', name: 'Di Vale', about: '2 friends, 2 posts, 1 album' },
    ]);
    const site = await siteOfWorld(world);
    expect((await site.get('m-1', '/activities/@me/@friends')).totalResults).toBeGreaterThan(20);
    expect((await site.get('m-2', '/people/@me/@friends')).entry.map(({ id }) => id)).toEqual(['m-1', 'm-3']);
    expect((await site.get('m-4', '/people/@me/@friends')).entry.map(({ id }) => id)).toEqual(['m-39', 'm-40']);
    await site.close();
  });
});

describe('hostile', () => {
  let site: SiteOfWorld;
  beforeAll(async () => {
    site = await siteOfWorld(await findWorld('hostile', options), 'notes');
  });
  afterAll(() => site?.close());

  const friend = async (id: string) => (await site.get('m-1', `/people/${id}/@self?fields=@all`)).entry;

  test('has a name of sixty letters', async () => {
    expect((await friend('long-name')).displayName).toMatch(/^\p{L}{60}$/u);
  });

  test('withholds ages: the year of the birthday is 0000, and the age is empty (§2 Person)', async () => {
    expect(await friend('no-age')).toMatchObject({ birthday: '0000/05/05', age: '' });
    expect(await friend('no-age-leap-day')).toMatchObject({ birthday: '0000/02/29', age: '' });
    expect(await friend('newborn')).toMatchObject({ birthday: '2026/05/01', age: 0 });
  });

  test('withholds all fields of one member', async () => {
    expect(await friend('withheld')).toMatchObject({
      ...{ aboutMe: '', addresses: [], age: '', birthday: '', languagesSpoken: '', gender: '' },
    });
  });

  test('has activities at the doubled hour and around the missing one, in the zone of the site', async () => {
    const { entry } = await site.get('m-1', '/activities/@me/@self');
    expect(entry.map(({ title, postedTime }) => `${postedTime} ${title}`)).toEqual([
      '2026-03-29T03:00:00+02:00 posted after the hour that is missing',
      '2026-03-29T01:59:59+01:00 posted before the hour that is missing',
      '2025-10-26T02:30:00+01:00 posted at half past two once more',
      '2025-10-26T02:30:00+02:00 posted at half past two',
    ]);
  });

  test('has AppData full to the limit (§4 AppData)', async () => {
    const full = (await site.get('full-appdata', '/appdata/@me/@self/@app')).entry['full-appdata'] as object;
    expect(Object.entries(full).reduce((bytes, [key, value]) => bytes + key.length + value.length, 0)).toBe(102_400);
    const many = (await site.get('many-keys', '/appdata/@me/@self/@app')).entry['many-keys'] as object;
    expect(Object.keys(many)).toHaveLength(1_000);
  });

  test('has a member who left', async () => {
    await expect(friend('left')).rejects.toThrow('404');
  });
});

test('an unknown world is refused with the names of those that there are', async () => {
  await expect(findWorld('frendly')).rejects.toThrow(
    'There is no world "frendly": the worlds are friendly, empty, crowd, hostile, or a file whose name ends in .json or .jsonl.',
  );
});

test('pictures of worlds are drawn when they are asked for; the dead one is not there', async () => {
  const picture = worldPicture('/pictures/wide-4000x90.svg');
  expect(await picture?.text()).toMatch(/^<svg [^>]*width="4000" height="90"/);
  expect(picture?.headers.get('Content-Security-Policy')).toContain('sandbox');
  expect(await worldPicture('/avatars/7.svg')?.text()).toBe(await worldPicture('/avatars/7.svg')?.text());
  for (const path of ['/pictures/gone.svg', '/pictures/a/b.svg', '/pictures/<script>.svg', '/']) {
    expect(worldPicture(path)).toBeUndefined();
  }
});
