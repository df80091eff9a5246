import pino from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { createSchema } from '../../../store/test/postgres.ts';
import { folderForTest } from '../../../wire/test/temporary-folder.ts';
import { createSiteProxy } from '../../src/index.ts';
import { watchClock } from '../../src/telemetry/watch-clock.ts';

/** Watches a clock that differs from the database's. Returns what is logged, and the next look. */
async function watch(offMs: number) {
  const schema = await createSchema();
  const db = schema.connect();
  onTestFinished(() => schema.remove());
  onTestFinished(() => db.close());
  const warnings: string[] = [];
  const clock = { offMs };
  let look = () => {};
  let asked = 0;
  const stop = watchClock({
    db: {
      ...db,
      async query<R>(statement: Parameters<typeof db.query>[0]) {
        const rows = await db.query<R>(statement);
        setImmediate(() => asked++);
        return rows;
      },
    },
    log: { warn: (_: unknown, text?: string) => void warnings.push(String(text)) },
    now: () => Date.now() + clock.offMs,
    every: (tick) => {
      look = tick;
      return () => {};
    },
  });
  onTestFinished(() => stop());
  await expect.poll(() => asked).toBe(1);
  return { warnings, clock, look: () => look(), asked: () => asked };
}

test.each([
  [40_000, /40 s ahead of the database's/],
  [-40_000, /40 s behind the database's/],
])('a clock that is %d ms off is said at the start', async (offMs, said) => {
  const { warnings } = await watch(offMs);
  expect(warnings).toEqual([expect.stringMatching(said)]);
});

test('a right clock is not; one that goes wrong is said later', async () => {
  const { warnings, clock, look, asked } = await watch(0);
  expect(warnings).toEqual([]);
  clock.offMs = 3_600_000;
  look();
  await expect.poll(asked).toBe(2);
  expect(warnings).toEqual([expect.stringMatching(/3600 s ahead/)]);
});

test('gantry proxy over a PostgreSQL says it too', async () => {
  const schema = await createSchema();
  onTestFinished(() => schema.remove());
  const data = folderForTest();
  const lines: string[] = [];
  const proxy = await createSiteProxy({
    ...{ data, database: schema.url, url: 'https://social.example', viewerKey: new Uint8Array(32) },
    ...{ upstreamUrl: 'https://social.example/social/rest', mediaOrigins: [], honoursKeys: false },
    log: pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) }),
    now: () => Date.now() + 40_000,
  });
  onTestFinished(() => proxy.close());
  await expect.poll(() => lines.join('')).toMatch(/40 s ahead of the database's/);
});
