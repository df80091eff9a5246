import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../packages/server/test/free-port.ts';
import { viewerKey } from '../../packages/server/test/viewer-token.ts';
import { type FleetPorts, fleetConfiguration } from './fleet-configuration.ts';
import { createFolder } from './folder.ts';
import { createNetwork, type Machine } from './network.ts';
import { signalTree, startProgram } from './processes.ts';
import type { Release } from './release.ts';
import { startServers } from './servers.ts';

/** Release, clock and disk of one process of Gantry. */
export interface ProcessOptions {
  readonly release: Release;
  /** Seconds by which its clock is off. */
  readonly clockS?: number;
  /** Data folder, in place of the machines' shared one. */
  readonly data?: string;
  /** Kills the one before in place of an orderly stop. */
  readonly isKilled?: boolean;
}

/** One process of Gantry on one of the machines. */
export interface FleetProcess {
  readonly machine: Machine;
  /** Stops it in order, and starts it again. Resolves when the balancer sends it requests. */
  replace(options: ProcessOptions): Promise<void>;
  /** Returns the end of its log, since its start. */
  log(): string;
}

/** Four processes on two machines, with one PostgreSQL, behind a HAProxy without stickiness. */
export interface Fleet {
  readonly ports: FleetPorts;
  readonly machines: readonly Machine[];
  readonly processes: readonly FleetProcess[];
  /** Folder with keys and photos, which the machines share. */
  readonly data: string;
  /** Runs a command line of a release on the site. */
  run(release: Release, args: readonly string[]): void;
  close(): Promise<void>;
}

const patienceMs = 60_000;

/** Seconds between SIGTERM and the last accepted request: more than the balancer's checks take. */
const graceS = 3;

/** Starts a fleet with a world, all of it by one release. Needs root. */
export async function startFleet(world: object, release: Release): Promise<Fleet> {
  const servers = await startServers(1);
  const postgres = servers.servers[0] as (typeof servers.servers)[number];
  const folder = createFolder();
  const network = createNetwork(2);
  const data = mkdtempSync(join(tmpdir(), 'gantry-cluster-fleet-'));
  const children: ChildProcess[] = [];
  const ports = {
    site: await freePort(),
    processes: [await freePort(), await freePort(), await freePort(), await freePort()],
  };
  const database = { address: network.outside, port: await freePort() };
  const url = `http://localhost:${ports.site}`;
  const databaseUrl = `postgres://gantry:${servers.password}@${database.address}:${database.port}/gantry`;

  function remove(): void {
    process.off('exit', remove);
    for (const { pid } of children) signalTree(pid, 'SIGKILL');
    servers.close();
    network.remove();
    folder.remove();
    rmSync(data, { recursive: true, force: true });
  }
  process.on('exit', remove);

  const endpoints = ports.processes.map((_, index) => ({
    machine: network.machines[index < 2 ? 0 : 1] as Machine,
    port: 4400 + (index % 2),
  }));
  const configuration = fleetConfiguration(ports, {
    processes: endpoints.map(({ machine: { address }, port }) => ({ address, port })),
    database,
    postgres: postgres.port,
  });
  const file = folder.write('haproxy.cfg', configuration);
  children.push(
    startProgram({ path: '/usr/sbin/haproxy', args: ['-db', '-q', '-f', file], log: folder.path('haproxy.log') }),
  );

  const programOf = ({ folder }: Release) => ['--conditions=@gantry/source', `${folder}/packages/cli/bin/gantry.js`];

  function run(by: Release, args: readonly string[]): void {
    const place = ['--data', data, '--database', databaseUrl];
    execFileSync(process.execPath, [...programOf(by), ...args, ...place], { stdio: ['ignore', 'ignore', 'pipe'] });
  }

  function createProcess(index: number): FleetProcess & { start(options: ProcessOptions): Promise<void> } {
    const { machine, port } = endpoints[index] as (typeof endpoints)[number];
    let child: ChildProcess | undefined;
    let log = '';

    async function start({ release, clockS = 0, data: ownData = data }: ProcessOptions): Promise<void> {
      const flags = { port, host: machine.address, url, data: ownData, grace: graceS };
      const args = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, String(value)]);
      const line = [process.execPath, ...programOf(release), 'serve', ...args];
      const clock = clockS === 0 ? {} : { LD_PRELOAD: faketime, FAKETIME: `${clockS > 0 ? '+' : ''}${clockS}s` };
      const env = {
        ...process.env,
        ...{ GANTRY_DATABASE: databaseUrl, GANTRY_VIEWER_KEY: viewerKey, GANTRY_SIGN_IN_URL: '/sign-in' },
        ...{ GANTRY_TRUSTED_PROXIES: network.outside, FAKETIME_DONT_FAKE_MONOTONIC: '1', ...clock },
      };
      log = '';
      child = spawn('ip', ['netns', 'exec', machine.namespace, ...line], { env, stdio: ['ignore', 'pipe', 'pipe'] });
      children.push(child);
      const keep = (text: Buffer) => {
        log = (log + text).slice(-20_000);
      };
      child.stdout?.on('data', keep);
      child.stderr?.on('data', keep);
      const ready = `http://127.0.0.1:${ports.processes[index]}/readyz`;
      for (const startedAtMs = performance.now(); ; await pause(50)) {
        if ((await fetch(ready).catch(() => undefined))?.ok) break;
        const hasEnded = child.exitCode !== null;
        if (hasEnded || performance.now() - startedAtMs > patienceMs) throw new Error(`Not ready: ${log}`);
      }
      await pause(1_500); // until the balancer has seen it
    }

    return {
      machine,
      start,
      log: () => log,
      async replace(options) {
        const old = child as ChildProcess;
        const exited = once(old, 'exit');
        old.kill(options.isKilled ? 'SIGKILL' : 'SIGTERM');
        await exited;
        await start(options);
      },
    };
  }

  const processes = endpoints.map((_, index) => createProcess(index));
  const fleet = {
    ...{ ports, machines: network.machines, processes, data, run },
    async close() {
      const running = children.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
      const exits = running.map((child) => once(child, 'exit'));
      for (const { pid } of running) signalTree(pid, 'SIGKILL');
      await Promise.all(exits);
      remove();
    },
  };
  try {
    await pause(300); // until HAProxy listens
    writeFileSync(join(data, 'site.json'), JSON.stringify(world));
    run(release, ['import', join(data, 'site.json')]);
    const app = join(data, 'board');
    mkdirSync(app);
    writeFileSync(join(app, 'gadget.json'), JSON.stringify({ name: 'Board', page: 'index.html' }));
    writeFileSync(join(app, 'index.html'), '<!doctype html><title>Board</title>');
    run(release, ['app', 'add', app, '--id', 'board']);
    for (const each of processes) await each.start({ release });
    return fleet;
  } catch (error) {
    await fleet.close();
    throw error;
  }
}

const faketime = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/faketime/libfaketime.so.1`;
