import { createAudience, importWorld, serviceMigrations } from '@gantry/service';
import { createListeners, type Database, type Listener, type LoggedChange, migrate, openSqlite } from '@gantry/store';
import { describe, expect, test } from 'vitest';
import { growth, mostGrowth } from '../../wire/test/growth.ts';

const apps = new Set(['notes']);
const ids = (count: number, prefix = 'm') => Array.from({ length: count }, (_, index) => `${prefix}${index}`);
const changeOf = (memberId: string): LoggedChange => ({ topic: 'activities', memberId, appId: undefined });

/** Opens a site whose members form a ring: each is a friend of the five before and after them. */
async function openVillage(count: number): Promise<Database> {
  const db = openSqlite({ file: ':memory:' });
  await migrate(db, { name: 'service', migrations: serviceMigrations });
  const members = ids(count);
  const friendships = members.flatMap((id, index) =>
    [1, 2, 3, 4, 5].map((step) => [id, members[(index + step) % count]]),
  );
  const world = { members: members.map((id) => ({ id, displayName: id })), friendships };
  await importWorld(db, world, { folder: '.', mediaFolder: '.', secretKey: new Uint8Array(32) });
  return db;
}

const constantGrowth = 0.5; // work that does not grow has 0, linear work 1

describe('the cost of an audience grows with the changes, not with the listeners (security rule 25)', () => {
  test('owners of a page', async () => {
    const db = await openVillage(1_600);
    const audience = createAudience(db);
    const changes = ids(20).map(changeOf);
    const work = (size: number) => {
      const owners = new Set(ids(size));
      const listeners = createListeners(Array.from({ length: 20 }, (): Listener => ({ viewer: 'm0', owners, apps })));
      return () => audience(changes, listeners);
    };
    expect(await growth(150, work, constantGrowth)).toBeLessThan(constantGrowth);
    const naive = (size: number) => {
      const owners = new Set(ids(size));
      return () => changes.map(() => Array.from({ length: 20 }, () => [...owners].filter((id) => id === 'nobody')));
    };
    expect(await growth(150, naive, constantGrowth)).toBeGreaterThan(constantGrowth); // control
  });

  test('pages that a change does not concern', async () => {
    const db = await openVillage(100);
    const audience = createAudience(db);
    const changes = ids(20).map(changeOf);
    const work = (size: number) => {
      const strangers = ids(size, 's').map((viewer): Listener => ({ viewer, owners: new Set([viewer]), apps }));
      const listeners = createListeners([{ viewer: 'm0', owners: new Set(['m0']), apps }, ...strangers]);
      return () => audience(changes, listeners);
    };
    expect(await growth(500, work, constantGrowth)).toBeLessThan(constantGrowth);
  });

  test('pages that it does concern, and changes', async () => {
    const db = await openVillage(400);
    const audience = createAudience(db);
    const pages = (size: number) =>
      createListeners(Array.from({ length: size }, (): Listener => ({ viewer: 'm0', owners: new Set(ids(50)), apps })));
    const few = pages(20);
    const growthOfPages = await growth(20, (size) => {
      const listeners = pages(size);
      const changes = ids(20).map(changeOf);
      return () => audience(changes, listeners);
    });
    expect(growthOfPages).toBeLessThan(mostGrowth);
    const growthOfChanges = await growth(25, (size) => {
      const changes = ids(size).map(changeOf);
      return () => audience(changes, few);
    });
    expect(growthOfChanges).toBeLessThan(mostGrowth);
  });
});
