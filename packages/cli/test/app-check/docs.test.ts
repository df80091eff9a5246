import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (path: string) => readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8');

test('docs/app-check.md lists every finding, and no other', () => {
  const folder = 'packages/cli/src/app-check';
  const files = readdirSync(new URL(`../../../../${folder}`, import.meta.url));
  const made = files.flatMap((file) =>
    Array.from(read(`${folder}/${file}`).matchAll(/\bid: '([a-z-]+)'/g), ([, id]) => id),
  );
  const rows = read('docs/app-check.md')
    .split('\n')
    .filter((line) => /^\| `[a-z][a-z-]*`/.test(line));
  const listed = rows.flatMap((row) => Array.from((row.split('|')[1] ?? '').matchAll(/`([a-z-]+)`/g), ([, id]) => id));
  expect(listed.toSorted()).toEqual([...new Set(made)].sort());
});
