import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../packages/server/test/free-port.ts';
import { idsOfWriters, writersSite } from '../writers-site.ts';
import { type Client, createClient, type SentRequest } from './client.ts';
import { importSite } from './import-site.ts';
import { startServerProcess, untilReady } from './server.ts';
import { createWriter, type Writer } from './writer.ts';

/** A database server that is killed too. */
export interface KilledDatabase {
  /** For `--database`. */
  readonly url: string;
  /** Sends SIGKILL to all of its processes. */
  kill(): Promise<void>;
  start(): Promise<void>;
}

export interface KillOptions {
  readonly kills: number;
  /** Absent: SQLite in the data folder. */
  readonly database?: KilledDatabase;
  readonly writers?: number;
  /**
   * Range, in milliseconds, of the random time that clients write before a kill, counted from the
   * first acknowledged write.
   */
  readonly writingMs?: { readonly least: number; readonly most: number };
  /** Changes the data folder while the server is down, to test the check itself. */
  readonly meanwhile?: (dataFolder: string) => Promise<void>;
  readonly onKill?: (report: KillReport) => void;
}

export interface KillReport {
  readonly kills: number;
  /** Writes with status 200. */
  readonly acknowledged: number;
  /** Used requests that were sent again. */
  readonly replayed: number;
  /** Milliseconds from each start of the killed server, or database, to readiness. */
  readonly readyMs: readonly number[];
  /** Sentences about lost, torn, invented or twice accepted writes; must be empty. */
  readonly findings: readonly string[];
}

const replaysPerKill = 40;

/**
 * Kills a writing server repeatedly. After each start every acknowledged write must be there, every
 * write of several keys whole, and every used nonce refused (security rule 22).
 */
export async function runKills(options: KillOptions): Promise<KillReport> {
  const { kills, database, writers: count = 16, writingMs = { least: 0, most: 500 }, meanwhile, onKill } = options;
  const data = await mkdtemp(join(tmpdir(), 'gantry-kills-'));
  const writerIds = idsOfWriters(count);
  const writers = writerIds.map(createWriter);
  const port = await freePort();
  const args = ['--data', data, ...(database ? ['--database', database.url] : [])];
  const findings: string[] = [];
  const readyMs: number[] = [];
  let replayed = 0;
  await importSite(data, writersSite(writerIds), args);
  let server = await startServerProcess({ port, args });
  try {
    for (let kill = 1; kill <= kills; kill++) {
      const sent = await writeUntil(writers, port, async () => {
        const before = acknowledged();
        while (acknowledged() === before) await pause(5);
        await pause(writingMs.least + Math.random() * (writingMs.most - writingMs.least));
        const victims = victimsOf(kill, database);
        await Promise.all([victims.server && server.kill(), victims.database && database?.kill()]);
        await meanwhile?.(data);
        if (victims.database) await database?.start();
        const start = performance.now();
        if (victims.server) server = await startServerProcess({ port, args });
        else await untilReady(port);
        readyMs.push(victims.server ? server.readyMs : performance.now() - start);
      });
      const again = shuffled(sent).slice(0, replaysPerKill);
      findings.push(...(await check(writers, port, again)).map((finding) => `after kill ${kill}: ${finding}`));
      replayed += again.length;
      onKill?.(report(kill));
    }
  } finally {
    await server.kill();
    await rm(data, { recursive: true });
  }
  return report(kills);

  function acknowledged(): number {
    return writers.reduce((sum, writer) => sum + writer.acknowledged, 0);
  }

  function report(done: number): KillReport {
    return { kills: done, acknowledged: acknowledged(), replayed, readyMs, findings };
  }
}

/** Kills PostgreSQL alone, Gantry alone and both together, in turn. */
function victimsOf(kill: number, database: KilledDatabase | undefined): { server: boolean; database: boolean } {
  if (!database) return { server: true, database: false };
  return { server: kill % 3 !== 1, database: kill % 3 !== 0 };
}

/** Lets all write during `happens` and resolves with the acknowledged requests. */
async function writeUntil(
  writers: readonly Writer[],
  port: number,
  happens: () => Promise<void>,
): Promise<readonly SentRequest[]> {
  const client = createClient(`http://127.0.0.1:${port}`);
  const stop = new AbortController();
  try {
    const writing = Promise.all(writers.map((writer) => writer.write(client, stop.signal)));
    await Promise.race([happens(), writing.then(() => new Promise<never>(() => {}))]);
    stop.abort();
    return (await writing).flat();
  } finally {
    client.close();
  }
}

async function check(writers: readonly Writer[], port: number, used: readonly SentRequest[]): Promise<string[]> {
  const client = createClient(`http://127.0.0.1:${port}`);
  try {
    const wrong = await Promise.all(writers.map((writer) => writer.check(client)));
    const accepted = await Promise.all(used.map((request) => replay(client, request)));
    return [...wrong.flat(), ...accepted.flat()];
  } finally {
    client.close();
  }
}

async function replay(client: Client, request: SentRequest): Promise<string[]> {
  const { status } = await client.send(request);
  return status === 401 ? [] : [`a request that was used before was answered ${status}`];
}

function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
