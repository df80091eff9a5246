import { execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../packages/server/test/free-port.ts';
import { idsOfWriters, writersSite } from '../writers-site.ts';
import { type Client, createClient, type Reply } from './client.ts';
import { importSite } from './import-site.ts';
import type { KilledDatabase } from './kills.ts';
import { startServerProcess, untilReady } from './server.ts';
import { createWriter } from './writer.ts';

/** A temporary fault of a running server's database. */
export interface Fault {
  readonly name: string;
  /** Status of writes meanwhile. */
  readonly status: 503 | 507;
  /** True if reads still work. */
  readonly reads: boolean;
  /** Folder that the fault needs for the data. Absent: any folder. */
  readonly place?: { make(folder: string): void; remove(folder: string): void };
  begin(data: string): Promise<void> | void;
  end(data: string): Promise<void> | void;
}

export interface FaultReport {
  readonly name: string;
  /** Milliseconds from the end of the fault to readiness. */
  readonly recoveredMs: number;
  /** Wrong behaviour, in sentences. */
  readonly findings: readonly string[];
}

/** Faults of an SQLite database. Mounting and immutable files need root. */
export function sqliteFaults(): Fault[] {
  return process.getuid?.() === 0 ? [fullDisk, readOnlyFile, lockedByAnother] : [lockedByAnother];
}

const fullDisk: Fault = {
  name: 'full disk (a tmpfs of 8 MB)',
  status: 507,
  reads: true,
  place: {
    make: (folder) => void execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', folder]),
    remove: (folder) => void execFileSync('umount', ['-l', folder]),
  },
  begin: (data) => fill(join(data, 'filler')),
  end: (data) => rmSync(join(data, 'filler')),
};

const readOnlyFile: Fault = {
  name: 'read-only file (chattr +i)',
  status: 507,
  reads: true,
  begin: (data) => void execFileSync('chattr', ['+i', join(data, 'gantry.db-wal')]),
  end: (data) => void execFileSync('chattr', ['-i', join(data, 'gantry.db-wal')]),
};

let other: DatabaseSync | undefined;
const lockedByAnother: Fault = {
  name: 'locked by another connection',
  status: 503,
  reads: true,
  begin(data) {
    other = new DatabaseSync(join(data, 'gantry.db'));
    other.exec('pragma busy_timeout = 5000');
    other.exec('begin immediate');
  },
  end: () => other?.close(),
};

/** A database server that stops for a while. */
export function databaseGone(database: KilledDatabase): Fault {
  return { name: 'database server gone', status: 503, reads: false, begin: database.kill, end: database.start };
}

function fill(file: string): void {
  const fd = openSync(file, 'w');
  try {
    for (let bytes = 64 * 1024; bytes >= 1; ) {
      try {
        if (writeSync(fd, Buffer.alloc(bytes)) < bytes) bytes /= 2;
      } catch {
        bytes = Math.floor(bytes / 2);
      }
    }
  } finally {
    closeSync(fd);
  }
}

/**
 * Causes a fault while clients write: errors must be clear, possible reads work, readiness fail,
 * and the server recover without a restart or a lost write (security rule 23).
 */
export async function runFault(
  fault: Fault,
  { seconds, database, writers: count = 8 }: { seconds: number; database?: KilledDatabase; writers?: number },
): Promise<FaultReport> {
  const data = await mkdtemp(join(tmpdir(), 'gantry-fault-'));
  fault.place?.make(data);
  const writerIds = idsOfWriters(count);
  const writers = writerIds.map(createWriter);
  const port = await freePort();
  const args = ['--data', data, ...(database ? ['--database', database.url] : [])];
  const findings: string[] = [];
  try {
    await importSite(data, writersSite(writerIds), args);
    const server = await startServerProcess({ port, args });
    const client = createClient(`http://127.0.0.1:${port}`);
    const stop = new AbortController();
    try {
      const writing = Promise.all(writers.map((writer) => writer.write(client, stop.signal)));
      await pause(500);
      await fault.begin(data);
      const started = performance.now();
      findings.push(...(await lookAround(fault, { client, port })));
      await pause(Math.max(0, seconds * 1_000 - (performance.now() - started)));
      findings.push(...(await lookAround(fault, { client, port })));
      await fault.end(data);
      const ended = performance.now();
      await untilReady(port);
      const recoveredMs = performance.now() - ended;
      const again = await post(client);
      if (again.status !== 200) findings.push(`after it a write was answered ${again.status}`);
      stop.abort();
      await writing;
      for (const writer of writers.slice(1)) findings.push(...(await writer.check(client)));
      return { name: fault.name, recoveredMs, findings };
    } finally {
      stop.abort();
      client.close();
      await server.kill();
    }
  } finally {
    fault.place?.remove(data);
    await rm(data, { recursive: true });
  }
}

async function lookAround(fault: Fault, { client, port }: { client: Client; port: number }): Promise<string[]> {
  const findings: string[] = [];
  const write = await untilRefused(client);
  if (write.status !== fault.status) findings.push(`a write was answered ${write.status}, not ${fault.status}`);
  if (fault.status === 503 && write.retryAfter === undefined) findings.push('a 503 came without Retry-After');
  const { reply: read } = await client.ask({ method: 'GET', path: '/appdata/@me/@self/@app', memberId: '1' });
  const expected = fault.reads ? 200 : 503;
  if (read.status !== expected) findings.push(`a read was answered ${read.status}, not ${expected}: ${read.text}`);
  const ready = await fetch(`http://127.0.0.1:${port}/readyz`);
  if (ready.status !== 503) findings.push(`readiness was answered ${ready.status}`);
  return findings;
}

/** Writes until a refusal: the file's free space lasts for a few more. */
async function untilRefused(client: Client): Promise<Reply> {
  for (let tries = 0; ; tries++) {
    const reply = await post(client);
    if (reply.status !== 200 || tries === 2_000) return reply;
  }
}

/** Posts as writer 1, whose ledger is not checked afterwards. */
async function post(client: Client): Promise<Reply> {
  const body = { title: 'x'.repeat(1_000) };
  return (await client.ask({ method: 'POST', path: '/activities/@me/@self', memberId: '1', body })).reply;
}
