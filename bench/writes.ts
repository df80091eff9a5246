import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { signRequest } from '@gantry/oauth';
import { median } from './figures/interval.ts';
import type { Report } from './figures/report.ts';
import { type Prepared, send } from './http.ts';
import { consumer, idsOfWriters, writers } from './writers-site.ts';

const writesPerRound = 1_920;
const rounds = 6;
const writerIds = idsOfWriters(writers);

interface Measured {
  /** Acknowledged writes a second. */
  readonly rate: number;
  /** Microseconds of CPU of the server per write. */
  readonly cpu: number;
  /** Acknowledged writes per `fsync` and `fdatasync` of the whole server process. */
  readonly perSync: number;
  /** Milliseconds of another member's concurrent read. */
  readonly read: number;
  readonly slowRead: number;
}

/**
 * Compares shared commits with a commit per write: signed AppData writes of two keys by 32 HTTP
 * clients. strace counts the syncs, and in the second part slows them to a usual disk's speed.
 */
export async function measureWrites(report: Report): Promise<void> {
  if (spawnSync('strace', ['--version']).status !== 0) throw new Error('This needs strace: apt-get install strace.');
  for (const syncMs of [0, 1, 5]) {
    const disk = syncMs === 0 ? 'this machine’s disk' : `a disk that takes ${syncMs} ms more for a sync`;
    const grouped: Measured[] = [];
    const single: Measured[] = [];
    for (let round = 0; round < report.rounds(rounds); round++) {
      grouped.push(await measure('grouped', syncMs));
      single.push(await measure('single', syncMs));
    }
    const of = (name: keyof Measured) => ({
      ours: grouped.map((round) => round[name]),
      against: single.map((round) => round[name]),
    });
    report.figures(`${writers} writers on ${disk}, sharing commits against a commit each`, [
      { measure: 'Acknowledged writes per sync', ...of('perSync'), unit: '', goal: { least: 8 } },
      { measure: 'Writes a second', ...of('rate'), unit: '/s', goal: { least: 2 } },
      { measure: 'CPU per write', ...of('cpu'), unit: 'µs', goal: { most: 1 } },
      { measure: 'A read meanwhile, median', ...of('read'), unit: 'ms', goal: { most: 1 } },
      { measure: 'A read meanwhile, p99', ...of('slowRead'), unit: 'ms', goal: { most: 1 } },
    ]);
  }
}

async function measure(mode: 'grouped' | 'single', syncMs: number): Promise<Measured> {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-strace-'));
  const counts = join(folder, 'counts');
  // With --seccomp-bpf only the syncs stop at strace; other calls run at full speed.
  const tracing = ['-f', '--seccomp-bpf', '-c', '-U', 'calls,name', '-o', counts, '-e', 'trace=fsync,fdatasync'];
  const slowing = syncMs === 0 ? [] : ['-e', `inject=fsync,fdatasync:delay_exit=${syncMs * 1_000}`];
  const program = fileURLToPath(new URL('writes-process.ts', import.meta.url));
  const server = spawn('strace', [...tracing, ...slowing, process.execPath, program, mode], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ask = async <T>(): Promise<T> => {
    server.send('?');
    return ((await once(server, 'message')) as [T])[0];
  };
  const agent = new Agent({ keepAlive: true, maxSockets: writers + 1 });
  try {
    const [{ url }] = (await once(server, 'message')) as [{ url: string }];
    await Promise.all(writerIds.map((id) => send(agent, write(url, id)))); // warm
    const writes = writerIds.map((id) => Array.from({ length: writesPerRound / writers }, () => write(url, id)));
    const readTimes: number[] = [];
    let writing = true;
    const cpuBefore = await ask<{ cpu: number }>();
    const start = performance.now();
    const reading = (async () => {
      while (writing) {
        const startMs = performance.now();
        await send(agent, read(url));
        readTimes.push(performance.now() - startMs);
      }
    })();
    await Promise.all(
      writes.map(async (list) => {
        for (const one of list) await send(agent, one);
      }),
    );
    const seconds = (performance.now() - start) / 1_000;
    const cpuAfter = await ask<{ cpu: number }>();
    writing = false;
    await reading;
    agent.destroy();
    server.disconnect();
    await once(server, 'exit');
    const done = writes.flat().length;
    readTimes.sort((a, b) => a - b);
    return {
      rate: done / seconds,
      cpu: (cpuAfter.cpu - cpuBefore.cpu) / done,
      perSync: (done + writers) / (await countSyncs(counts)),
      read: median(readTimes),
      slowRead: readTimes[Math.floor(readTimes.length * 0.99)] as number,
    };
  } finally {
    agent.destroy();
    if (server.connected) server.disconnect();
    await rm(folder, { recursive: true });
  }
}

/** Adds up the calls in strace's summary, including the server's start with its migrations. */
async function countSyncs(file: string): Promise<number> {
  const lines = (await readFile(file, 'utf8')).matchAll(/^\s*(\d+)\s+f(?:data)?sync$/gm);
  return [...lines].reduce((sum, [, calls]) => sum + Number(calls), 0);
}

let signed = 0;

function write(site: string, memberId: string): Prepared {
  const n = ++signed;
  const url = `${site}/social/rest/appdata/@me/@self/@app?xoauth_requestor_id=${memberId}`;
  return { ...prepared('POST', url), body: JSON.stringify({ first: `value ${n}`, second: `value ${n}` }) };
}

function read(site: string): Prepared {
  return prepared('GET', `${site}/social/rest/people/@me/@self?xoauth_requestor_id=1`);
}

function prepared(method: Prepared['method'], url: string): Prepared {
  const { authorization } = signRequest({
    method,
    url,
    consumer,
    timestamp: Math.floor(Date.now() / 1_000),
    nonce: crypto.randomUUID(),
  });
  return { method, url, headers: { Authorization: authorization, 'Content-Type': 'application/json' } };
}
