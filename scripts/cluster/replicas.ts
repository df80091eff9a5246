import { setTimeout as pause } from 'node:timers/promises';
import { type Client, createClient, type Reply } from '../../bench/durability/client.ts';
import { idsOfWriters } from '../../bench/writers-site.ts';
import { load } from './conditions.ts';
import { type Cluster, type Server, startCluster } from './patroni.ts';
import { memberIds, world } from './replicas-world.ts';
import type { Report } from './report.ts';
import { createSite, type Processes, type Site } from './site.ts';

/** Reads of a gadget's page, by what each is measured as. */
const reads: readonly { readonly title: string; readonly path: string; readonly query: Record<string, string> }[] = [
  { title: 'friends', path: '/people/@me/@friends', query: { count: '20' } },
  { title: "friends' activities", path: '/activities/@me/@friends', query: { count: '20' } },
  { title: 'AppData', path: '/appdata/@me/@self/@app', query: {} },
];
const readers = 8;
const writers = 2;
const writeEveryMs = 50;
const idleMs = 5_000;
const rightReads = 300;

interface Figures {
  readonly perSecond: number;
  readonly medianMs: number;
  readonly slowMs: number;
  /** Share of reads that a standby answered. */
  readonly share: number;
  /** Processor time, in milliseconds a thousand reads. */
  readonly primaryMs: number;
  readonly standbysMs: number;
}

/** Reads through standbys. */
export async function runReplicas(report: Report, { isShort }: { readonly isShort: boolean }): Promise<void> {
  const cluster = await startCluster();
  try {
    const leader = await cluster.leader();
    const standbys = cluster.servers.filter((server) => server !== leader);
    const site = await createSite(cluster.url, world);
    try {
      for (const count of isShort ? [2] : [0, 1, 2]) {
        const flags = standbys.slice(0, count).flatMap(({ url }) => ['--replica', url]);
        await withProcesses(site, flags, async (processes) => {
          const figures = await measure(processes, { leader: leader as Server, standbys, isShort });
          console.log(`\n${count} standbys: ${describe(figures)}, ${load()}`);
          report.check(
            `${count === 0 ? 'none' : 'some'} of the reads were answered by standbys`,
            figures.share > 0 === count > 0 ? [] : [`${figures.share} of them were`],
          );
          report.check(
            'each read through one process shows the write before it through the other',
            await readOwn(processes),
          );
          if (count === 2) await tryFaults(processes, { cluster, standbys, report });
        });
      }
    } finally {
      site.remove();
    }
  } finally {
    cluster.close();
  }
}

async function withProcesses(site: Site, flags: readonly string[], work: (processes: Processes) => Promise<void>) {
  const processes = await site.start(flags);
  try {
    await work(processes);
  } finally {
    await processes.stop();
  }
}

async function tryFaults(
  processes: Processes,
  { cluster, standbys, report }: { cluster: Cluster; standbys: readonly Server[]; report: Report },
): Promise<void> {
  const [first, second] = standbys as [Server, Server];
  // Replay alone stops: without the synchronous one of the two no write is acknowledged.
  for (const standby of standbys) await standby.query('select pg_wal_replay_pause()');
  report.check('standbys that replay nothing: reads are right all the same', await readOwn(processes));
  for (const standby of standbys) await standby.query('select pg_wal_replay_resume()');
  first.signalPatroni('SIGSTOP');
  first.signalPostgres('SIGSTOP');
  await pause(1_000);
  first.signalPostgres('SIGCONT');
  first.signalPatroni('SIGCONT');
  report.check('one standby was paused for a second: reads are right', await readOwn(processes));
  second.signalPatroni('SIGKILL');
  second.signalPostgres('SIGKILL');
  report.check('one standby is killed: reads are right, and none fails', await readOwn(processes));
  second.start();
  await cluster.settled();
}

/** Writes through one process and reads through the other at once. Resolves with what was old. */
async function readOwn({ ports }: Processes): Promise<readonly string[]> {
  const clients = ports.map((port) => createClient(`http://127.0.0.1:${port}`));
  const findings: string[] = [];
  const perWriter = async (memberId: string, index: number) => {
    const [writing, reading] = [clients[index % 2], clients[(index + 1) % 2]] as [Client, Client];
    const friend = memberIds[memberIds.indexOf(memberId) + 1] as string;
    for (let count = 0; count < rightReads / readers; count++) {
      const value = crypto.randomUUID();
      const saved = await answered(writing, {
        method: 'POST',
        path: '/appdata/@me/@self/@app',
        memberId,
        body: { value },
      });
      const posted = await answered(writing, {
        method: 'POST',
        path: '/activities/@me/@self',
        memberId,
        body: { title: value },
      });
      if (saved.status !== 200 || posted.status !== 200) {
        findings.push(`a write was answered ${saved.status} ${posted.status}: ${posted.text}`);
        continue;
      }
      const mine = await answered(reading, { method: 'GET', path: '/appdata/@me/@self/@app', memberId });
      const friends = await answered(reading, { method: 'GET', path: '/activities/@me/@friends', memberId: friend });
      for (const [what, { status, text }] of Object.entries({ AppData: mine, "friends' activities": friends })) {
        if (status !== 200 || !text.includes(value))
          findings.push(`${what} were answered ${status} without the last write`);
      }
    }
  };
  await Promise.all(idsOfWriters(readers).map((_, index) => perWriter(memberIds[index * 40] as string, index)));
  for (const client of clients) client.close();
  return findings;
}

