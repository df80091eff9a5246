// Parts of `npm test` and of CI: running one, reading what it found, and the table of all.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root, run as runProgram, sourceEnv } from './prepare.mjs';

/**
 * Runs a script that is a part by itself: its last line on standard output is `N passed, N failed`.
 *
 * Passes its output through. A script that is missing, says nothing of the kind, or ends with a code that contradicts its line has failed.
 */
export async function runScript(node, [script, ...args], { env = sourceEnv() } = {}) {
  if (!existsSync(join(root, script))) {
    console.error(`There is no ${script}.`);
    return { passed: 0, failed: 1 };
  }
  const child = spawn(node, [script, ...args], { cwd: root, env, stdio: ['inherit', 'pipe', 'inherit'] });
  let end = '';
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    process.stdout.write(chunk);
    end = (end + chunk).slice(-1_000);
  });
  const code = await new Promise((resolve) => {
    child.on('error', (error) => resolve(console.error(error.message)));
    child.on('close', resolve);
  });
  return readResult(end, code);
}

/** The part that packs once for those after it, which find the tarballs in `GANTRY_TARBALLS`. */
export function packing(node, folder) {
  const run = () => ({ passed: 0, failed: runProgram(node, ['scripts/pack.mjs', folder]) === 0 ? 0 : 1 });
  return { title: 'Packing', run };
}

/** Reads the last line of a part's output. The exit code decides where the line claims success. */
export function readResult(output, code) {
  const [, passed, failed] = /^(\d+) passed, (\d+) failed$/.exec(output.trimEnd().split('\n').at(-1)) ?? [];
  if (passed === undefined) return { passed: 0, failed: 1 };
  return { passed: Number(passed), failed: code === 0 ? Number(failed) : Math.max(1, Number(failed)) };
}

/** Runs the parts in their order and returns a row for each, with the time it took. */
export async function runParts(parts) {
  const rows = [];
  for (const { title, run } of parts) {
    console.log(`\n── ${title}`);
    const startedAtMs = performance.now();
    const result = await run();
    rows.push({ title, ...result, seconds: (performance.now() - startedAtMs) / 1_000 });
  }
  return rows;
}

/** Prints a row for each part and the last line, `N passed, N failed`. Returns the exit code. */
export function printResult(rows) {
  const sum = (name) => rows.reduce((total, row) => total + row[name], 0);
  const total = { title: 'Together', passed: sum('passed'), failed: sum('failed'), seconds: sum('seconds') };
  const width = Math.max(...rows.map(({ title }) => title.length), 8);
  console.log(`\n${'Part'.padEnd(width)}  passed  failed  seconds`);
  for (const { title, passed, failed, seconds } of [...rows, total]) {
    const cells = [String(passed).padStart(6), String(failed).padStart(6), seconds.toFixed(1).padStart(7)];
    console.log([title.padEnd(width), ...cells].join('  '));
  }
  console.log(`\n${total.passed} passed, ${total.failed} failed`);
  return total.failed === 0 && total.passed > 0 ? 0 : 1;
}
