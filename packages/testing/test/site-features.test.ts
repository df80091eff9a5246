import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { notOnASite, siteFeatures } from '../src/site-features.ts';

test('the documents show the table that refusals are made of', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/testing-a-running-site.md'), 'utf8');
  for (const { name, works, instead } of siteFeatures)
    expect(page).toContain(`| \`${name}\` | ${works} | ${instead} |`);
});

test('a part that does not work says in two sentences what to use instead', () => {
  expect(notOnASite('gantry.clock').message).toBe(
    'gantry.clock does not work against a running site. Use `page.clock` for the page; the site and the frame keep their time.',
  );
});
