import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqlite, sql } from '@gantry/store';
import { afterEach, describe, expect, test } from 'vitest';
import { createSchema } from '../../../store/test/postgres.ts';
import { openNonceLog } from '../../src/auth/nonce-log.ts';
import { type Nonces, type NoncesOptions, openNonces } from '../../src/auth/nonces.ts';

const bootedAt = 1_800_000_000;
const now = () => (bootedAt + 1_000) * 1000;
const boot = { id: 'boot-1', startedAt: bootedAt };
const use = { consumerKey: 'k', token: '', timestamp: bootedAt + 1_000, nonce: 'n' };

type Open = (options: NoncesOptions) => Promise<Nonces>;
const newPath = (name: string) => join(mkdtempSync(join(tmpdir(), 'gantry-nonces-')), name);

/** Each call of `newStore` makes a store; each call of its result opens it as another process. */
const variants: readonly { readonly name: string; readonly newStore: () => Open }[] = [
  {
    name: 'a log in a folder',
    newStore: () => {
      const folder = newPath('nonces');
      return (options) => openNonceLog(folder, options);
    },
  },
  {
    name: 'a table',
    newStore: () => {
      const file = newPath('nonces.db');
      return (options) => openNonces(openSqlite({ file, sync: 'normal' }), options);
    },
  },
  {
    name: 'a table in PostgreSQL',
    newStore: () => {
      const schema = createSchema();
      return async (options) => openNonces((await schema).connect({ sync: 'normal' }), options);
    },
  },
];

describe.each(variants)('nonces in $name', ({ newStore }) => {
  const opened: Nonces[] = [];
  const opener = (): Open => {
    const open = newStore();
    return async (options) => {
      const nonces = await open(options);
      opened.push(nonces);
      return nonces;
    };
  };
  afterEach(() => Promise.all(opened.splice(0).map((nonces) => nonces.close())));

  test('a nonce counts once per consumer, token and timestamp (contract §5)', async () => {
    const nonces = await opener()({ now, boot });
    expect(await nonces.consume(use)).toBe('fresh');
    expect(await nonces.consume(use)).toBe('used');
    for (const other of [{ consumerKey: 'l' }, { token: 't' }, { timestamp: use.timestamp + 1 }, { nonce: 'm' }]) {
      expect(await nonces.consume({ ...use, ...other })).toBe('fresh');
    }
  });

  test('names and values cannot be shifted into one another', async () => {
    const nonces = await opener()({ now, boot });
    expect(await nonces.consume({ ...use, consumerKey: 'a', token: 'b', nonce: 'c' })).toBe('fresh');
    expect(await nonces.consume({ ...use, consumerKey: 'a","b', token: '', nonce: 'c' })).toBe('fresh');
    expect(await nonces.consume({ ...use, consumerKey: 'ab', token: '', nonce: 'c' })).toBe('fresh');
  });

  test('used nonces stay used after a restart (security rule 22)', async () => {
    const open = opener();
    expect(await (await open({ now, boot })).consume(use)).toBe('fresh');
    expect(await (await open({ now, boot })).consume(use)).toBe('used');
  });

  test('thousands are distinct, and all of them are used after a restart', async () => {
    const open = opener();
    const uses = Array.from({ length: 5_000 }, (_, index) => ({ ...use, nonce: `n${index}` }));
    const verdicts = async (nonces: Nonces) => new Set(await Promise.all(uses.map((one) => nonces.consume(one))));
    const first = await open({ now, boot });
    expect(await verdicts(first)).toEqual(new Set(['fresh']));
    expect(await verdicts(first)).toEqual(new Set(['used']));
    expect(await verdicts(await open({ now, boot }))).toEqual(new Set(['used']));
  });

  test('a nonce that several processes receive at once is fresh in one (contract §5)', async () => {
    const open = opener();
    const processes = await Promise.all([1, 2, 3, 4].map(() => open({ now, boot })));
    for (let round = 0; round < 50; round++) {
      const once = { ...use, nonce: `round ${round}` };
      const verdicts = await Promise.all([...processes, ...processes].map((nonces) => nonces.consume(once)));
      expect(verdicts.toSorted()).toEqual(['fresh', ...Array(7).fill('used')]);
    }
  });

  test('after a boot, timestamps from before it are refused: its nonces may be lost (ADR 4)', async () => {
    const open = opener();
    await open({ now, boot });
    const nonces = await open({ now, boot: { id: 'boot-2', startedAt: bootedAt + 900 } });
    expect(await nonces.consume({ ...use, timestamp: bootedAt + 899 })).toBe('too old');
    expect(await nonces.consume({ ...use, timestamp: bootedAt + 900 })).toBe('fresh');
  });

  test('a restart of the process in the same boot forgets nothing and refuses nothing (the control)', async () => {
    const open = opener();
    await open({ now, boot });
    const nonces = await open({ now, boot });
    expect(await nonces.consume({ ...use, timestamp: bootedAt - 100 })).toBe('fresh');
  });

  test('a second restart in the new boot still refuses what is older than it', async () => {
    const open = opener();
    for (const id of ['boot-1', 'boot-2', 'boot-2']) await open({ now, boot: { id, startedAt: bootedAt + 900 } });
    const nonces = await open({ now, boot: { id: 'boot-2', startedAt: bootedAt + 900 } });
    expect(await nonces.consume({ ...use, timestamp: bootedAt + 899 })).toBe('too old');
  });

  test('a nonce is remembered for as long as its timestamp is accepted', async () => {
    const clock = { ms: now() };
    const nonces = await opener()({ now: () => clock.ms, boot });
    await nonces.consume(use);
    clock.ms += 300_000; // the oldest that is still timely
    await nonces.consume({ ...use, timestamp: use.timestamp + 300 });
    expect(await nonces.consume(use)).toBe('used');
  });
});

