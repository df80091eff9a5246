import { type Database, sql } from '@gantry/store';
import { expect, test } from 'vitest';
import { countAllocations } from '../counts/allocations.ts';
import { countCrossings } from '../counts/crossings.ts';
import { countServer } from '../counts/server-counts.ts';
import type { Count } from '../figures/report.ts';

// A change that makes something cheaper changes a number here. One that makes it dearer says why
// (ADR 93).

const byName = (counts: readonly Count[]) => Object.fromEntries(counts.map(({ name, value }) => [name, value]));
const only = (counts: readonly Count[], start: string) =>
  byName(
    counts.flatMap((count) =>
      count.name.startsWith(start) ? [{ ...count, name: count.name.slice(start.length) }] : [],
    ),
  );

const statements = {
  'a static answer': 0,
  'a verified list': 5,
  'an unchanged list': 3,
  'an instance': 3,
  'a proxied read': 5,
  'a cached proxied read': 3,
};

test('a request runs so many statements and no more (ADR 93)', async () => {
  const counts = await countServer();
  expect(only(counts, 'Statements of ')).toEqual(statements);
  // Bytes on the wire: those of the data and what each way adds.
  const bytes = only(counts, 'Response of ');
  const list = bytes['a static answer'] as number;
  expect((bytes['a verified list'] as number) - list).toBeLessThan(120);
  expect((bytes['a cached proxied read'] as number) - list).toBeLessThan(180);
  expect(bytes['an unchanged list']).toBeLessThan(280);
});

test('positive control: a look-up for each request of a page is a statement more', async () => {
  const viewer = async (db: Database) => {
    await db.query(sql`select 1`);
    return '1';
  };
  const { 'a cached proxied read': cached, 'a verified list': verified } = only(
    await countServer({ viewer }),
    'Statements of ',
  );
  expect([cached, verified]).toEqual([statements['a cached proxied read'] + 1, statements['a verified list']]);
});

test('a read crosses the port so often and no more (ADR 93)', async () => {
  const oneByOne = 'reads that wait for one another';
  const counts = await countCrossings({
    async [oneByOne]({ osapi }) {
      for (let count = 0; count < 100; count++) await osapi.people.getViewerFriends();
    },
  });
  const { [oneByOne]: apart, ...crossings } = only(counts, 'Crossings of ');
  expect(crossings).toEqual({
    'a first read': 3,
    'a repeated read': 2,
    '100 repeated reads of one tick': 2,
    'a write': 4,
  });
  expect(apart).toBe(200); // control: without a batch
});

const bounds = {
  'a static answer': 60_000,
  'a verified list': 125_000,
  'an unchanged list': 85_000,
  'an instance': 122_000,
  'a proxied read': 200_000,
  'a cached proxied read': 117_000,
};

test('a request allocates so many bytes and hardly more (ADR 93)', async () => {
  const counts = await countAllocations();
  const allocated = only(counts, 'Allocated by ');
  for (const [name, bound] of Object.entries(bounds)) {
    expect(allocated[name], name).toBeLessThan(bound);
    expect(allocated[name], name).toBeGreaterThan(bound / 3); // a bound far above the number finds nothing
  }
  // Control: what the cache saves is more than a bound leaves room for.
  expect(allocated['a proxied read']).toBeGreaterThan(bounds['a cached proxied read']);
});
