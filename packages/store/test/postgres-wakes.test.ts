import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { changeLog, createChangeFeed, type Database, sql } from '@gantry/store';
import pg from 'pg';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { createWakes } from '../src/postgres-wakes.ts';
import { createSchema, type Schema } from './postgres.ts';

const log = changeLog(sql`change_log`);
const change = log.add({ topic: 'people', memberId: 'ada', appId: undefined });

let schema: Schema;
beforeEach(async () => {
  schema = await createSchema();
  onTestFinished(() => schema.remove());
});

/** A process on the schema: its connections, and how often it was woken. */
function openProcess(): { readonly db: Database; readonly woken: () => number } {
  const db = schema.connect();
  let times = 0;
  const stop = db.wakes?.listen(() => times++);
  onTestFinished(() => db.close());
  onTestFinished(() => stop?.());
  return { db, woken: () => times };
}

const alive = ({ db }: { readonly db: Database }) => expect.poll(() => db.wakes?.isAlive).toBe(true);

/** Ends the listening connections as the server does when it restarts. */
async function dropListeners(): Promise<void> {
  const client = new pg.Client(schema.url);
  await client.connect();
  await client.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where pid <> pg_backend_pid() and query like '%notify gantry_' || (
      select oid from pg_namespace where nspname = current_schema()) || '%'`);
  await client.end();
}

test('an announcement wakes the other processes once, and not its own (ADR 94)', async () => {
  const [one, two, three] = [openProcess(), openProcess(), openProcess()];
  await Promise.all([one, two, three].map(alive));
  for (let writes = 0; writes < 50; writes++) one.db.wakes?.notify(); // within the same few milliseconds
  await expect.poll(() => [one.woken(), two.woken(), three.woken()]).toEqual([0, 1, 1]);
});

test('processes on another schema are not woken', async () => {
  const elsewhere = await createSchema();
  const other = elsewhere.connect();
  onTestFinished(() => elsewhere.remove());
  onTestFinished(() => other.close());
  const [one, two] = [openProcess(), openProcess()];
  await Promise.all([one, two].map(alive));
  other.wakes?.notify();
  await other.close(); // sends what waits
  one.db.wakes?.notify();
  await expect.poll(two.woken).toBe(1);
});

test('an announcement before closing arrives', async () => {
  const [one, two] = [openProcess(), openProcess()];
  await alive(two);
  one.db.wakes?.notify();
  await one.db.close();
  await expect.poll(two.woken).toBe(1);
});

test('a process that closes its database ends by itself, though the server leaves the connection open', async () => {
  const { hostname, port } = new URL(schema.url);
  const relay = createServer({ allowHalfOpen: true }, (client) => {
    const server = connect(Number(port), hostname);
    client.pipe(server, { end: false }).pipe(client);
    for (const end of [client, server]) end.on('error', () => {});
    onTestFinished(() => void server.destroy());
  }).listen(0, '127.0.0.1');
  await once(relay, 'listening');
  onTestFinished(() => void relay.close());
  const url = new URL(schema.url);
  url.port = String((relay.address() as AddressInfo).port);
  const code = `import { openPostgres } from '@gantry/store';
    const db = openPostgres({ url: process.env.DATABASE });
    db.wakes.listen(() => {});
    while (!db.wakes.isAlive) await new Promise((resolve) => setTimeout(resolve, 10));
    await db.close();`;
  const child = spawn(process.execPath, ['--conditions=@gantry/source', '--input-type=module', '-e', code], {
    ...{ cwd: import.meta.dirname, stdio: 'inherit' },
    env: { ...process.env, DATABASE: url.href },
  });
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('a connection that is lost is made again, and is not alive until it is', async () => {
  const [one, two] = [openProcess(), openProcess()];
  await Promise.all([one, two].map(alive));
  await dropListeners();
  await expect.poll(() => two.db.wakes?.isAlive).toBe(false);
  await expect.poll(() => two.db.wakes?.isAlive).toBe(true);
  await alive(one);
  one.db.wakes?.notify();
  await expect.poll(two.woken).toBe(1);
});

test('a connection whose beat has not come back for two seconds is not alive', async () => {
  const clock = { nowMs: 1_000 };
  let beat = () => {};
  const client = new pg.Client(schema.url);
  const wakes = createWakes({
    connect: () => client.connect().then(() => client),
    now: () => clock.nowMs,
    every(tick) {
      beat = tick;
      return () => {};
    },
  });
  onTestFinished(() => wakes.close());
  wakes.listen(() => {});
  await expect.poll(() => wakes.isAlive).toBe(true);
  clock.nowMs += 2_000;
  expect(wakes.isAlive).toBe(true);
  clock.nowMs += 1;
  expect(wakes.isAlive).toBe(false);
  beat();
  await expect.poll(() => wakes.isAlive).toBe(true);
});

test('through a pooler without an address of its own there is none', async () => {
  const wakes = createWakes({ connect: async () => undefined });
  onTestFinished(() => wakes.close());
  wakes.listen(() => {});
  wakes.notify();
  await wakes.close();
  expect(wakes.isAlive).toBe(false);
});

/** A feed whose timer is silent but for `tick`, and what its listener received. */
function openFeed(db: Database, wakes: Database['wakes']) {
  const clock = { nowMs: 0 };
  let tick = () => {};
  let received = 0;
  const feed = createChangeFeed({
    db,
    log,
    wakes,
    now: () => clock.nowMs,
    every(work) {
      tick = work;
      return () => {};
    },
  });
  onTestFinished(feed.listen(({ changes }) => (received += changes.length)));
  return { feed, clock, tick: () => tick(), received: () => received };
}

test('a feed reads what another process announces without its timer', async () => {
  const [one, two] = [openProcess(), openProcess()];
  await one.db.batch([log.create]);
  const { feed, received } = openFeed(two.db, two.db.wakes);
  const control = openFeed(two.db, undefined);
  await Promise.all([feed.catchUp(), control.feed.catchUp(), alive(two), alive(one)]);
  await one.db.query(change);
  one.db.wakes?.notify();
  await expect.poll(received).toBe(1);
  expect(control.received()).toBe(0); // its timer has not ticked
});

test('while announcements arrive the timer reads every two seconds, else each time', async () => {
  const { db } = openProcess();
  await db.batch([log.create]);
  let isAlive = true;
  let reads = 0;
  const counted: Database = {
    ...db,
    query: (statement) => {
      reads += 1;
      return db.query(statement);
    },
  };
  const wakes = {
    notify() {},
    listen: () => () => {},
    get isAlive() {
      return isAlive;
    },
  };
  const { feed, clock, tick, received } = openFeed(counted, wakes);
  await feed.catchUp();
  const before = reads;
  await db.query(change); // and its announcement is lost
  clock.nowMs = 1_999;
  tick();
  expect(reads).toBe(before);
  clock.nowMs = 2_000;
  tick();
  await expect.poll(received).toBe(1);
  const later = reads;
  isAlive = false;
  await db.query(change);
  clock.nowMs = 2_001;
  tick();
  await expect.poll(received).toBe(2);
  expect(reads).toBe(later + 1);
});
