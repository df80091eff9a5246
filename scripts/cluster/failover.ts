import { setTimeout as pause } from 'node:timers/promises';
import { createClient, type SentRequest } from '../../bench/durability/client.ts';
import type { Writer } from '../../bench/durability/writer.ts';
import { idsOfWriters, writersSite } from '../../bench/writers-site.ts';
import { listenToEvents } from './event-listener.ts';
import {
  cutOff,
  killed,
  killedWithPatroni,
  type LeaderFault,
  paused,
  pausedInTurn,
  pausedWithPatroni,
} from './faults.ts';
import { type Cluster, type ClusterOptions, quick, startCluster } from './patroni.ts';
import { watchReadiness } from './readiness.ts';
import { type Report, seconds } from './report.ts';
import { createSite } from './site.ts';
import { startWriting } from './writing.ts';

/** One cluster, and the ways in which its leader is lost, one after the other. */
interface Round extends ClusterOptions {
  readonly title: string;
  readonly faults: readonly LeaderFault[];
  /** The control: in one of so many tries acknowledged writes are lost. */
  readonly losesIn?: number;
}

interface Outcome {
  readonly acknowledged: number;
  readonly lost: number;
  readonly outageMs: number;
  readonly notReadyAfterMs: number;
  /** All servers follow the new leader in the end. */
  readonly isWhole: boolean;
  readonly findings: readonly string[];
}

const writerIds = idsOfWriters(8);

/** Member who is a friend of all writers and hears of their posts. */
const reader = 'reader';

const writers = writersSite(writerIds);
const world = {
  ...writers,
  members: [...writers.members, { id: reader, displayName: 'Reader' }],
  friendships: writerIds.map((id) => [reader, id]),
  installs: [...writers.installs, { appId: 'notes', memberId: reader }],
};
const mostReplays = 200;

/** Longest time until readiness says no: a second, and half of one for a busy machine. */
const mostNotReadyMs = 1_500;

const rounds: readonly Round[] = [
  {
    title: 'ttl 8, loop_wait 1, retry_timeout 3',
    faults: [killed, killedWithPatroni, paused, pausedWithPatroni, pausedInTurn, cutOff],
  },
  {
    title: 'ttl 20, loop_wait 5, retry_timeout 5',
    timing: { ttl: 20, loopWait: 5, retryTimeout: 5 },
    faults: [killed, killedWithPatroni],
  },
  {
    title: "Patroni's defaults: ttl 30, loop_wait 10, retry_timeout 10",
    timing: { ttl: 30, loopWait: 10, retryTimeout: 10 },
    faults: [killed, killedWithPatroni],
  },
  { title: "control: ttl 8 with etcd's API 3", timing: quick, etcd: 3, faults: [pausedInTurn], losesIn: 3 },
];

const shortRounds: readonly Round[] = [{ title: 'ttl 8, loop_wait 1, retry_timeout 3', faults: [killedWithPatroni] }];

/** Loses leaders under load. */
export async function runFailover(report: Report, { isShort }: { readonly isShort: boolean }): Promise<void> {
  for (const { title, faults, losesIn, ...options } of isShort ? shortRounds : rounds) {
    console.log(`\n${title}`);
    for (const fault of faults) {
      if (losesIn === undefined) {
        const outcome = await loseLeader(fault, options);
        report.check(`${fault.title}: ${describe(outcome)}`, outcome.findings);
      } else await showLoss(report, { fault, losesIn, options });
    }
  }
}

/** Repeats a fault until acknowledged writes are lost: whether they are is a race. */
async function showLoss(
  report: Report,
  { fault, losesIn, options }: { fault: LeaderFault; losesIn: number; options: ClusterOptions },
): Promise<void> {
  for (let tries = 1; tries <= losesIn; tries++) {
    const outcome = await loseLeader(fault, options);
    if (outcome.lost > 0) return report.check(`${fault.title}, try ${tries}: ${describe(outcome)}`, []);
    console.log(`  ${fault.title}, try ${tries}: ${describe(outcome)}`);
  }
  report.check(`${fault.title}: acknowledged writes are lost`, [`in none of ${losesIn} tries`]);
}

