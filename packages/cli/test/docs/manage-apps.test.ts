import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createGantry } from '@gantry/server';
import { silentLogger } from '@gantry/wire/runtime';
import { expect, onTestFinished, test } from 'vitest';

const root = join(import.meta.dirname, '../../../..');
const guide = readFileSync(join(root, 'docs/guides/site-owner.md'), 'utf8');

test('the guide’s functions that manage apps in the site’s own process run as they stand there (site owner’s guide)', async () => {
  const [, code = ''] = /^```ts\n([^`]*?setPaused.*?)^```/ms.exec(guide) ?? [];
  const folder = mkdtempSync(join(root, 'packages/cli/.docs-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'chess'));
  writeFileSync(join(folder, 'chess/gadget.json'), JSON.stringify({ name: 'Chess', page: 'index.html' }));
  writeFileSync(join(folder, 'chess/index.html'), '<!doctype html><title>Chess</title>');
  writeFileSync(join(folder, 'manage.ts'), code.replace('./gadgets/chess', join(folder, 'chess')));
  const { manage } = await import(join(folder, 'manage.ts'));
  const gantry = await createGantry({
    ...{ data: join(folder, 'data'), url: 'http://localhost:4400', log: silentLogger },
    viewer: () => undefined,
  });
  try {
    expect(await manage(gantry)).toEqual([['chess is active, with 0 members'], 'paused', []]);
  } finally {
    await gantry.close();
  }
});
