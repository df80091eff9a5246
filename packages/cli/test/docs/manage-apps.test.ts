import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createGantry } from '@gantry/server';
import { silentLogger } from '@gantry/wire/runtime';
import { expect, onTestFinished, test } from 'vitest';

const root = join(import.meta.dirname, '../../../..');

/** A site in a new folder with an app's folder `app`, and the code of a guide that has `word`. */
async function openGuide(name: string, word: string, appFolder: string) {
  const guide = readFileSync(join(root, 'docs/guides', name), 'utf8');
  const [, code = ''] = new RegExp(`^\`\`\`ts\\n([^\`]*?${word}.*?)^\`\`\``, 'ms').exec(guide) ?? [];
  const folder = mkdtempSync(join(root, 'packages/cli/.docs-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const app = join(folder, 'app');
  mkdirSync(app);
  const write = (version: string) => {
    const manifest = { name: 'Chess', page: 'index.html', version };
    writeFileSync(join(app, 'gadget.json'), JSON.stringify(manifest));
  };
  write('1.0.0');
  writeFileSync(join(app, 'index.html'), '<!doctype html><title>Chess</title>');
  writeFileSync(join(folder, 'guide.ts'), code.replace(appFolder, app));
  const gantry = await createGantry({
    ...{ data: join(folder, 'data'), url: 'http://localhost:4400', log: silentLogger },
    viewer: () => undefined,
  });
  onTestFinished(gantry.close);
  return { functions: await import(join(folder, 'guide.ts')), gantry, write };
}

test('the guide’s functions that manage apps in the site’s own process run as they stand there (site owner’s guide)', async () => {
  const { functions, gantry } = await openGuide('site-owner.md', 'setPaused', './gadgets/chess');
  expect(await functions.manage(gantry)).toEqual([['chess is active, with 0 members'], 'paused', []]);
});

test('the guide’s functions of a release step register, update and roll back as it says (guide to versions)', async () => {
  const { functions, gantry, write } = await openGuide('versions.md', 'rollbackApp', './dist');
  const digits = '[0-9a-f]{12}';
  expect(await functions.release(gantry)).toMatch(new RegExp(`^registered ${digits}$`));
  expect(await functions.release(gantry)).toMatch(new RegExp(`^unchanged ${digits}$`));
  write('1.1.0');
  expect(await functions.release(gantry)).toMatch(new RegExp(`^updated ${digits}$`));
  expect(await functions.back(gantry)).toBe('1.0.0');
  await expect(functions.back(gantry)).rejects.toMatchObject({ code: 'CONFLICT' });
});