/** Loses the leader of a new cluster. */
async function loseLeader(fault: LeaderFault, options: ClusterOptions): Promise<Outcome> {
  const cluster = await startCluster(options);
  try {
    const site = await createSite(cluster.url, world);
    const processes = await site.start();
    try {
      return await observe(fault, { cluster, ports: processes.ports });
    } finally {
      await processes.stop();
      site.remove();
    }
  } finally {
    cluster.close();
  }
}

async function observe(
  fault: LeaderFault,
  { cluster, ports }: { cluster: Cluster; ports: readonly number[] },
): Promise<Outcome> {
  const findings: string[] = [];
  const events = listenToEvents({ port: ports[0] as number, member: reader });
  const readiness = ports.map(watchReadiness);
  const writing = startWriting(writerIds, ports);
  await writing.goesOn();
  await pause(3_000);
  const leader = await cluster.leader();
  if (!leader) throw new Error('The cluster has no leader.');
  const faultAtMs = performance.now();
  await fault.happens(leader);
  await cluster.settled(2);
  await writing.goesOn();
  const againAtMs = performance.now();
  await pause(3_000);
  const outageMs = writing.longestGapMs(faultAtMs);
  const acknowledged = writing.acknowledged();
  const sent = await writing.stop();
  const unheard = await events.unheard(writerIds, againAtMs);
  if (unheard.length > 0) findings.push(`a listening page heard nothing new of ${unheard.join(', ')}`);
  const notReadyAfterMs = Math.max(
    ...readiness.map((watch) => watch.notReadyAfterMs(faultAtMs) ?? Number.POSITIVE_INFINITY),
  );
  if (notReadyAfterMs > mostNotReadyMs) findings.push(`/readyz said no after ${seconds(notReadyAfterMs)}`);
  if (!readiness.every((watch) => watch.isReady())) findings.push('/readyz says no in the end');
  await Promise.all([events.stop(), ...readiness.map((watch) => watch.stop())]);
  const differences = await checkWrites(writing.writers, ports[1] as number);
  findings.push(...differences, ...(await replay(sent, ports[1] as number)));
  const lost = differences.filter((finding) => /is lost$|holds/.test(finding)).length;
  const isWhole = await cluster.settled().then(
    () => true,
    () => false,
  );
  return { acknowledged, lost, outageMs, notReadyAfterMs, isWhole, findings };
}

/** Compares what the writers know with what the site holds. */
async function checkWrites(writers: readonly Writer[], port: number): Promise<readonly string[]> {
  const client = createClient(`http://127.0.0.1:${port}`);
  try {
    return (await Promise.all(writers.map((writer) => writer.check(client)))).flat();
  } finally {
    client.close();
  }
}

/** Sends some of the acknowledged requests again: none may be accepted. */
async function replay(sent: readonly SentRequest[], port: number): Promise<readonly string[]> {
  const client = createClient(`http://127.0.0.1:${port}`);
  const step = Math.ceil(sent.length / mostReplays);
  const accepted: number[] = [];
  for (const request of sent.filter((_, index) => index % step === 0)) {
    const { status } = await client.send(request);
    if (status !== 401) accepted.push(status);
  }
  client.close();
  return accepted.length > 0 ? [`${accepted.length} used requests were answered ${accepted[0]}`] : [];
}

function describe({ acknowledged, lost, outageMs, notReadyAfterMs, isWhole }: Outcome): string {
  return [
    `${seconds(outageMs)} without writes`,
    `/readyz no after ${seconds(notReadyAfterMs)}`,
    `${acknowledged} acknowledged`,
    `${lost} lost`,
    isWhole ? 'three servers again' : 'one server stayed behind',
  ].join(', ');
}
