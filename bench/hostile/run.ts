import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { main } from '@gantry/cli';
import { signRequest } from '@gantry/oauth';
import { finding, send } from './attack.ts';
import { bodies, bodyAttack } from './bodies.ts';
import { type Attack, heads, targets } from './heads.ts';
import { createRandom, type Random } from './random.ts';
import type { Holdings } from './server.ts';

export interface HostileOptions {
  /** Number of rounds. Each sends every head and body once, each to a target of its own. */
  readonly rounds: number;
  readonly seed: number;
  readonly tell?: (line: string) => void;
}

export interface HostileReport {
  readonly attacks: number;
  /** Signed attacks whose body was read. */
  readonly bodiesRead: number;
  /** Valid requests between the attacks. */
  readonly good: number;
  /** Their median and longest time in milliseconds. */
  readonly medianGoodMs: number;
  readonly slowestGoodMs: number;
  readonly heapGrowthBytes: number;
  readonly descriptorGrowth: number;
  readonly findings: readonly string[];
}

const atOnce = 40;

/** Possible statuses once a body was read. */
const bodyStatuses: ReadonlySet<number> = new Set([200, 400, 413, 415, 500]);

const world = {
  members: [
    { id: '1', displayName: 'Ada' },
    { id: '2', displayName: 'Bo' },
  ],
  friendships: [['1', '2']],
  apps: [{ id: 'notes', title: 'Notes', url: 'https://apps.example/notes/' }],
  installs: [{ appId: 'notes', memberId: '1' }],
  consumers: [{ key: 'notes-key', secret: 'notes-secret', kind: 'app', appId: 'notes' }],
};

/** Lines of the log but the first that names a refused host, which it names once. */
function unexpected(complaints: string): string[] {
  const lines = complaints.split('\n').filter((line) => line !== '');
  const named = lines.findIndex((line) => line.includes('"msg":"A request for another host was refused (421).'));
  return lines.filter((_, index) => index !== named);
}

/** Attacks a server process, with valid requests in between, and reports its wrong behaviour. */
export async function runHostile({ rounds, seed, tell = () => {} }: HostileOptions): Promise<HostileReport> {
  const data = mkdtempSync(join(tmpdir(), 'gantry-hostile-'));
  writeFileSync(join(data, 'world.json'), JSON.stringify(world));
  await main(['import', join(data, 'world.json')], { GANTRY_DATA: data }, { out: () => {}, err: () => {} });
  const server = fork(new URL('server.ts', import.meta.url), [data], {
    execArgv: ['--conditions=@gantry/source', '--expose-gc'],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const exit = once(server, 'exit');
  let complaints = '';
  server.stderr?.on('data', (chunk) => {
    complaints += chunk;
  });
  const findings: string[] = [];
  try {
    const [{ url: site }] = (await once(server, 'message')) as [{ url: string }];
    const port = Number(new URL(site).port);
    const random = createRandom(seed);
    let bodiesRead = 0;
    const attack = async (one: Attack) => {
      const outcome = await send(one, port);
      if (one.isSigned && bodyStatuses.has(outcome.statuses[0] ?? 0)) bodiesRead++;
      const problem = finding(one, outcome);
      if (problem !== undefined) findings.push(problem);
    };
    await inParallel(attacksOf(site, random).values(), attack); // warm-up: one-time allocations are no leak
    const before = await settled(server);
    let attacks = 0;
    const goodMs: number[] = [];
    let isOver = false;
    const between = async () => {
      while (!isOver) goodMs.push(await goodRequest(site, findings));
    };
    function* all(): Generator<Attack> {
      for (let round = 1; round <= rounds; round++) {
        for (const one of attacksOf(site, random)) {
          attacks++;
          yield one;
        }
        tell(`round ${round} of ${rounds}: ${attacks} attacks, ${findings.length} findings`);
      }
    }
    const beside = between();
    await inParallel(all(), attack);
    isOver = true;
    await beside;
    const after = await settled(server);
    if (server.exitCode !== null) findings.push(`the server ended: ${complaints}`);
    return {
      attacks,
      bodiesRead,
      good: goodMs.length,
      medianGoodMs: Math.round(goodMs.toSorted((a, b) => a - b)[goodMs.length >> 1] ?? 0),
      slowestGoodMs: Math.round(Math.max(...goodMs)),
      heapGrowthBytes: after.heapBytes - before.heapBytes,
      descriptorGrowth: after.descriptors - before.descriptors,
      findings: [
        ...findings,
        ...unexpected(complaints).map((line) => `the server complained: ${line.slice(0, 1_000)}`),
      ],
    };
  } finally {
    if (server.connected) server.disconnect();
    await exit;
    rmSync(data, { recursive: true });
  }
}

function attacksOf(site: string, random: Random): Attack[] {
  const { host } = new URL(site);
  const shapes = Object.entries(heads).flatMap(([name, shape]) =>
    [random.one(targets), random.one(targets)].map((target) => ({
      name: `${name} at ${target}`,
      ...shape(target, host, random),
    })),
  );
  const signed = Object.keys(bodies).flatMap((name) => [1, 2, 3].map(() => bodyAttack(name, { site, random })));
  return [...shapes, ...signed];
}

/** Processes one list concurrently, so that a slow attack delays only itself. */
async function inParallel(list: Iterator<Attack>, attack: (one: Attack) => Promise<void>): Promise<void> {
  const worker = async () => {
    for (let next = list.next(); !next.done; next = list.next()) await attack(next.value);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

async function goodRequest(site: string, findings: string[]): Promise<number> {
  const url = `${site}/social/rest/people/@me/@friends?xoauth_requestor_id=1`;
  const { authorization } = signRequest({
    method: 'GET',
    url,
    consumer: { key: 'notes-key', secret: 'notes-secret' },
    timestamp: Math.floor(Date.now() / 1000),
    nonce: crypto.randomUUID(),
  });
  const startedAtMs = performance.now();
  try {
    const answer = await fetch(url, { headers: { Authorization: authorization } });
    const text = await answer.text();
    if (answer.status !== 200 || !text.includes('"Bo"')) findings.push(`a good request: ${answer.status} ${text}`);
  } catch (error) {
    findings.push(`a good request failed: ${(error as Error).message} ${String((error as Error).cause)}`);
  }
  return performance.now() - startedAtMs;
}

/** Polls the server's resources without connections until they stay the same. */
async function settled(server: ReturnType<typeof fork>): Promise<Holdings> {
  let last = await holdings(server);
  for (let tries = 0; tries < 40; tries++) {
    await pause(100);
    const next = await holdings(server);
    if (next.descriptors === last.descriptors && Math.abs(next.heapBytes - last.heapBytes) < 50_000) return next;
    last = next;
  }
  return last;
}

async function holdings(server: ReturnType<typeof fork>): Promise<Holdings> {
  server.send('holdings');
  const [message] = (await once(server, 'message')) as [Holdings];
  return message;
}
