import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findWorld, worldNames } from '../../src/index.ts';

const page = readFileSync(new URL('../../../../docs/worlds.md', import.meta.url), 'utf8');

test('docs/worlds.md lists every oddity, as the worlds describe it', async () => {
  const worlds = await Promise.all(worldNames.map((name) => findWorld(name)));
  const rows = worlds.flatMap(({ oddities = [] }) => oddities.map(({ id, what }) => `| \`${id}\` | ${what} |`));
  expect([...page.matchAll(/^\| `[a-z]+\/.*$/gm)].map(([row]) => row)).toEqual(rows);
});
