import { Agent } from 'node:http';
import { type Probe, probes } from '@gantry/lab';
import { signRequest } from '@gantry/oauth';
import { grouped } from '@gantry/wire/runtime';
import { send } from './http.ts';
import { type ScaleServer, type ScaleWorld, scaleWorld, startScaleServer } from './scale-worlds.ts';

const sizes = [1_000, 100_000, 1_000_000] as const;
const rounds = 120;
const goals = { median: 1.5, p99: 2.5, streamMs: 10 } as const;

interface Asked {
  readonly name: string;
  path(probe: Probe): string;
}

/** Every working read, with a probe member as the requester. */
const reads: readonly Asked[] = [
  { name: 'people @me @self, all fields', path: () => '/people/@me/@self?fields=@all' },
  { name: 'people friend @self', path: ({ friend }) => `/people/${friend}/@self` },
  { name: 'people @me @all friend', path: ({ friend }) => `/people/@me/@all/${friend}` },
  { name: 'people @me @friends', path: () => '/people/@me/@friends' },
  { name: 'people @me @friends, all fields', path: () => '/people/@me/@friends?fields=@all' },
  { name: 'people @me @friends hasApp', path: () => '/people/@me/@friends?filterBy=hasApp' },
  { name: 'people friend @friends', path: ({ friend }) => `/people/${friend}/@friends` },
  { name: 'activities @me @self', path: () => '/activities/@me/@self' },
  { name: 'activities @me @self @app', path: () => '/activities/@me/@self/@app' },
  { name: 'activities friend @self', path: ({ friend }) => `/activities/${friend}/@self` },
  { name: 'activities @me @friends', path: () => '/activities/@me/@friends' },
  { name: 'activities @me @friends @app', path: () => '/activities/@me/@friends/@app' },
  { name: 'activities friend @friends', path: ({ friend }) => `/activities/${friend}/@friends` },
  { name: 'appData @me @self', path: () => '/appData/@me/@self/@app' },
  { name: 'appData friend @self', path: ({ friend }) => `/appData/${friend}/@self/@app` },
  { name: 'appData @me @friends', path: () => '/appData/@me/@friends/@app' },
  { name: 'albums @me @self', path: () => '/albums/@me/@self' },
  { name: 'albums friend @self', path: ({ friend }) => `/albums/${friend}/@self` },
  { name: 'albums @me @friends', path: () => '/albums/@me/@friends' },
  { name: 'media items of @me', path: ({ id }) => `/mediaitems/@me/@self/${id}-1` },
  { name: 'media items of a friend', path: ({ friend }) => `/mediaitems/${friend}/@self/${friend}-1` },
];

/**
 * Measures the cost of large worlds, and whether members of the same degree wait longer in them.
 */
export async function measureScale(): Promise<void> {
  const worlds: ScaleWorld[] = [];
  for (const size of sizes) worlds.push(await scaleWorld(size));
  console.log('\nWorlds');
  printTable(
    [
      'members',
      'friendships',
      'activities',
      'records',
      'generate s',
      'records/s',
      'import s',
      'CPU s',
      'records/s',
      'MB',
    ],
    worlds.map((world) => [
      grouped(world.members),
      grouped(world.friendships),
      grouped(world.activities),
      grouped(world.records),
      world.generateSeconds.toFixed(1),
      grouped(Math.round(world.records / world.generateSeconds)),
      world.importSeconds.toFixed(1),
      world.importCpuSeconds.toFixed(1),
      grouped(Math.round(world.records / world.importSeconds)),
      grouped(Math.round(world.databaseBytes / 1e6)),
    ]),
  );
  const servers: ScaleServer[] = [];
  try {
    // The smallest runs twice: the difference of the two is the noise of this run.
    const sites = [worlds[0] as ScaleWorld, ...worlds];
    for (const world of sites) servers.push(await startScaleServer(world));
    const pairs = sites.map((world, index) => ({ world, server: servers[index] as ScaleServer }));
    for (const degree of [20, 150]) await compare(pairs, degree);
    await longStreams(pairs.filter(({ world }) => world.members >= 100_000));
  } finally {
    for (const server of servers) await server.stop();
  }
}

