import { type Logger, silentLogger } from '@gantry/wire/runtime';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createSchema, type Schema } from '../../../store/test/postgres.ts';
import { folderForTest } from '../../../wire/test/temporary-folder.ts';
import { createGantry } from '../../src/index.ts';

let schema: Schema;
let data: string;
beforeEach(async () => {
  schema = await createSchema();
  data = folderForTest();
});
afterEach(() => schema.remove());

test('a standby that cannot be reached is named in the log without its password, and the site runs', async () => {
  const { promise: warned, resolve } = Promise.withResolvers<string>();
  const log: Logger = { ...silentLogger, warn: (_, message) => resolve(message) };
  const away = Object.assign(new URL(schema.url), { port: '1' }).href;
  const site = { data, url: 'http://localhost:4400', log };
  const gantry = await createGantry({ ...site, database: schema.url, replicas: [away] });
  const message = await warned;
  expect(message).toMatch(
    /^The replica postgres:\/\/…@127\.0\.0\.1:1\/\S+ cannot be used: reads go to the database itself$/,
  );
  expect(message).not.toContain(new URL(schema.url).password);
  expect((await gantry.fetch(new Request('http://localhost:4400/readyz'))).status).toBe(200);
  await gantry.close();
});

test('a site on SQLite with standbys is refused (security rule 24)', async () => {
  const site = { data, url: 'http://localhost:4400', log: silentLogger };
  await expect(createGantry({ ...site, replicas: [schema.url] })).rejects.toThrow(/SQLite has no standbys\.$/);
});