test.each([40, 300])(
  'a machine whose clock is %d s ahead deletes no nonce that another still accepts',
  async (aheadS) => {
    const db = openSqlite({ file: ':memory:' });
    const clock = { ms: now() };
    const right = await openNonces(db, { now: () => clock.ms, boot });
    const ahead = await openNonces(db, { now: () => clock.ms + aheadS * 1_000, boot });
    expect(await right.consume(use)).toBe('fresh');
    clock.ms += 300_000;
    expect(await ahead.consume({ ...use, timestamp: use.timestamp + 300 })).toBe('fresh');
    await ahead.close(); // it has deleted what it deletes
    expect(await right.consume(use)).toBe('used');
  },
);

test('a nonce is deleted from the table when no machine accepts it (the control)', async () => {
  const db = openSqlite({ file: ':memory:' });
  for (const seconds of [0, 602]) {
    const nonces = await openNonces(db, { now: () => now() + seconds * 1_000, boot });
    await nonces.consume({ ...use, timestamp: use.timestamp + seconds });
    await nonces.close();
  }
  expect(await db.query(sql`select timestamp_s from nonce`)).toEqual([{ timestamp_s: use.timestamp + 602 }]);
});

test('files of the log go when no timestamp in them can be accepted', async () => {
  const folder = newPath('nonces');
  const clock = { ms: now() };
  const nonces = await openNonceLog(folder, { now: () => clock.ms, boot });
  const logs = () => readdirSync(folder).filter((name) => name.endsWith('.log'));
  await nonces.consume(use);
  expect(logs()).toEqual([`${use.timestamp - (use.timestamp % 300)}.log`]);
  clock.ms += 700_000;
  await nonces.consume({ ...use, timestamp: use.timestamp + 700 });
  expect(logs()).toEqual([`${use.timestamp + 700 - ((use.timestamp + 700) % 300)}.log`]);
  await nonces.close();
});

/** A database whose server says of itself what a test sets. */
async function newServer(nowMs?: number) {
  const db = openSqlite({ file: ':memory:' });
  await db.batch([
    sql`create table server (start_ms bigint, timeline text)`,
    sql`insert into server values (${bootedAt * 1000}, '00000001')`,
  ]);
  const server = {
    startMs: sql`(select start_ms from server)`,
    timeline: sql`(select timeline from server)`,
    ...(nowMs !== undefined && { nowMs: sql`${nowMs}` }),
  };
  return {
    open: (timed: NoncesOptions = { now }) => openNonces(db, { ...timed, server }),
    startAt: (seconds: number) => db.query(sql`update server set start_ms = ${seconds * 1000}`),
    takeOver: () => db.query(sql`update server set timeline = '00000002'`),
  };
}

test('a database server that starts anew while we run is noticed before anything is called fresh', async () => {
  const { open, startAt } = await newServer();
  const nonces = await open();
  expect(await nonces.consume({ ...use, timestamp: bootedAt + 899 })).toBe('fresh');
  await startAt(bootedAt + 900);
  expect(await nonces.consume({ ...use, timestamp: bootedAt + 899, nonce: 'm' })).toBe('too old');
  expect(await nonces.consume({ ...use, timestamp: bootedAt + 900, nonce: 'm' })).toBe('fresh');
});

test('of a standby that takes over, timestamps from before are refused, though it was started long ago', async () => {
  const { open, takeOver } = await newServer();
  const nonces = await open();
  expect(await nonces.consume({ ...use, timestamp: bootedAt + 999 })).toBe('fresh');
  await takeOver();
  for (const store of [nonces, await open()]) {
    expect(await store.consume({ ...use, timestamp: bootedAt + 999, nonce: 'm' })).toBe('too old');
    expect(await store.consume({ ...use, nonce: crypto.randomUUID() })).toBe('fresh');
  }
});

test('a machine whose clock is slow dates a takeover by the server’s clock, before which nonces may be lost', async () => {
  const slow = { now: () => now() - 40_000 };
  const lost = { ...use, timestamp: bootedAt + 990 };
  const verdicts = async (server: Awaited<ReturnType<typeof newServer>>) => {
    const running = await server.open(slow);
    await server.takeOver();
    return [await running.consume(lost), await (await server.open(slow)).consume(lost)];
  };
  expect(await verdicts(await newServer(now()))).toEqual(['too old', 'too old']);
  expect(await verdicts(await newServer())).toEqual(['fresh', 'used']); // positive control: by its own clock
});

test('a process that starts after the takeover refuses the same', async () => {
  const { open, takeOver } = await newServer();
  await open();
  await takeOver();
  const nonces = await open();
  expect(await nonces.consume({ ...use, timestamp: bootedAt + 999 })).toBe('too old');
});

test('a record holds 16 bytes of SHA-256, which processes of other versions compare (decision 41)', async () => {
  const folder = newPath('nonces');
  const nonces = await openNonceLog(folder, { now, boot });
  await nonces.consume(use);
  await nonces.close();
  const text = '[1800001000,"k","","n"]';
  const digest = createHash('sha256').update(text).digest().subarray(0, 16);
  expect(readFileSync(join(folder, '1800000900.log')).subarray(0, 16)).toEqual(digest);
});