interface AskedSite {
  readonly world: ScaleWorld;
  readonly server: ScaleServer;
}

async function compare(sites: readonly AskedSite[], degree: number): Promise<void> {
  console.log(
    `\nMembers with ${degree} friends: milliseconds in the smallest world, and the others as multiples of it`,
  );
  const headings = [
    'read',
    'median',
    'p99',
    'A/A',
    ...sites.slice(2).flatMap(({ world }) => [`${grouped(world.members)} median`, 'p99']),
  ];
  const rows: string[][] = [];
  for (const read of reads) {
    const times = await interleaved(sites, read, { degree, rounds });
    const [again, smallest, ...larger] = times.map(summary) as [Summary, Summary, ...Summary[]];
    rows.push([
      read.name,
      smallest.median.toFixed(2),
      smallest.p99.toFixed(2),
      `${(again.median / smallest.median).toFixed(2)} / ${(again.p99 / smallest.p99).toFixed(2)}`,
      ...larger.flatMap(({ median, p99 }) => [
        marked(median / smallest.median, goals.median),
        marked(p99 / smallest.p99, goals.p99),
      ]),
    ]);
  }
  printTable(headings, rows);
  console.log(`goals: median ≤ ${goals.median} ×, p99 ≤ ${goals.p99} ×; ! marks what exceeds them`);
}

async function longStreams(sites: readonly AskedSite[]): Promise<void> {
  console.log('\nFriends’ streams of members with 5,000 friends, page and count, milliseconds through HTTP');
  const rows: string[][] = [];
  for (const read of reads.filter(({ name }) => name.startsWith('activities') && name.includes('@friends'))) {
    const times = (await interleaved(sites, read, { degree: 5_000, rounds })).map(summary);
    rows.push([read.name, ...times.flatMap(({ median, p99 }) => [marked(median, goals.streamMs), p99.toFixed(2)])]);
  }
  printTable(['read', ...sites.flatMap(({ world }) => [`${grouped(world.members)} median`, 'p99'])], rows);
  console.log(`goal: ≤ ${goals.streamMs} ms`);
}

/** Times one read on every site in turn, so that other load on the machine affects all alike. */
async function interleaved(
  sites: readonly AskedSite[],
  read: Asked,
  { degree, rounds: count }: { readonly degree: number; readonly rounds: number },
): Promise<number[][]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times: number[][] = sites.map(() => []);
  for (let round = -3; round < count; round++) {
    for (const [index, site] of sites.entries()) {
      for (const probe of probes(site.world.members).filter(({ friends }) => friends === degree)) {
        const ms = await timeOf(agent, site, { probe, path: read.path(probe) });
        if (round >= 0) times[index]?.push(ms);
      }
    }
  }
  agent.destroy();
  return times;
}

async function timeOf(
  agent: Agent,
  { world, server }: AskedSite,
  { probe, path }: { readonly probe: Probe; readonly path: string },
): Promise<number> {
  const url = new URL(`${server.url}/social/rest${path}`);
  url.searchParams.set('xoauth_requestor_id', probe.id);
  const { authorization } = signRequest({
    method: 'GET',
    url: url.href,
    consumer: world.consumer,
    timestamp: Math.floor(Date.now() / 1000),
    nonce: crypto.randomUUID(),
  });
  const startedMs = performance.now();
  await send(agent, { url: url.href, method: 'GET', headers: { Authorization: authorization } });
  return performance.now() - startedMs;
}

interface Summary {
  readonly median: number;
  readonly p99: number;
}

function summary(times: readonly number[]): Summary {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] as number;
  return { median: at(0.5), p99: at(0.99) };
}

function marked(value: number, limit: number): string {
  return value.toFixed(2) + (value > limit ? ' !' : '');
}

function printTable(headings: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  for (const line of [headings, ...rows]) {
    const [first = '', ...rest] = line;
    const cells = rest.map((cell, index) => cell.padStart(widths[index + 1] as number));
    console.log([first.padEnd(widths[0] as number), ...cells].join('  '));
  }
}
