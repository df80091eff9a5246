import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { main } from '@gantry/cli';
import { grouped } from '@gantry/wire/runtime';
import { type Client, createClient } from '../../bench/durability/client.ts';
import { importSite } from '../../bench/durability/import-site.ts';
import { type ServerProcess, startServerProcess } from '../../bench/durability/server.ts';
import { consumer } from '../../bench/writers-site.ts';
import { freePort } from '../../packages/server/test/free-port.ts';
import { load } from './conditions.ts';
import { binaries } from './patroni-configuration.ts';
import { type Report, seconds } from './report.ts';
import { type PlainServer, startServers } from './servers.ts';

/** The most used calls. */
const calls: readonly (readonly [path: string, body?: object])[] = [
  ['/people/@me/@self'],
  ['/people/@me/@friends'],
  ['/people/@me/@friends?filterBy=hasApp'],
  ['/activities/@me/@self'],
  ['/activities/@me/@friends'],
  ['/appData/@me/@self/@app'],
  ['/appData/@me/@friends/@app'],
  ['/albums/@me/@self'],
  ['/albums/@me/@friends'],
  ['/activities/@me/@self', { title: 'Of this year' }],
];
const clients = 8;
const callsOfEach = 2_000;
const [usualMembers, shortMembers] = [1_000_000, 20_000];

/** Fills a PostgreSQL with a generated world, and measures what a site of that size lives with. */
export async function runYear(
  report: Report,
  {
    isShort,
    members = isShort ? shortMembers : usualMembers,
  }: { readonly isShort: boolean; readonly members?: number },
): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'gantry-year-'));
  const remove = () => rmSync(data, { recursive: true, force: true });
  process.on('exit', remove);
  const { servers, close } = await startServers(1);
  const [server] = servers as [PlainServer];
  const place = ['--data', data, '--database', server.url];
  try {
    const records = await fill({ data, members, place });
    const [counted] = await server.query('select count(*)::int as members from member');
    report.check(`${grouped(members)} members are there`, counted?.members === members ? [] : [`${counted?.members}`]);
    for (const memory of ['128MB', '2GB']) {
      await restartWith(server, memory);
      console.log(`\n${clients} clients, shared_buffers ${memory}, ${load()}`);
      const findings = await measureCalls({ members, place, server });
      report.check(`the ten calls with shared_buffers ${memory}`, findings);
    }
    await describeDisk(server);
    await keep(report, { server, data, records });
  } finally {
    close();
    remove();
  }
}

/** Generates and imports. Resolves with the number of records. */
async function fill(options: {
  readonly data: string;
  readonly members: number;
  readonly place: readonly string[];
}): Promise<number> {
  const { data, members, place } = options;
  const file = join(data, 'world.jsonl');
  await gantry(['generate', '--members', String(members), '--out', file]);
  const records = Number(execFileSync('wc', ['-l', file], { encoding: 'utf8' }).split(' ')[0]);
  const startedAtMs = performance.now();
  await gantry(['import', file, ...place]);
  const tookMs = performance.now() - startedAtMs;
  rmSync(file);
  await importSite(data, { consumers: [{ ...consumer, kind: 'app', appId: 'notes' }] }, place);
  await gantry(['settings', 'set', 'rateLimit', '0', ...place]);
  await gantry(['settings', 'set', 'minimumInterval', '0', ...place]);
  const rate = grouped(Math.round(records / (tookMs / 1_000)));
  console.log(`\n${grouped(records)} records imported in ${seconds(tookMs)}, ${rate} a second, ${load()}`);
  return records;
}

async function gantry(args: readonly string[]): Promise<void> {
  const lines: string[] = [];
  const code = await main(args, {}, { out: () => {}, err: (line: string) => lines.push(line) });
  if (code !== 0) throw new Error(`gantry ${args.join(' ')}: ${lines.join('\n')}`);
}

async function restartWith(server: PlainServer, memory: string): Promise<void> {
  await server.query(`alter system set shared_buffers = '${memory}'`);
  await server.query('checkpoint');
  server.kill();
  await server.start();
}

