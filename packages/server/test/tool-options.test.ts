import { openNonces } from '@gantry/service';
import { sql } from '@gantry/store';
import pino from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { folderForTest } from '../../wire/test/temporary-folder.ts';
import { createGantry, type OpenStores, openStores } from '../src/index.ts';

const log = pino({ level: 'silent' });
let data: string;
let stores: OpenStores;

beforeEach(async () => {
  data = folderForTest();
  const opened = await openStores({ data, database: ':memory:' });
  stores = { ...opened, nonces: await openNonces(opened.db, { boot: { id: 'test', startedAt: 0 } }) };
});
afterEach(() => stores.db.close());

const isOpen = () =>
  stores.db.query(sql`select 1`).then(
    () => true,
    () => false,
  );

test('a site works on the stores that it is given, and closes them (ADR 0044)', async () => {
  const gantry = await createGantry({ data, url: 'http://localhost:4400', log, stores });
  expect(gantry.stores.db).toBe(stores.db);
  await gantry.saveRecords([{ kind: 'member', id: 'm-1', displayName: 'Ada' }]);
  expect(await stores.db.query(sql`select id from member`)).toEqual([{ id: 'm-1' }]);
  await gantry.close();
  expect(await isOpen()).toBe(false);
});

test('stores that were given stay open where a site cannot be made of them', async () => {
  const short = { ...stores, tokenKeys: [{ id: '1', key: new Uint8Array(8) }] };
  const made = createGantry({ data, url: 'http://localhost:4400', log, stores: short });
  await expect(made).rejects.toThrow('it needs 32 or more');
  expect(await isOpen()).toBe(true);
});

test('work is repeated by the given hand only, and ends with the site', async () => {
  const running = new Set<() => void>();
  const every = (tick: () => void) => {
    const mine = () => tick();
    running.add(mine);
    return () => void running.delete(mine);
  };
  const gantry = await createGantry({ data, url: 'http://localhost:4400', log, stores, every });
  expect(running.size).toBeGreaterThan(1);
  await gantry.close();
  expect([...running]).toEqual([]);
});
