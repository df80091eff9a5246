import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

// Parts of `npm test` that are scripts of their own, as `scripts/test.mjs` runs them.

const root = join(import.meta.dirname, '../..');
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(root, 'node_modules/.parts-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs one part with this code, and returns what `printResult` made of it. */
async function runPart(
  code: string | undefined,
  options: { readonly silentMs?: number } = {},
): Promise<{ lines: readonly string[]; exitCode: unknown }> {
  const script = join(folder, 'part.mjs');
  await rm(script, { force: true });
  if (code !== undefined) await writeFile(script, code);
  const main = `
    import { printResult, runParts, runScript } from ${JSON.stringify(join(root, 'scripts/parts.mjs'))};
    const args = [${JSON.stringify(relative(root, script))}];
    const part = { title: 'Part', weight: 1, run: (job) => runScript(process.execPath, args, { ...job, endOfOutputMs: 500 }) };
    process.exit(printResult(await runParts([part], ${JSON.stringify(options)}), 0));`;
  return outcomeOf(main);
}

function isRunning(id: number): boolean {
  try {
    return !/^State:\tZ/m.test(readFileSync(`/proc/${id}/status`, 'utf8'));
  } catch {
    return false;
  }
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
    expect(lines).toContainEqual(expect.stringMatching(/^Part +3 +0 +\d+\.\d(?: +\d+\.\d)?$/));
    expect([lines.at(-1), exitCode]).toEqual(['3 passed, 0 failed', 0]);
  });

  test('names the steps that failed at the end, with their messages (ADR 70)', async () => {
    const { lines } = await runPart(
      `console.log('✓ one\\n✘ two\\nIts file is gone.\\n✘ three: not tried\\n\\n1 passed, 2 failed')`,
    );
    const summary = lines.slice(lines.indexOf('Part: 2 failed'));
    expect(summary.filter((line) => line !== '')).toEqual([
      'Part: 2 failed',
      '✘ two',
      'Its file is gone.',
      '✘ three: not tried',
      '1 passed, 2 failed',
    ]);
  });

  // One that a failing test left once held the run up, until it was cancelled without a result.
  test.runIf(process.platform === 'linux')('ends with a process that it left, which is named and killed', async () => {
    const { lines, exitCode } = await runPart(`
      const { spawn } = await import('node:child_process');
      const { pid } = spawn('sleep', ['1000'], { stdio: 'inherit', detached: true }).on('spawn', () => {
        console.log('left ' + pid + '\\n\\n3 passed, 0 failed');
        setTimeout(() => process.exit(), 1_000); // it is seen every half second
      });`);
    const id = Number(lines.find((line) => line.startsWith('left '))?.slice('left '.length));
    expect(lines).toContain(`  sleep (process ${id})`);
    await expect.poll(() => isRunning(id)).toBe(false);
    expect([lines.at(-1), exitCode]).toEqual(['3 passed, 1 failed', 1]);
  });

  test('ends without a remark when its output has ended', async () => {
    const main = `
      import { runProgram } from ${JSON.stringify(join(root, 'scripts/parts.mjs'))};
      const write = (text) => console.log(text.trim());
      const run = (code) => runProgram(process.execPath, ['-e', code], { write, endOfOutputMs: 2_000 });
      await run('console.log(1)');
      await run('setTimeout(() => console.log(2), 3_000)');`;
    expect(await outcomeOf(main)).toEqual({ lines: ['1', '2'], exitCode: 0 });
  });

  test.runIf(process.platform === 'linux')('is killed when it hangs, and has failed', async () => {
    const { lines, exitCode } = await runPart(`setInterval(() => {}, 1_000);`, { silentMs: 1_500 });
    expect(lines).toContain('It is killed, silent for 1.5 seconds:');
    expect([lines.at(-1), exitCode]).toEqual(['0 passed, 1 failed', 1]);
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

interface Part {
  readonly title: string;
  readonly weight: number;
  readonly after?: readonly Part[];
  readonly run: (job: { write(text: string): void }) => Promise<{ passed: number; failed: number }>;
}
const { runParts } = (await import('../parts.mjs' as string)) as {
  runParts(parts: readonly Part[], options?: { room: number }): Promise<{ title: string; passed: number }[]>;
};

/** Parts that run until `end` is called with their title. */
function openPool() {
  const running = new Set<string>();
  const ends = new Map<string, () => void>();
  const part = (title: string, weight: number, after: readonly Part[] = []): Part => ({
    ...{ title, weight, after },
    run: async ({ write }) => {
      running.add(title);
      write(`${title} begins\n`);
      await new Promise<void>((resolve) => ends.set(title, resolve));
      write(`${title} ends\n`);
      running.delete(title);
      return { passed: 1, failed: 0 };
    },
  });
  const end = async (title: string) => {
    ends.get(title)?.();
    await new Promise(setImmediate);
    return [...running];
  };
  return { part, running, end };
}

describe('the pool of parts (ADR 70)', () => {
  const printed: string[] = [];
  beforeEach(() => {
    printed.length = 0;
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => printed.push(String(text)) > 0);
  });
  afterEach(() => vi.restoreAllMocks());

  test('a part starts as soon as there is room for its weight, the first of the list first', async () => {
    const { part, running, end } = openPool();
    const parts = [part('a', 1), part('heavy', 3), part('b', 1.5), part('c', 0.5), part('d', 0.5)];
    const rows = runParts(parts, { room: 3 });
    expect([...running]).toEqual(['a', 'b', 'c']);
    expect(await end('c')).toEqual(['a', 'b', 'd']);
    expect(await end('a')).toEqual(['b', 'd']); // too little room for the heavy one
    expect(await end('b')).toEqual(['d']);
    expect(await end('d')).toEqual(['heavy']);
    await end('heavy');
    expect((await rows).map(({ title, passed }) => [title, passed])).toEqual(parts.map(({ title }) => [title, 1]));
  });

  test('a part that is heavier than the room runs by itself', async () => {
    const { part, running, end } = openPool();
    const rows = runParts([part('heavy', 2), part('light', 0.1)], { room: 1 });
    expect([...running]).toEqual(['heavy']);
    expect(await end('heavy')).toEqual(['light']);
    await end('light');
    expect(await rows).toHaveLength(2);
  });

  test('a part waits for those that it comes after, and others pass it', async () => {
    const { part, running, end } = openPool();
    const packing = part('packing', 1);
    const rows = runParts([part('installing', 1, [packing]), packing, part('other', 1)], { room: 3 });
    expect([...running]).toEqual(['packing', 'other']);
    expect(await end('packing')).toEqual(['other', 'installing']);
    await end('other');
    await end('installing');
    expect(await rows).toHaveLength(3);
  });

  test('the first part writes at once, and the others in one piece when it is their turn', async () => {
    const { part, end } = openPool();
    const rows = runParts([part('a', 1), part('b', 1), part('c', 1)], { room: 3 });
    expect(printed.join('')).toBe('\n── a\na begins\n');
    await end('b');
    expect(printed.join('')).toBe('\n── a\na begins\n');
    await end('a');
    expect(printed.join('')).toBe('\n── a\na begins\na ends\n\n── b\nb begins\nb ends\n\n── c\nc begins\n');
    await end('c');
    await rows;
    expect(printed.join('')).toMatch(/c begins\nc ends\n$/);
  });
});

test('failures of any part fail the run, and the total is the time that passed (ADR 43)', async () => {
  const main = `
    import { printResult } from ${JSON.stringify(join(root, 'scripts/parts.mjs'))};
    const rows = [
      { title: 'a', passed: 1, failed: 0, seconds: 6, processor: 2.5 },
      { title: 'b', passed: 2, failed: 1, seconds: 5, failures: ['b.test.ts › adds\\n    2 is not 3'] },
    ];
    process.exit(printResult(rows, 7));`;
  const { lines, exitCode } = await outcomeOf(main);
  expect(lines).toContainEqual(expect.stringMatching(/^a +1 +0 +6\.0 +2\.5$/));
  expect(lines).toContainEqual(expect.stringMatching(/^b +2 +1 +5\.0$/));
  expect(lines).toContainEqual(expect.stringMatching(/^Together +3 +1 +7\.0 +2\.5$/));
  expect(lines.slice(-6)).toEqual(['b: 1 failed', '', 'b.test.ts › adds', '    2 is not 3', '', '3 passed, 1 failed']);
  expect(exitCode).toBe(1);
});
