// Loaded into each process of the attacked server (`node --import`): measures it from inside and
// reports on a Unix socket in the folder that GANTRY_GRID_PROBES names.
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { threadMs } from './thread-ms.ts';

/** Cost of what a process did since 'begin'. */
export interface Cost {
  /**
   * Processor time that the main thread spent between two turns of its event loop, at most, in
   * milliseconds. Waiting for a busy machine is not in it.
   */
  readonly longestStopMs: number;
  /** Growth at the peak, of the process's memory or of the heap with what it holds outside. */
  readonly peakBytes: number;
  /** Processor time of all threads, in milliseconds. */
  readonly cpuMs: number;
}

const tickMs = 5;
let lastMs = 0;
let longestStopMs = 0;
let heldBytes = 0;
let start = { residentBytes: 0, heldBytes: 0, cpuMs: 0 };

// Due at the start of every turn that comes at least 5 ms after the one before: of the processor
// time since then all but 5 ms was spent in one turn.
setInterval(look, tickMs).unref();

function look(): void {
  const nowMs = threadMs();
  longestStopMs = Math.max(longestStopMs, nowMs - lastMs);
  lastMs = nowMs;
  heldBytes = Math.max(heldBytes, held());
}

function begin(): void {
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' }); // returns memory to the system
  writeFileSync('/proc/self/clear_refs', '5'); // resets the peak of the resident memory
  start = { residentBytes: residentBytes('VmRSS'), heldBytes: held(), cpuMs: processMs() };
  [heldBytes, longestStopMs, lastMs] = [0, 0, threadMs()];
}

function cost(): Cost {
  look();
  const grown = [heldBytes - start.heldBytes, residentBytes('VmHWM') - start.residentBytes];
  return { longestStopMs, peakBytes: Math.max(0, ...grown), cpuMs: processMs() - start.cpuMs };
}

function processMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** Bytes of the heap and of what it holds outside, such as buffers. */
function held(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function residentBytes(name: 'VmRSS' | 'VmHWM'): number {
  const kilobytes = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
  return Number(kilobytes) * 1_024;
}

createServer((socket) => {
  socket.on('error', () => {});
  createInterface(socket).on('line', (command) => {
    if (command === 'begin') begin();
    socket.write(`${JSON.stringify(cost())}\n`);
  });
})
  .listen(join(process.env.GANTRY_GRID_PROBES ?? '', String(process.pid)))
  .unref();
