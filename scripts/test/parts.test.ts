import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

// Parts of `npm test` that are scripts of their own, as `scripts/test.mjs` runs them.

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
    process.exit(printResult(await runParts([part]), 0));`;
  return outcomeOf(main);
}

/** Runs a program, and returns the lines that it printed and its exit code. */
async function outcomeOf(main: string): Promise<{ lines: readonly string[]; exitCode: unknown }> {
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
    ['does not end with its result', `console.log('3 passed, 0 failed\\nbye')`, '0 passed, 1 failed'],
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

describe('parts beside another', () => {
  /**
   * Runs a part that has room, two beside it and one after it. Each records its beginning and end
   * in a file.
   */
  async function runFour(title: string) {
    const said = join(folder, `${title}.txt`);
    const main = `
      import { appendFileSync, readFileSync } from 'node:fs';
      import { printResult, runParts } from ${JSON.stringify(join(root, 'scripts/parts.mjs'))};
      const tell = (text) => appendFileSync(${JSON.stringify(said)}, text + ' ');
      const whenSaid = async (text) => {
        while (!readFileSync(${JSON.stringify(said)}, 'utf8').includes(text)) await new Promise(setImmediate);
      };
      const aside = (title, failed) => ({
        title,
        isAside: true,
        async run(write) {
          const say = write ?? ((text) => process.stdout.write(text));
          tell(title);
          say(title + ' wrote' + String.fromCharCode(10));
          say(title + ' ended' + String.fromCharCode(10));
          return { passed: 1, failed };
        },
      });
      const unit = {
        title: 'unit',
        hasRoom: true,
        async run() {
          tell('unit');
          await whenSaid('second'); // hangs unless both run beside it
          console.log('unit ended');
          return { passed: 1, failed: 0 };
        },
      };
      const last = {
        title: 'last',
        async run() {
          tell('last');
          return { passed: 1, failed: 0 };
        },
      };
      const parts = [unit, last, aside('first', 0), aside('second', 1)];
      process.exit(printResult(await runParts(${title === 'all' ? 'parts' : 'parts.slice(2)'}), 7));`;
    const { lines, exitCode } = await outcomeOf(main);
    return { lines, exitCode, order: (await readFile(said, 'utf8')).trim().split(' ') };
  }

  test('run while it runs and before the next, each output stays together, and all count (ADR 60)', async () => {
    const { lines, exitCode, order } = await runFour('all');
    expect(order).toEqual(['unit', 'first', 'second', 'last']);
    const told = lines.filter((line) => / (wrote|ended)$|^──/.test(line));
    expect(told).toEqual([
      '── unit',
      'unit ended',
      '── first (beside: unit)',
      'first wrote',
      'first ended',
      '── second (beside: unit)',
      'second wrote',
      'second ended',
      '── last',
    ]);
    expect(lines.filter((line) => /^\w+ +1 +\d/.test(line)).map((line) => line.split(' ')[0])).toEqual([
      'unit',
      'last',
      'first',
      'second',
    ]);
    expect(lines).toContainEqual(expect.stringMatching(/^Together +4 +1 +7\.0$/));
    expect([lines.at(-1), exitCode]).toEqual(['4 passed, 1 failed', 1]);
  });

  test('run by themselves where they are named alone, and write at once (ADR 60)', async () => {
    const { lines, order } = await runFour('two');
    expect(order).toEqual(['first', 'second']);
    expect(lines.filter((line) => line.startsWith('──'))).toEqual(['── first', '── second']);
  });
});
