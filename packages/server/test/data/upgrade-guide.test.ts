import { readFile } from 'node:fs/promises';
import { proxyMigrations } from '@gantry/proxy';
import { serviceMigrations } from '@gantry/service';
import { expect, test } from 'vitest';
import { keyMigrations } from '../../src/data/sealed-keys.ts';
import { siteMigrations } from '../../src/data/site-having.ts';

const guide = await readFile(new URL('../../../../docs/guides/upgrade.md', import.meta.url), 'utf8');

test('the upgrade guide gives the schema of this version as it is', () => {
  const sets = [serviceMigrations, proxyMigrations, siteMigrations().migrations, keyMigrations().migrations];
  const numbers = sets.map((migrations) => migrations.at(-1)?.number).join(', ');
  expect(guide).toContain(`| Unreleased | 1 | ${numbers} |`);
});
