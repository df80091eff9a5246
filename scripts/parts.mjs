// Runs parts of `npm test`, reads their results and prints the table.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { root, sourceEnv } from './prepare.mjs';
import { watchProcesses } from './processor-time.mjs';

/** Time for output to end after its program: what that left running may hold it open. */
const endOfOutputMs = 10_000;

/**
 * Runs a program to its end.
 *
 * @param options.write Receives its output and errors. Absent: this process's own output.
 *
 * @param options.onStart Receives the id of its process.
 *
 * @param options.reads Captures its standard output as well.
 *
 * @returns its exit code, 1 if it did not start, and the last 100,000 captured characters.
 */
export async function runProgram(program, args, options = {}) {
  const { env = sourceEnv(), write, onStart, reads = false } = options;
  const [out, err] = write ? ['pipe', 'pipe'] : [reads ? 'pipe' : 'inherit', 'inherit'];
  const child = spawn(program, args, { cwd: root, env, stdio: [write ? 'ignore' : 'inherit', out, err] });
  if (child.pid !== undefined) onStart?.(child.pid);
  let end = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk) => {
    (write ?? ((text) => process.stdout.write(text)))(chunk);
    end = (end + chunk).slice(-100_000);
  });
  child.stderr?.setEncoding('utf8').on('data', write);
  const code = await new Promise((resolve) => {
    child.on('error', (error) => {
      console.error(error.message);
      resolve(1);
    });
    let giveUp;
    child.on('close', (code) => {
      clearTimeout(giveUp);
      resolve(code);
    });
    child.on('exit', () => {
      giveUp = setTimeout(() => {
        (write ?? console.error)('\nIts output stays open: a process that it started still runs.\n');
        resolve(1);
      }, options.endOfOutputMs ?? endOfOutputMs);
    });
  });
  return { code: code ?? 1, end };
}

/**
 * Runs a script that is a part by itself: its last line on standard output is `N passed, N failed`.
 *
 * Passes its output through. Fails without the script, that line, or an exit code that agrees.
 */
export async function runScript(node, [script, ...args], options = {}) {
  const { write } = options;
  if (!existsSync(join(root, script))) {
    (write ?? ((text) => process.stderr.write(text)))(`There is no ${script}.\n`);
    return { passed: 0, failed: 1 };
  }
  const { code, end } = await runProgram(node, [script, ...args], { ...options, reads: true });
  return { ...readResult(end, code), failures: readFailures(end) };
}

/** Finds the lines of failed steps and tests, each with the first lines of its message. */
function readFailures(output) {
  const failed = stripVTControlCharacters(output).matchAll(/^ *✘.*(?:\n(?! *[✓✘]).+){0,9}/gm);
  return [...failed].slice(0, 20).map(([lines]) => lines);
}

/** Writes one failed test: where it stands, its title, and the first lines of its message. */
export function failure(file, title, message) {
  const lines = stripVTControlCharacters(message).trim().split('\n');
  const own = lines.filter((line) => !/^ +at .*node_modules/.test(line)).slice(0, 12);
  return [`${file.replace(`${root}/`, '')} › ${title}`, ...own.map((line) => `    ${line}`)].join('\n');
}

/** Writes the failed tests of a report of Vitest, and the files that do not load. */
export function vitestFailures({ testResults }) {
  return testResults.flatMap(({ name, message, assertionResults }) => [
    ...(message ? [failure(name, 'does not load', message)] : []),
    ...assertionResults
      .filter(({ status }) => status !== 'passed')
      .map(({ fullName, status, failureMessages }) => failure(name, fullName, failureMessages[0] ?? status)),
  ]);
}

/** Parses the last line of a part's output. A failing exit code overrides a claimed success. */
export function readResult(output, code) {
  const [, passed, failed] = /^(\d+) passed, (\d+) failed$/.exec(output.trimEnd().split('\n').at(-1)) ?? [];
  if (passed === undefined) return { passed: 0, failed: 1 };
  return { passed: Number(passed), failed: code === 0 ? Number(failed) : Math.max(1, Number(failed)) };
}

/**
 * Runs all parts as one pool, and resolves with a row for each: result, seconds, processor time.
 *
 * A part starts as soon as there is room for its `weight`, the processors that it keeps busy, and
 * the parts of its `after` have ended. Parts that are earlier in the list go first. One that is
 * heavier than all the room runs by itself.
 *
 * Output is that of the list, part by part: the first part that has not ended writes at once, and
 * what others write is kept until it is their turn.
 *
 * Processes that a part leaves running are named and killed. So is a part that hangs.
 *
 * @param options.room Weight that may run at once: hardly more than there are processors, or waits
 * of browser tests run out.
 *
 * @param options.silentMs Silence from which a part hangs.
 */
