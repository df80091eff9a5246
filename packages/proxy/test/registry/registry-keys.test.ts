import { migrate, openSqlite, sql } from '@gantry/store';
import { describe, expect, test } from 'vitest';
import { openEmptyPostgres } from '../../../store/test/postgres.ts';
import {
  addRegistryKey,
  endRegistryKeys,
  listRegistryKeys,
  maxAppsOfKey,
  maxKeyDays,
  proxyMigrations,
  revokeRegistryKey,
} from '../../src/index.ts';
import { verifyRegistryKey } from '../../src/registry/registry-keys.ts';

const databases = [
  { name: 'SQLite', open: async () => openSqlite({ file: ':memory:' }) },
  { name: 'PostgreSQL', open: openEmptyPostgres },
];
const startMs = Date.UTC(2026, 0, 1);
const dayMs = 86_400_000;

describe.each(databases)('keys of the registry on $name', ({ open }) => {
  async function opened() {
    const db = await open();
    await migrate(db, { name: 'proxy', migrations: proxyMigrations });
    const add = (more: object = {}) => addRegistryKey(db, { apps: ['quiz'], may: 'live', now: () => startMs, ...more });
    return { db, add };
  }

  test('are stored as a digest, listed without their secret, and end (decision 89)', async () => {
    const { db, add } = await opened();
    const { id, key, expiresAt } = await add({ title: 'CI', days: 2, apps: ['quiz', 'dice', 'quiz'] });
    expect(expiresAt).toBe('2026-01-03T00:00:00.000Z');
    const [listed] = await listRegistryKeys(db);
    expect(listed).toEqual({
      ...{ id, title: 'CI', apps: ['quiz', 'dice'], may: 'live' },
      ...{ createdAt: '2026-01-01T00:00:00.000Z', expiresAt },
    });
    const secret = key.split('.')[1] ?? '';
    expect(JSON.stringify(await db.query(sql`select * from registry_keys`))).not.toContain(secret);
    expect(await verifyRegistryKey(db, key, startMs + 2 * dayMs - 1)).toEqual(listed);
    await expect(verifyRegistryKey(db, key, startMs + 2 * dayMs)).rejects.toThrow('The key ended on 2026-01-03');
    await db.close();
  });

  test('are refused alike if they are forged, cut, or of an id that no key has', async () => {
    const { db, add } = await opened();
    const { id, key } = await add();
    expect(await verifyRegistryKey(db, key, startMs)).toMatchObject({ id }); // control
    const forged = `${id}.${'A'.repeat(43)}`;
    for (const text of [forged, key.slice(0, -1), `${key}x`, id, '', `${'0'.repeat(16)}.${key.split('.')[1]}`]) {
      await expect(verifyRegistryKey(db, text, startMs)).rejects.toMatchObject({
        code: 'UNAUTHORIZED',
        message: 'The key is unknown or was revoked: gantry keys add makes one.',
      });
    }
    await db.close();
  });

  test('end at once when they are revoked, and all with the keys of the site (security rule 31)', async () => {
    const { db, add } = await opened();
    const [first, second] = [await add(), await add({ apps: ['dice'] })];
    expect(await revokeRegistryKey(db, first.id)).toBe(true);
    expect(await revokeRegistryKey(db, first.id)).toBe(false);
    await expect(verifyRegistryKey(db, first.key, startMs)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect(await db.query(endRegistryKeys)).toEqual([{ key: second.id, kind: 'registry', of: '["dice"]' }]);
    expect(await listRegistryKeys(db)).toEqual([]);
    await db.close();
  });

  test.each([
    [{ apps: [] }, `A key is for 1 to ${maxAppsOfKey} apps.`],
    [{ apps: Array.from({ length: maxAppsOfKey + 1 }, (_, index) => `a${index}`) }, 'A key is for 1 to'],
    [{ apps: ['a b'] }, 'The id of an app is'],
    [{ days: 0 }, 'A key lasts a whole number of days'],
    [{ days: maxKeyDays + 1 }, `between 1 and ${maxKeyDays}`],
    [{ days: Number.NaN }, 'A key lasts a whole number of days'],
    [{ title: 'CI \u202egpj' }, 'The title of a key must not have invisible characters'],
  ])('are not made of %j', async (more, message) => {
    const { db, add } = await opened();
    await expect(add(more)).rejects.toThrow(message);
    expect(await listRegistryKeys(db)).toEqual([]);
    await db.close();
  });
});
