import { importWorld, writeSetting } from '@gantry/service';
import pino from 'pino';
import { expect, test } from 'vitest';
import { folderForTest } from '../../../wire/test/temporary-folder.ts';
import { createGantry } from '../../src/index.ts';
import { signed, world } from '../running-site.ts';

const url = 'http://localhost:4400';
const path = '/social/rest/people/@me/@self';

/** Sends 60 requests of one key, by turns to two of Gantry over one file. */
async function countPassed(options: { readonly sharesDatabase?: boolean }): Promise<number> {
  const data = folderForTest();
  const open = () => createGantry({ data, url, log: pino({ level: 'silent' }), ...options });
  const both = [await open(), await open()] as const;
  try {
    const { stores } = both[0];
    await importWorld(stores.db, world, { ...stores, folder: '.' });
    await writeSetting(stores.db, 'rateLimit', '1');
    await writeSetting(stores.db, 'rateBurst', '20');
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        both[index % 2 ? 1 : 0].fetch(new Request(url + path, signed(url + path))),
      ),
    );
    for (const { status } of answers) expect([200, 429]).toContain(status);
    return answers.filter(({ status }) => status === 200).length;
  } finally {
    for (const gantry of both) await gantry.close();
  }
}

test('processes that share a file of SQLite keep a key’s rate together (decision 97)', async () => {
  const passed = await countPassed({ sharesDatabase: true });
  expect(passed).toBeGreaterThanOrEqual(15);
  expect(passed).toBeLessThanOrEqual(20);
});

test('control: without saying so each counts for itself', async () => {
  expect(await countPassed({})).toBe(40);
});
