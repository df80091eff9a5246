import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { installed, manifestOf, names, published, run, site, tarballOf, tools } from './harness.ts';

for (const name of names) {
  test(`publint and attw find nothing in ${published(name)}`, async () => {
    const [publint, attw] = await lint(tarballOf(name));
    expect(publint.text).toContain('Linting');
    // Packages for browsers ask for no Node: what runs them there is a bundler's affair.
    if (manifestOf(name).engines !== undefined) expect(publint.text).toContain('All good!');
    else expect(publint.text).not.toMatch(/Warnings|Errors|^\W*2\. /m);
    expect([publint.code, attw.code], attw.text).toEqual([0, 0]);
  });
}

test('publint and attw find a package whose script has no types, and whose entry is missing (positive control)', async () => {
  const folder = join(site, 'faulty');
  cpSync(installed('osapi'), folder, { recursive: true });
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const exports = { './osapi.js': './dist/osapi.js', './gone.js': './dist/gone.js' };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...manifest, exports }));
  const { code } = await run('npm', ['pack', '--silent', folder]);
  expect(code).toBe(0);
  const [publint, attw] = await lint(join(site, `gantry-osapi-${manifest.version}.tgz`));
  expect(publint.text).toContain('gone.js');
  expect(attw.text).toContain('No types');
  expect([publint.code, attw.code]).toEqual([1, 1]);
});

function lint(tarball: string) {
  return Promise.all([
    run(join(tools, '.bin/publint'), ['run', tarball, '--strict']),
    run(join(tools, '.bin/attw'), [tarball, '--profile', 'esm-only', '--no-color', '--no-emoji']),
  ]);
}