export async function runParts(parts, { room = availableParallelism() + 0.1, silentMs = 900_000 } = {}) {
  const processes = watchProcesses();
  const outputs = outputsInOrder(parts);
  const [rows, running] = [new Map(), new Map()];
  const canStart = (part) => {
    const used = [...running.keys()].reduce((sum, { weight }) => sum + weight, 0);
    const hasRoom = running.size === 0 || used + part.weight <= room;
    return hasRoom && !rows.has(part) && !running.has(part) && (part.after ?? []).every((other) => rows.has(other));
  };
  while (rows.size < parts.length) {
    for (let part = parts.find(canStart); part; part = parts.find(canStart)) running.set(part, start(part));
    const [part, row] = await Promise.race(running.values());
    running.delete(part);
    rows.set(part, row);
    outputs.end(part);
  }
  processes.stop();
  return parts.map((part) => rows.get(part));

  async function start(part) {
    const { title, run } = part;
    const startedAtMs = performance.now();
    const onStart = (id) => processes.add(id, title);
    const write = (text) => {
      silence.refresh();
      outputs.write(part, text);
    };
    const silence = setTimeout(() => {
      write(`\nIt is killed, silent for ${silentMs / 1_000} seconds:\n${killAll(title)}`);
    }, silentMs);
    const result = await run({ write, onStart });
    clearTimeout(silence);
    const left = killAll(title);
    if (left !== '') outputs.write(part, `\nIt left these running, which are killed now:\n${left}`);
    const seconds = (performance.now() - startedAtMs) / 1_000;
    return [part, { title, ...result, seconds, processor: processes.seconds(title) }];
  }

  /** Kills the processes of a part, and returns a line for each. */
  function killAll(title) {
    const lines = processes.running(title).map(({ id, program }) => {
      try {
        process.kill(id, 'SIGKILL');
        return `  ${program} (process ${id})\n`;
      } catch {
        return ''; // ended meanwhile
      }
    });
    return lines.join('');
  }
}

/** Prints what parts write in the order of the list, and keeps the rest until its turn. */
function outputsInOrder(parts) {
  const waiting = new Map(parts.map((part) => [part, `\n── ${part.title}\n`]));
  const ended = new Set();
  const printFirst = () => {
    for (const [part, text] of waiting) {
      process.stdout.write(text);
      waiting.set(part, '');
      if (!ended.has(part)) return;
      waiting.delete(part);
    }
  };
  printFirst();
  return {
    write(part, text) {
      waiting.set(part, waiting.get(part) + text);
      if (waiting.keys().next().value === part) printFirst();
    },
    end(part) {
      ended.add(part);
      printFirst();
    },
  };
}

/**
 * Prints a row for each part, what failed, and the last line, `N passed, N failed`.
 *
 * @param rows Their `failures` are texts, such as the place of a test, its title and its message.
 *
 * @param seconds Total time: less than the sum if parts ran concurrently.
 *
 * @returns the exit code.
 */
export function printResult(rows, seconds) {
  const sum = (name) => rows.reduce((total, row) => total + (row[name] ?? 0), 0);
  const processor = rows.some((row) => row.processor !== undefined) ? sum('processor') : undefined;
  const total = { title: 'Together', passed: sum('passed'), failed: sum('failed'), seconds, processor };
  const width = Math.max(...rows.map(({ title }) => title.length), 8);
  console.log(`\n${'Part'.padEnd(width)}  passed  failed  seconds${processor === undefined ? '' : '  of processor'}`);
  for (const row of [...rows, total]) {
    const cells = [String(row.passed).padStart(6), String(row.failed).padStart(6), row.seconds.toFixed(1).padStart(7)];
    if (row.processor !== undefined) cells.push(row.processor.toFixed(1).padStart(12));
    console.log([row.title.padEnd(width), ...cells].join('  '));
  }
  for (const { title, failed, failures = [] } of rows) {
    if (failed > 0) console.log(`\n${[`${title}: ${failed} failed`, ...failures].join('\n\n')}`);
  }
  console.log(`\n${total.passed} passed, ${total.failed} failed`);
  return total.failed === 0 && total.passed > 0 ? 0 : 1;
}