async function answered(client: Client, call: Parameters<Client['ask']>[0]): Promise<Reply> {
  return (await client.ask(call)).reply;
}

async function measure(
  { ports }: Processes,
  { leader, standbys, isShort }: { leader: Server; standbys: readonly Server[]; isShort: boolean },
): Promise<Figures> {
  const clients = ports.map((port) => createClient(`http://127.0.0.1:${port}`));
  const used = () => ({
    atMs: performance.now(),
    primary: leader.processorSeconds(),
    standbys: standbys.reduce((sum, standby) => sum + standby.processorSeconds(), 0),
  });
  try {
    await readMany(clients, { count: 100 * reads.length }); // statements are prepared by then
    const idle = used();
    await pause(idleMs);
    const before = used();
    const count = isShort ? 300 : 4_000;
    await readMany(clients, { count });
    const after = used();
    // Less what servers do by themselves, which counts for more the busier the machine is.
    const perThousand = (name: 'primary' | 'standbys') => {
      const idlePerMs = (before[name] - idle[name]) / (before.atMs - idle.atMs);
      return (1_000_000 * (after[name] - before[name] - idlePerMs * (after.atMs - before.atMs))) / count;
    };
    const [primaryMs, standbysMs] = [perThousand('primary'), perThousand('standbys')];
    const startedAtMs = performance.now();
    const times = (await readMany(clients, { count, isWritten: true })).sort((a, b) => a - b);
    return {
      perSecond: (1_000 * count) / (performance.now() - startedAtMs),
      medianMs: times[Math.floor(count / 2)] ?? 0,
      slowMs: times[Math.floor(count * 0.99)] ?? 0,
      share: await shareOfStandbys(ports),
      primaryMs,
      standbysMs,
    };
  } finally {
    for (const client of clients) client.close();
  }
}

const anyMember = () => memberIds[Math.floor(Math.random() * memberIds.length)] as string;

/** Makes reads of random members. Resolves with the time of each, in milliseconds. */
async function readMany(
  clients: readonly Client[],
  { count, isWritten = false }: { readonly count: number; readonly isWritten?: boolean },
): Promise<number[]> {
  const tookMs: number[] = [];
  let left = count;

  async function read(client: Client): Promise<void> {
    while (left-- > 0) {
      const { path, query } = reads[left % reads.length] as (typeof reads)[number];
      const startedAtMs = performance.now();
      const { status, text } = await answered(client, { method: 'GET', path, memberId: anyMember(), query });
      if (status !== 200) throw new Error(`A read was answered ${status}: ${text}`);
      tookMs.push(performance.now() - startedAtMs);
    }
  }

  async function write(client: Client): Promise<void> {
    while (left > 0) {
      const body = { title: 'Another' };
      await answered(client, { method: 'POST', path: '/activities/@me/@self', memberId: anyMember(), body });
      await pause(writeEveryMs);
    }
  }

  const clientOf = (index: number) => clients[index % clients.length] as Client;
  await Promise.all([
    ...Array.from({ length: readers }, (_, index) => read(clientOf(index))),
    ...Array.from({ length: isWritten ? writers : 0 }, (_, index) => write(clientOf(index))),
  ]);
  return tookMs;
}

/** Reads from the metrics how many of the reads went to standbys. */
async function shareOfStandbys(ports: readonly number[]): Promise<number> {
  const sums = { standby: 0, primary: 0 };
  for (const port of ports) {
    const text = await (await fetch(`http://localhost:${port}/metrics`)).text();
    const value = (line: RegExp) => Number(line.exec(text)?.[1] ?? 0);
    sums.standby += value(/^gantry_routed_reads_total\{source="standby"\} (\d+)$/m);
    sums.primary += value(/^gantry_routed_reads_total\{source="primary"\} (\d+)$/m);
  }
  return sums.standby / Math.max(1, sums.standby + sums.primary);
}

function describe({ perSecond, medianMs, slowMs, share, primaryMs, standbysMs }: Figures): string {
  return [
    `${Math.round(perSecond)} reads a second beside writes`,
    `p50 ${medianMs.toFixed(1)} ms, p99 ${slowMs.toFixed(1)} ms`,
    `${Math.round(100 * share)} % from standbys`,
    `for a thousand reads ${Math.round(primaryMs)} ms of processor on the primary, ${Math.round(standbysMs)} ms on standbys`,
  ].join('; ');
}
