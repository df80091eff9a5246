import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { saveRecords } from '@gantry/service';
import { openPostgres } from '@gantry/store';
import { type Client, createClient } from '../../bench/durability/client.ts';
import { load } from './conditions.ts';
import { type Distribution, distribute, friendships, refusals, withPosts } from './distribute.ts';
import { memberIds, world } from './replicas-world.ts';
import { type Report, seconds } from './report.ts';
import { runTests } from './run-tests.ts';
import { type PlainServer, type PlainServers, startServers } from './servers.ts';
import { createSite } from './site.ts';

const { activities, ...withoutActivities } = world;
const reads: readonly (readonly [title: string, path: string])[] = [
  ['friends', '/people/@me/@friends'],
  ["friends' activities", '/activities/@me/@friends'],
  ['own activities', '/activities/@me/@self'],
  ['profile', '/people/@me/@self'],
];
const readsOfEach = 200;
const handlers = 'packages/service/test/handlers';

/** Spreads a site over three servers. */
export async function runSharding(report: Report, { isShort }: { readonly isShort: boolean }): Promise<void> {
  if (!isShort) await onServers(1, {}, (servers) => measure(servers, 'one server'));
  await onServers(3, friendships, async (servers) => {
    const [first] = servers.servers as [PlainServer];
    console.log('\nPartitions over postgres_fdw, friendships and blocks on three servers');
    for (const refusal of await refusals(first)) console.log(`    ${refusal}`);
    const env = { GANTRY_TEST_SHARDS: first.url };
    const files = ['grid', 'people', 'visibility'].map((name) => `${handlers}/${name}.test.ts`);
    const { passed, failures } = await runTests({ files, named: 'in shards', env });
    report.check(
      `${passed} tests: thirty rows, people, the matrix of visibility`,
      passed > 0 ? failures : ['none ran'],
    );
  });
  await onServers(3, withPosts, async (servers) => {
    await measure(servers, 'three servers, activities too');
    console.log(`  ${await tearFriendships(servers, killRepeatedly)}, after kills of a server while they were made`);
    console.log(`  ${await tearFriendships(servers, refuseCommits)}, where one server refuses to commit`);
  });
}

async function onServers(
  count: number,
  tables: Distribution,
  work: (servers: PlainServers) => Promise<void>,
): Promise<void> {
  const servers = await startServers(count);
  try {
    if (count > 1) await distribute(servers, tables);
    await work(servers);
  } finally {
    servers.close();
  }
}

/** Imports, posts, reads, and takes a server away. */
async function measure({ servers }: PlainServers, title: string): Promise<void> {
  const [first] = servers as [PlainServer];
  const importedAtMs = performance.now();
  const site = await createSite(first.url, withoutActivities);
  console.log(`\n${title}: imported in ${seconds(performance.now() - importedAtMs)}, ${load()}`);
  const processes = await site.start();
  const client = createClient(`http://127.0.0.1:${processes.ports[0]}`);
  try {
    const postedAtMs = performance.now();
    for (const memberId of memberIds) {
      const body = { title: `Of member ${memberId}` };
      const { reply } = await client.ask({ method: 'POST', path: '/activities/@me/@self', memberId, body });
      if (reply.status !== 200) throw new Error(`A post was answered ${reply.status}: ${reply.text}`);
    }
    console.log(`  a post: ${((performance.now() - postedAtMs) / memberIds.length).toFixed(1)} ms`);
    for (const [what, path] of reads) console.log(`  ${what}: p50 ${(await medianOf(client, path)).toFixed(1)} ms`);
    const last = servers.at(-1);
    if (last === undefined || last === first) return;
    last.kill();
    for (const [what, path] of reads) console.log(`  ${what}, one server down: ${await answered(client, path)}`);
    console.log(`  posts, one server down: ${await answered(client, '/activities/@me/@self', { title: 'Down' })}`);
    await last.start();
    await pause(1_000);
    console.log(`  friends, and it is back: ${await answered(client, '/people/@me/@friends')}`);
  } finally {
    client.close();
    await processes.stop();
    site.remove();
  }
}

async function medianOf(client: Client, path: string): Promise<number> {
  const tookMs: number[] = [];
  for (let index = 0; index < readsOfEach; index++) {
    const startedAtMs = performance.now();
    const memberId = memberIds[index] as string;
    const { reply } = await client.ask({ method: 'GET', path, memberId, query: { count: '20' } });
    if (reply.status !== 200) throw new Error(`${path} was answered ${reply.status}: ${reply.text}`);
    tookMs.push(performance.now() - startedAtMs);
  }
  return tookMs.sort((a, b) => a - b)[Math.floor(readsOfEach / 2)] ?? 0;
}

/** Returns how many members get which status, as text. */
async function answered(client: Client, path: string, body?: object): Promise<string> {
  const counts = new Map<number, number>();
  for (const memberId of memberIds.slice(0, 60)) {
    const method = body ? 'POST' : 'GET';
    const { status } = (await client.ask({ method, path, memberId, ...(body && { body }) })).reply;
    counts.set(status, (counts.get(status) ?? 0) + 1);
  }
  return [...counts].map(([status, count]) => `${count} × ${status}`).join(', ');
}

/** Makes friendships while something happens to a server. Resolves with the count of torn ones. */
async function tearFriendships(
  { servers }: PlainServers,
  happens: (server: PlainServer) => Promise<void>,
): Promise<string> {
  const [first] = servers as [PlainServer];
  const db = openPostgres({ url: first.url });
  const options = { mediaFolder: tmpdir(), secretKey: new Uint8Array(32), nowMs: Date.now(), random: randomBytes };
  await first.query('truncate friendship');
  let tried = 0;
  let isOver = false;
  async function befriend(start: number): Promise<void> {
    for (let step = 1; !isOver && step < memberIds.length / 2; step++) {
      for (let index = start; index < memberIds.length && !isOver; index += 8) {
        const members = [memberIds[index], memberIds[(index + step) % memberIds.length]] as [string, string];
        tried++;
        await saveRecords(db, [{ kind: 'friendship', members }], options).catch(() => pause(20));
      }
    }
  }
  const making = Array.from({ length: 8 }, (_, start) => befriend(start));
  await happens(servers[1] as PlainServer); // the last to commit of the others
  isOver = true;
  await Promise.all(making);
  await db.close();
  const [row] = await first.query(`
    select count(*)::int as half from friendship one where not exists
      (select 1 from friendship other where other.member_id = one.friend_id and other.friend_id = one.member_id)`);
  return `${row?.half} of ${tried} friendships are there by half`;
}

async function killRepeatedly(server: PlainServer): Promise<void> {
  for (let kill = 0; kill < kills; kill++) {
    await pause(300);
    server.kill();
    await pause(100);
    await server.start();
  }
}

/** Makes every commit of friendships fail there, as a full disk or a broken connection may. */
async function refuseCommits(server: PlainServer): Promise<void> {
  await server.query(`
    create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
    create constraint trigger refused after insert on friendship deferrable initially deferred
      for each row execute function refuse()`);
  await pause(5_000);
}

const kills = 15;
