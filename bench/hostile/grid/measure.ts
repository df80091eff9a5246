import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import type { Cost } from './probe.ts';

/** Measures the processes of one server. */
export interface Meter {
  /** Resolves with the cost of `work` until the server is at rest again. */
  measure<Result>(work: () => Promise<Result>): Promise<{ readonly result: Result; readonly cost: Cost }>;
  /** Resolves when the server needs hardly any processor time, or after the given time. */
  rest(longestMs: number): Promise<void>;
  close(): void;
}

const restMs = 50;
/** Processor time in `restMs` of a server at rest: the probe's own, and timers. */
const restCpuMs = 10;
const longestRestMs = 5_000;

/** Connects to the probes in a folder. Each process of the server has one. */
export async function openMeter(folder: string): Promise<Meter> {
  const probes = await Promise.all(readdirSync(folder).map((name) => openProbe(join(folder, name))));
  if (probes.length === 0) throw new Error('The server has no probe.');

  async function ask(question: 'begin' | 'cost'): Promise<Cost> {
    const costs = await Promise.all(probes.map((probe) => probe.ask(question)));
    return {
      longestStopMs: Math.max(...costs.map(({ longestStopMs }) => longestStopMs)),
      peakBytes: costs.reduce((sum, { peakBytes }) => sum + peakBytes, 0),
      cpuMs: costs.reduce((sum, { cpuMs }) => sum + cpuMs, 0),
    };
  }

  async function rest(longestMs: number): Promise<void> {
    const untilMs = performance.now() + longestMs;
    let { cpuMs } = await ask('cost');
    while (performance.now() < untilMs) {
      await pause(restMs);
      const now = await ask('cost');
      if (now.cpuMs - cpuMs < restCpuMs) return;
      cpuMs = now.cpuMs;
    }
  }

  return {
    async measure(work) {
      await ask('begin');
      const result = await work();
      await rest(longestRestMs);
      return { result, cost: await ask('cost') };
    },
    rest,
    close() {
      for (const { socket } of probes) socket.destroy();
    },
  };
}

async function openProbe(path: string): Promise<{ readonly socket: Socket; ask(question: string): Promise<Cost> }> {
  const socket = connect(path).on('error', () => {}); // a killed process: 'close' follows
  await once(socket, 'connect');
  const lines = createInterface(socket);
  const ended = once(socket, 'close').then(() => {
    throw new Error('The server ended.');
  });
  ended.catch(() => {});
  return {
    socket,
    async ask(question) {
      const heard = once(lines, 'line').catch(() => ended); // lines fail with the socket, as a write to an ended server does
      socket.write(`${question}\n`);
      const [line] = (await Promise.race([heard, ended])) as [string];
      return JSON.parse(line) as Cost;
    },
  };
}
