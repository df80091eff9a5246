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
const rightReads = 300;

interface Figures {
  readonly reads: number;
  readonly seconds: number;
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
          const figures = await measure(processes, { leader: leader as Server, standbys, seconds: isShort ? 5 : 20 });
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
  // Of the two one is synchronous: without it no write is acknowledged, so replay alone stops.
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
  { leader, standbys, seconds }: { leader: Server; standbys: readonly Server[]; seconds: number },
): Promise<Figures> {
  const clients = ports.map((port) => createClient(`http://127.0.0.1:${port}`));
  const tookMs: number[] = [];
  let isOver = false;

  async function read(client: Client): Promise<void> {
    for (let index = 0; !isOver; index++) {
      const memberId = memberIds[Math.floor(Math.random() * memberIds.length)] as string;
      const { path, query } = reads[index % reads.length] as (typeof reads)[number];
      const startedAtMs = performance.now();
      const { status, text } = await answered(client, { method: 'GET', path, memberId, query });
      if (status !== 200) throw new Error(`A read was answered ${status}: ${text}`);
      tookMs.push(performance.now() - startedAtMs);
    }
  }

  async function write(client: Client): Promise<void> {
    while (!isOver) {
      const memberId = memberIds[Math.floor(Math.random() * memberIds.length)] as string;
      await answered(client, { method: 'POST', path: '/activities/@me/@self', memberId, body: { title: 'Another' } });
      await pause(writeEveryMs);
    }
  }

  const used = () => ({
    primary: leader.processorSeconds(),
    standbys: standbys.reduce((sum, standby) => sum + standby.processorSeconds(), 0),
  });
  const clientOf = (index: number) => clients[index % 2] as Client;
  const running = [
    ...Array.from({ length: readers }, (_, index) => read(clientOf(index))),
    ...Array.from({ length: writers }, (_, index) => write(clientOf(index))),
  ];
  await pause(2_000); // statements are prepared by then
  const [before, offset] = [used(), tookMs.length];
  await pause(seconds * 1_000);
  const [after, times] = [used(), tookMs.slice(offset).sort((a, b) => a - b)];
  isOver = true;
  await Promise.all(running);
  for (const client of clients) client.close();
  const perThousand = (name: 'primary' | 'standbys') => (1_000_000 * (after[name] - before[name])) / times.length;
  return {
    reads: times.length,
    seconds,
    medianMs: times[Math.floor(times.length / 2)] ?? 0,
    slowMs: times[Math.floor(times.length * 0.99)] ?? 0,
    share: await shareOfStandbys(ports),
    primaryMs: perThousand('primary'),
    standbysMs: perThousand('standbys'),
  };
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

function describe({ reads, seconds, medianMs, slowMs, share, primaryMs, standbysMs }: Figures): string {
  return [
    `${Math.round(reads / seconds)} reads a second`,
    `p50 ${medianMs.toFixed(1)} ms, p99 ${slowMs.toFixed(1)} ms`,
    `${Math.round(100 * share)} % from standbys`,
    `for a thousand reads ${Math.round(primaryMs)} ms of processor on the primary, ${Math.round(standbysMs)} ms on standbys`,
  ].join('; ');
}
