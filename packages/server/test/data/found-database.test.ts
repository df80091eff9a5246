import { sql } from '@gantry/store';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createSchema, type Schema } from '../../../store/test/postgres.ts';
import { folderForTest } from '../../../wire/test/temporary-folder.ts';
import { openProxyStores, openStores } from '../../src/data/open-stores.ts';

let schema: Schema;
let data: string;
beforeEach(async () => {
  schema = await createSchema();
  data = folderForTest();
});
afterEach(() => schema.remove());

const found = () => ({ data, database: schema.url, databaseIsFound: true });

test('a found database is used if it is empty, and again once it is a site’s', async () => {
  for (let start = 0; start < 2; start++) {
    const stores = await openStores(found());
    expect(await stores.db.query(sql`select id from member`)).toEqual([]);
    await stores.db.close();
  }
});

test.each([
  ['serve', openStores],
  ['proxy', openProxyStores],
])('one with tables of another program is refused by gantry %s, without its password', async (_, open) => {
  const other = schema.connect();
  await other.query(sql`create table orders (id integer)`);
  const problem = await open(found()).catch((error: Error) => error.message);
  expect(problem).toMatch(/^DATABASE_URL names postgres:\/\/…@.* has tables of another program\. Name one for Gantry/);
  expect(problem).not.toContain(new URL(schema.url).password);
  expect(await other.query(sql`select 1 from pg_tables where schemaname = current_schema()`)).toHaveLength(1);
  const named = await open({ data, database: schema.url }); // the control: it was named for Gantry
  await named.db.close();
  await other.close();
});
