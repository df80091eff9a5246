import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@playwright/test';
import { names, root, run, site } from './harness.ts';

const folder = join(site, 'release');
const manifests = ['package.json', ...names.map((name) => `packages/${name}/package.json`)];

function release(version: string) {
  const args = [join(root, 'scripts/release.mjs'), version, '--root', folder, '--date', '2026-12-01'];
  return run(process.execPath, args);
}

test('one command makes one version of everything, and a heading in the changelog', async () => {
  for (const path of [...manifests, 'package-lock.json', 'CHANGELOG.md']) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(root, path), join(folder, path));
  }
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  for (const refused of [version, '0.0.1', '1.2', 'v9.0.0', 'latest']) {
    expect(await release(refused), refused).toMatchObject({ code: 1 });
  }
  expect(readFileSync(join(folder, 'package.json'), 'utf8')).toBe(readFileSync(join(root, 'package.json'), 'utf8'));

  expect(await release('987.6.5')).toMatchObject({ code: 0 });
  for (const path of [...manifests, 'package-lock.json']) {
    const before = readFileSync(join(root, path), 'utf8');
    const after = readFileSync(join(folder, path), 'utf8');
    const versions = [...after.matchAll(/"(?:@gantry\/[\w-]+|create-gantry)": "(\d[^"]*)"/g)].map(([, range]) => range);
    expect(new Set([JSON.parse(after).version, ...versions]), path).toEqual(new Set(['987.6.5']));
    expect(after.replaceAll('"987.6.5"', `"${version}"`)).toBe(before);
  }
  const changelog = readFileSync(join(folder, 'CHANGELOG.md'), 'utf8');
  expect(changelog).toMatch(/^## Unreleased\n\n## 987\.6\.5 - 2026-12-01\n\n\S/m);
  expect(await release('987.7.0')).toMatchObject({ code: 1, text: expect.stringContaining('nothing under') });
});
