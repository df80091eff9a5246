import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

// Parts of `npm test` that are scripts of their own, as `scripts/test.mjs` and `scripts/ci.mjs` run them.

const root = join(import.meta.dirname, '../..');
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(root, 'node_modules/.parts-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs one part with this code, and returns what `printResult` made of it. */
async function runPart(code: string | undefined): Promise<{ lines: readonly string[]; exitCode: unknown }> {
  const script = join(folder, 'part.mjs');
  await rm(script, { force: true });
  if (code !== undefined) await writeFile(script, code);
  const main = `
    import { printResult, runParts, runScript } from ${JSON.stringify(join(root, 'scripts/parts.mjs'))};
    const part = { title: 'Part', run: () => runScript(process.execPath, [${JSON.stringify(relative(root, script))}]) };
    process.exit(printResult(await runParts([part])));`;
  const args = ['--input-type=module', '--eval', main];
  try {
    const { stdout } = await promisify(execFile)(process.execPath, args);
    return { lines: stdout.trimEnd().split('\n'), exitCode: 0 };
  } catch (error) {
    const { stdout, code: exitCode } = error as { stdout: string; code: unknown };
    return { lines: stdout.trimEnd().split('\n'), exitCode };
  }
}

describe('a part that is a script', () => {
  test('passes its output through, and its last line counts (ADR 43)', async () => {
    const { lines, exitCode } = await runPart(`console.log('hello\\n\\n3 passed, 0 failed')`);
    expect(lines).toContain('hello');
    expect(lines).toContainEqual(expect.stringMatching(/^Part +3 +0 +\d+\.\d$/));
    expect([lines.at(-1), exitCode]).toEqual(['3 passed, 0 failed', 0]);
  });

  test.each([
    ['is missing', undefined, '0 passed, 1 failed'],
    ['says nothing at its end', `console.log('3 passed, 0 failed\\nbye')`, '0 passed, 1 failed'],
    [
      'claims success with another exit code',
      `console.log('3 passed, 0 failed'); process.exit(1)`,
      '3 passed, 1 failed',
    ],
    ['found failures', `console.log('3 passed, 2 failed'); process.exit(1)`, '3 passed, 2 failed'],
  ])('has failed where it %s (ADR 43)', async (_, code, last) => {
    const { lines, exitCode } = await runPart(code);
    expect([lines.at(-1), exitCode]).toEqual([last, 1]);
  });
});
