import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { runKills } from '../durability/kills.ts';
import { startPostgres } from '../durability/postgres.ts';

const patience = 120_000;

test('acknowledged writes survive a killed server, whole and once (security rule 22)', {
  timeout: patience,
}, async () => {
  const { acknowledged, replayed, findings } = await runKills({ kills: 5, writers: 8 });
  expect(findings).toEqual([]);
  expect(acknowledged).toBeGreaterThanOrEqual(5);
  expect(replayed).toBeGreaterThanOrEqual(5);
});

test('the same on PostgreSQL, which is killed alone and with the server (security rule 22)', {
  timeout: patience,
}, async () => {
  const database = await startPostgres();
  try {
    const { acknowledged, findings } = await runKills({ kills: 2, writers: 8, database });
    expect(findings).toEqual([]);
    expect(acknowledged).toBeGreaterThanOrEqual(2);
  } finally {
    await database.close();
  }
});

test('positive control: a lost post, half a write and forgotten nonces are findings', {
  timeout: patience,
}, async () => {
  const { findings } = await runKills({
    kills: 1,
    writers: 8,
    writingMs: { least: 2_500, most: 2_500 },
    meanwhile: async (data) => {
      const db = new DatabaseSync(join(data, 'gantry.db'));
      db.exec('delete from activity where posted_at_s = (select min(posted_at_s) from activity)');
      db.exec(`delete from app_data where key like '%key0'`);
      db.close();
      const nonces = join(data, 'nonces');
      for (const name of readdirSync(nonces)) if (name.endsWith('.log')) rmSync(join(nonces, name));
    },
  });
  expect(findings).toContainEqual(expect.stringMatching(/post .* is lost/));
  expect(findings).toContainEqual(expect.stringMatching(/slot \d is torn/));
  expect(findings).toContainEqual('after kill 1: a request that was used before was answered 200');
});
