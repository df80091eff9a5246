import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { manifestOf, names, oldestNode, published, run, scriptExports, site } from './harness.ts';

const nodes: Readonly<Record<string, string>> = {
  [process.version]: process.execPath,
  ...(existsSync(oldestNode) && { 'v22.18.0, the oldest of `engines`,': oldestNode }),
};

for (const [version, node] of Object.entries(nodes)) {
  for (const specifier of scriptExports()) {
    test(`Node ${version} imports ${specifier} without a DOM, and ends`, async () => {
      const { code, text } = await run(node, ['--input-type=module', '-e', `await import('${specifier}')`]);
      expect(text.replace(/^.*ExperimentalWarning: SQLite.*\n.*\n/, '')).toBe(''); // Node 22's warning
      expect(code).toBe(0);
    });
  }

  for (const [command, name] of commands()) {
    test(`Node ${version} runs ${command} --help of ${published(name)}, as npx finds it`, async () => {
      const { code, text } = await run(node, [join(site, 'node_modules/.bin', command), '--help']);
      expect(text).toMatch(new RegExp(`^Usage: ${command} [A-Z[]`, 'm'));
      expect(code).toBe(0);
    });
  }
}

test('an import that needs a DOM fails (positive control)', async () => {
  const { code, text } = await run(process.execPath, ['--input-type=module', '-e', 'customElements.define("a-b")']);
  expect([code, text]).toEqual([1, expect.stringContaining('customElements is not defined')]);
});

function commands(): [command: string, name: string][] {
  return names.flatMap((name) =>
    Object.keys(manifestOf(name).bin ?? {}).map((command): [string, string] => [command, name]),
  );
}
