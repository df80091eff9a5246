import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '../../packages/server/test/free-port.ts';
import { createFolder } from './folder.ts';
import { haproxyConfiguration } from './haproxy-configuration.ts';
import { createNetwork, type Machine } from './network.ts';
import { binaries, patroniConfiguration, patroniPort, postgresPort, type Timing } from './patroni-configuration.ts';
import { type Program, postmasterOf, processorSecondsOf, signalTree, startProgram } from './processes.ts';

/** The shortest times that are stable on two busy cores. */
export const quick: Timing = { ttl: 8, loopWait: 1, retryTimeout: 3 };

export interface ClusterOptions {
  readonly timing?: Timing;
  /** API of etcd that Patroni speaks. Default 2. */
  readonly etcd?: 2 | 3;
  /** Servers of PostgreSQL. Default 3. */
  readonly size?: number;
}

/** One server: PostgreSQL and its Patroni. */
export interface Server extends Pick<Machine, 'cutOff' | 'reconnect'> {
  readonly name: string;
  /** Address of its PostgreSQL. */
  readonly url: string;
  /** Runs a statement there, as its superuser. */
  query(statement: string): Promise<void>;
  /** Processor time of its PostgreSQL so far. */
  processorSeconds(): number;
  signalPostgres(signal: NodeJS.Signals): void;
  signalPatroni(signal: NodeJS.Signals): void;
  /** Starts its Patroni, which starts PostgreSQL. */
  start(): void;
}

/** PostgreSQL as Patroni, etcd and HAProxy keep it, in processes of this machine. */
export interface Cluster {
  /** Address of the leader, through HAProxy. */
  readonly url: string;
  readonly servers: readonly Server[];
  /** Resolves with the leader; `undefined` while there is none. */
  leader(): Promise<Server | undefined>;
  /**
   * Resolves once all servers, or at least so many, follow one leader, one of them synchronously.
   *
   * @throws Error after a minute and a half.
   */
  settled(least?: number): Promise<void>;
  close(): void;
}

const patienceMs = 90_000;

/** Starts a cluster, each server in a network namespace of its own. Needs root. */
export async function startCluster({ timing = quick, etcd = 2, size = 3 }: ClusterOptions = {}): Promise<Cluster> {
  const folder = createFolder();
  const network = createNetwork(size);
  const programs: ChildProcess[] = [];
  const password = randomBytes(12).toString('hex');
  const [etcdPort, peerPort, port] = [await freePort(), await freePort(), await freePort()];
  const etcdHost = `${network.outside}:${etcdPort}`;

  function start(program: Omit<Program, 'log'>, log: string): ChildProcess {
    const child = startProgram({ ...program, log: folder.path(log) });
    programs.push(child);
    return child;
  }

  const peer = `http://127.0.0.1:${peerPort}`;
  const etcdArgs = {
    ...{ name: 'etcd', 'data-dir': folder.path('etcd'), 'log-level': 'error', logger: 'zap', 'enable-v2': 'true' },
    ...{ 'listen-client-urls': `http://${etcdHost}`, 'advertise-client-urls': `http://${etcdHost}` },
    ...{ 'listen-peer-urls': peer, 'initial-advertise-peer-urls': peer, 'initial-cluster': `etcd=${peer}` },
  };
  start(
    { path: '/usr/bin/etcd', args: Object.entries(etcdArgs).map(([name, value]) => `--${name}=${value}`) },
    'etcd.log',
  );

  const afterwards = folder.write(
    'create-database',
    `#!/bin/sh -e
${binaries}/psql -q "$1" -c "create role gantry login password '${password}'" -c 'create database gantry owner gantry'
`,
    0o700,
  );
  const servers = network.machines.map(({ address, namespace, cutOff, reconnect }, index): Server => {
    const name = `server${index + 1}`;
    const dataFolder = folder.path(name);
    const place = { name, address, dataFolder, etcd: { version: etcd, host: etcdHost } };
    const file = folder.write(`${name}.yml`, patroniConfiguration({ ...place, timing, password, afterwards }));
    let patroni: ChildProcess | undefined;
    return {
      ...{ name, cutOff, reconnect },
      url: `postgres://gantry:${password}@${address}:${postgresPort}/gantry`,
      async query(statement) {
        const client = new pg.Client(`postgres://postgres:${password}@${address}:${postgresPort}/postgres`);
        await client.connect();
        await client.query(statement).finally(() => client.end());
      },
      processorSeconds: () => processorSecondsOf(postmasterOf(dataFolder)),
      signalPostgres: (signal) => signalTree(postmasterOf(dataFolder), signal),
      signalPatroni: (signal) => signalTree(patroni?.pid, signal),
      start() {
        // By its own path: another python3 may be first.
        patroni = start({ path: '/usr/bin/python3', args: ['/usr/bin/patroni', file], namespace }, `${name}.log`);
      },
    };
  });
  for (const server of servers) server.start();
  const addresses = network.machines.map(({ address }) => address);
  const configuration = folder.write('haproxy.cfg', haproxyConfiguration(port, addresses));
  start({ path: '/usr/sbin/haproxy', args: ['-db', '-q', '-f', configuration] }, 'haproxy.log');

  async function status(): Promise<readonly Status[]> {
    for (const address of addresses) {
      const url = `http://${address}:${patroniPort}/cluster`;
      const answer = await fetch(url, { signal: AbortSignal.timeout(1_000) }).catch(() => undefined);
      if (answer?.ok) return ((await answer.json()) as { members: Status[] }).members;
    }
    return [];
  }

  async function settled(least = size): Promise<void> {
    for (const startedAtMs = performance.now(); ; await pause(100)) {
      const seen = await status();
      if (areSettled(seen, least)) return;
      if (performance.now() - startedAtMs > patienceMs) {
        throw new Error(`The cluster did not settle: ${JSON.stringify(seen)}\n${folder.logs()}`);
      }
    }
  }

  function close(): void {
    process.off('exit', close);
    for (const { pid } of programs) signalTree(pid, 'SIGKILL');
    for (const server of servers) server.signalPostgres('SIGKILL');
    network.remove();
    folder.remove();
  }

  process.on('exit', close);
  try {
    await settled();
  } catch (error) {
    close();
    throw error;
  }
  return {
    url: `postgres://gantry:${password}@127.0.0.1:${port}/gantry`,
    servers,
    async leader() {
      const leading = (await status()).find(({ role }) => role === 'leader');
      return servers.find(({ name }) => name === leading?.name);
    },
    settled,
    close,
  };
}

/** A server as Patroni reports it. */
interface Status {
  readonly name: string;
  readonly role: string;
  readonly state: string;
}

function areSettled(seen: readonly Status[], least: number): boolean {
  const ready = seen.filter(({ state }) => /^(running|streaming)$/.test(state)).map(({ role }) => role);
  return ready.length >= least && ready.includes('leader') && (seen.length === 1 || ready.includes('sync_standby'));
}
