// Runs parts of `npm test`, reads their results and prints the table.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root, sourceEnv } from './prepare.mjs';

/**
 * Runs a program to its end.
 *
 * @param options.write Receives its output and errors. Absent: this process's own output.
 *
 * @param options.reads Captures its standard output as well.
 *
 * @returns its exit code, 1 if it did not start, and the last thousand captured characters.
 */
export async function runProgram(program, args, { env = sourceEnv(), write, reads = false } = {}) {
  const [out, err] = write ? ['pipe', 'pipe'] : [reads ? 'pipe' : 'inherit', 'inherit'];
  const child = spawn(program, args, { cwd: root, env, stdio: [write ? 'ignore' : 'inherit', out, err] });
  let end = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk) => {
    (write ?? ((text) => process.stdout.write(text)))(chunk);
    end = (end + chunk).slice(-1_000);
  });
  child.stderr?.setEncoding('utf8').on('data', write);
  const code = await new Promise((resolve) => {
    child.on('error', (error) => {
      console.error(error.message);
      resolve(1);
    });
    child.on('close', resolve);
  });
  return { code: code ?? 1, end };
}

/**
 * Runs a script that is a part by itself: its last line on standard output is `N passed, N failed`.
 *
 * Passes its output through. Fails without the script, that line, or an exit code that agrees.
 */
export async function runScript(node, [script, ...args], { env = sourceEnv(), write } = {}) {
  if (!existsSync(join(root, script))) {
    (write ?? ((text) => process.stderr.write(text)))(`There is no ${script}.\n`);
    return { passed: 0, failed: 1 };
  }
  const { code, end } = await runProgram(node, [script, ...args], { env, write, reads: true });
  return readResult(end, code);
}

/** Parses the last line of a part's output. A failing exit code overrides a claimed success. */
export function readResult(output, code) {
  const [, passed, failed] = /^(\d+) passed, (\d+) failed$/.exec(output.trimEnd().split('\n').at(-1)) ?? [];
  if (passed === undefined) return { passed: 0, failed: 1 };
  return { passed: Number(passed), failed: code === 0 ? Number(failed) : Math.max(1, Number(failed)) };
}

/**
 * Runs the parts in order and resolves with a row and time for each.
 *
 * A part with `hasRoom` leaves the machine idle at times: all parts with `isAside` run beside it,
 * one after another. Their output is buffered and printed when both are over. Without a part that
 * has room, each runs by itself.
 */
export async function runParts(parts) {
  const host = parts.find(({ hasRoom }) => hasRoom);
  const aside = host ? parts.filter(({ isAside }) => isAside) : [];
  const rows = new Map();
  for (const part of parts) {
    if (aside.includes(part)) continue;
    console.log(`\n── ${part.title}`);
    const [row, others] = await Promise.all([timed(part), part === host ? runKept(aside) : []]);
    rows.set(part, row);
    for (const { part: other, row, text } of others) {
      console.log(`\n── ${other.title} (beside: ${part.title})\n${text.trimEnd()}`);
      rows.set(other, row);
    }
  }
  return parts.map((part) => rows.get(part));
}

async function runKept(parts) {
  const kept = [];
  for (const part of parts) {
    let text = '';
    const write = (chunk) => {
      text += chunk;
    };
    kept.push({ part, row: await timed(part, write), text });
  }
  return kept;
}

async function timed({ title, run }, write) {
  const startedAtMs = performance.now();
  const result = await run(write);
  return { title, ...result, seconds: (performance.now() - startedAtMs) / 1_000 };
}

/**
 * Prints a row for each part and the last line, `N passed, N failed`. Returns the exit code.
 *
 * @param seconds Total time: less than the sum if parts ran concurrently.
 */
export function printResult(rows, seconds) {
  const sum = (name) => rows.reduce((total, row) => total + row[name], 0);
  const total = { title: 'Together', passed: sum('passed'), failed: sum('failed'), seconds };
  const width = Math.max(...rows.map(({ title }) => title.length), 8);
  console.log(`\n${'Part'.padEnd(width)}  passed  failed  seconds`);
  for (const { title, passed, failed, seconds } of [...rows, total]) {
    const cells = [String(passed).padStart(6), String(failed).padStart(6), seconds.toFixed(1).padStart(7)];
    console.log([title.padEnd(width), ...cells].join('  '));
  }
  console.log(`\n${total.passed} passed, ${total.failed} failed`);
  return total.failed === 0 && total.passed > 0 ? 0 : 1;
}