/** Asks each call of random members. Resolves with answers that are none. */
async function measureCalls(options: {
  readonly members: number;
  readonly place: readonly string[];
  readonly server: PlainServer;
}): Promise<readonly string[]> {
  const { members, place, server } = options;
  const ids = await someMembers(server, Math.min(members, callsOfEach));
  const port = await freePort();
  const site: ServerProcess = await startServerProcess({ port, args: place });
  const asking = Array.from({ length: clients }, () => createClient(`http://127.0.0.1:${port}`));
  const findings: string[] = [];
  try {
    for (const [path, body] of calls) {
      const tookMs: number[] = [];
      await Promise.all(asking.map((client, index) => ask(client, index, { path, body })));
      console.log(`  ${body ? 'POST' : 'GET'} ${path}: p50 ${at(tookMs, 0.5)}, p99 ${at(tookMs, 0.99)}`);

      async function ask(
        client: Client,
        first: number,
        call: { readonly path: string; readonly body: object | undefined },
      ): Promise<void> {
        const [pathname = '', search = ''] = call.path.split('?');
        const query = { count: '20', ...Object.fromEntries(new URLSearchParams(search)) };
        for (let index = first; index < ids.length; index += clients) {
          const startedAtMs = performance.now();
          const { reply } = await client.ask({
            ...(call.body ? { method: 'POST', body: call.body } : { method: 'GET', query }),
            ...{ path: pathname, memberId: ids[index] as string },
          });
          if (reply.status !== 200) findings.push(`${path} was answered ${reply.status}: ${reply.text.slice(0, 200)}`);
          tookMs.push(performance.now() - startedAtMs);
        }
      }
    }
  } finally {
    for (const client of asking) client.close();
    await site.kill();
  }
  return findings;
}

/** Finds members with the app, all over the table, as those who use it at the same time are. */
async function someMembers(server: PlainServer, count: number): Promise<readonly string[]> {
  const rows = await server.query(`
    select member_id as id from member_app where app_id = 'notes' order by md5(member_id) limit ${count}`);
  return rows.map(({ id }) => String(id));
}

function at(values: readonly number[], part: number): string {
  const sorted = values.toSorted((a, b) => a - b);
  return `${(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0).toFixed(1)} ms`;
}

async function describeDisk(server: PlainServer): Promise<void> {
  const rows = await server.query(`
    select relname as name, pg_relation_size(oid) as rows, pg_indexes_size(oid) as indexes, pg_total_relation_size(oid) as total
    from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace
    order by pg_total_relation_size(oid) desc limit 8`);
  console.log('\nDisk: rows, indexes');
  for (const { name, rows: own, indexes } of rows) {
    console.log(`  ${String(name)}: ${megabytes(own)}, ${megabytes(indexes)}`);
  }
  const [whole] = await server.query('select pg_database_size(current_database()) as bytes');
  console.log(`  together: ${megabytes(whole?.bytes)}`);
}

/** Vacuums, backs up and restores. */
async function keep(
  report: Report,
  { server, data, records }: { readonly server: PlainServer; readonly data: string; readonly records: number },
): Promise<void> {
  const file = join(data, 'site.dump');
  const restored = server.url.replace(/gantry$/, 'restored');
  const steps: readonly (readonly [title: string, work: () => unknown])[] = [
    ['vacuum (analyze)', () => server.query('vacuum (analyze)')],
    ['pg_dump -Fc', () => execFileSync(`${binaries}/pg_dump`, ['-Fc', '-f', file, server.url])],
    ['create database', () => server.query('create database restored owner gantry')],
    ['pg_restore -j 2', () => execFileSync(`${binaries}/pg_restore`, ['-j', '2', '--no-owner', '-d', restored, file])],
  ];
  console.log('');
  for (const [title, work] of steps) {
    const startedAtMs = performance.now();
    await work();
    console.log(`  ${title}: ${seconds(performance.now() - startedAtMs)}, ${load()}`);
  }
  console.log(`  the backup of ${grouped(records)} records: ${megabytes(statSync(file).size)}`);
  const tables = ['member', 'friendship', 'activity'];
  const count = `select ${tables.map((table) => `(select count(*) from ${table}) as ${table}`).join()}`;
  const counts = (url: string) => execFileSync(`${binaries}/psql`, ['-Atc', count, url], { encoding: 'utf8' });
  const [before, after] = [counts(server.url), counts(restored)];
  report.check('the restored database has the same rows', before === after ? [] : [before, after]);
}

const megabytes = (bytes: unknown): string => `${grouped(Math.round(Number(bytes) / 1e6))} MB`;
