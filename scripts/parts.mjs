// Parts of `npm test`: running them, reading what they found, and the table of all.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root, sourceEnv } from './prepare.mjs';

/**
 * Runs a program to its end.
 *
 * @param options.write Takes what it writes, errors too. Absent: it writes where this process does.
 * @param options.reads Reads its standard output as well.
 * @returns Its exit code, 1 where it did not start, and the last thousand characters of what was read.
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
 * Passes its output through. A script that is missing, says nothing of the kind, or ends with a code that contradicts its line has failed.
 */
export async function runScript(node, [script, ...args], { env = sourceEnv(), write } = {}) {
  if (!existsSync(join(root, script))) {
    (write ?? ((text) => process.stderr.write(text)))(`There is no ${script}.\n`);
    return { passed: 0, failed: 1 };
  }
  const { code, end } = await runProgram(node, [script, ...args], { env, write, reads: true });
  return readResult(end, code);
}

/** Reads the last line of a part's output. The exit code decides where the line claims success. */
export function readResult(output, code) {
  const [, passed, failed] = /^(\d+) passed, (\d+) failed$/.exec(output.trimEnd().split('\n').at(-1)) ?? [];
  if (passed === undefined) return { passed: 0, failed: 1 };
  return { passed: Number(passed), failed: code === 0 ? Number(failed) : Math.max(1, Number(failed)) };
}

/**
 * Runs the parts in their order and returns a row for each, with the time it took.
 *
 * A part that `hasRoom` leaves the machine idle for a while: beside it run, one after another, all that `isAside`. What those
 * write is kept together, and printed when both are over. Where no part has room, each runs by itself.
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
 * @param seconds Time of all together: less than the sum where parts ran beside each other.
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
