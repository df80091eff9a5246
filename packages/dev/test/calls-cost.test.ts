import type { Entry } from '@gantry/lab';
import { expect, test } from 'vitest';
import { growth, mostGrowth } from '../../wire/test/growth.ts';
import { createRowLog } from '../page/calls/row-log.ts';
import { selectRows } from '../page/calls/select-rows.ts';

function calls(size: number): Entry[] {
  return Array.from({ length: size }, (_, index): Entry[] => {
    const head = { atMs: index, lab: 'a', app: 'friends', place: 'm-1/1', call: index };
    return [
      { ...head, number: 2 * index, kind: 'call', operation: 'people.get', params: { index } },
      { ...head, number: 2 * index + 1, kind: 'reply', ok: index, tookMs: 1, size: 1 },
    ];
  }).flat();
}

function logOf(entries: readonly Entry[]) {
  const log = createRowLog();
  for (const entry of entries) log.add(entry);
  return log;
}

/** Looks for the call of each reply among all rows. */
function searched(entries: readonly Entry[]): number {
  const rows: Entry[] = [];
  for (const entry of entries) {
    if (entry.kind === 'call') rows.push(entry);
    else if ('call' in entry) rows.find((row) => 'call' in row && row.call === entry.call);
  }
  return rows.length;
}

test('rows are put together and searched in linear time (security rule 25)', async () => {
  expect(
    await growth(500, (size) => {
      const entries = calls(size);
      return () => selectRows(logOf(entries).rows, { search: 'people 7', chips: new Set(), labs: new Set(['a']) });
    }),
  ).toBeLessThan(mostGrowth);
});

test('a search for the call of each reply is seen as quadratic (control)', async () => {
  expect(
    await growth(1_000, (size) => {
      const entries = calls(size);
      return () => searched(entries);
    }),
  ).toBeGreaterThan(mostGrowth);
});
