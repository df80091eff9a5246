import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { root, run, site } from './harness.ts';

/** Returns Vite's output for a script that imports a package and uses none of its names. */
async function bundled(specifier: string): Promise<string> {
  const folder = join(site, 'side-effects', specifier.replaceAll(/\W/g, '-'));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'index.html'), '<!doctype html><script type="module" src="./main.js"></script>');
  writeFileSync(join(folder, 'main.js'), `import '${specifier}';`);
  const { code, text } = await run(process.execPath, [join(root, 'node_modules/vite/bin/vite.js'), 'build'], folder);
  expect(code, text).toBe(0);
  const assets = join(folder, 'dist/assets');
  const scripts = readdirSync(assets).filter((name) => name.endsWith('.js'));
  return scripts.map((name) => readFileSync(join(assets, name), 'utf8')).join('\n');
}

for (const [specifier, trace] of [
  ['@gantry/osapi', 'gantry.sdk'],
  ['@gantry/osapi/osapi.js', 'gantry.sdk'],
  ['@gantry/container/container.js', 'gantry-gadget'],
] as const) {
  test(`a bundler keeps import '${specifier}' of a page that uses none of its names`, async () => {
    expect(await bundled(specifier)).toContain(trace);
  });
}

test('a bundler drops an import without side effects (positive control)', async () => {
  expect(await bundled('@gantry/container')).not.toContain('gantry-gadget');
});
