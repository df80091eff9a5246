import type { Database, Row, Statement } from '@gantry/store';
import { maxAnswerBytes, type OperationId } from '@gantry/wire';
import { createGate } from '@gantry/wire/runtime';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { growth, mostGrowth } from '../../wire/test/growth.ts';
import { appDataFields } from '../src/fields/app-data.ts';
import { jsonParts } from '../src/formats/json.ts';
import { joinWithin } from '../src/formats/parts.ts';
import { writeResult } from '../src/formats/write-result.ts';
import { createReadGate, type Read } from '../src/read-gate.ts';
import { databases } from './databases.ts';
import { type RpcReply, rpc } from './rpc-client.ts';
import { openSite, type Site, village } from './site.ts';

const tooLarge = `An answer has at most ${maxAnswerBytes} bytes, all calls of a batch together: ask for less, or page with count and startIndex.`;

/** Wraps a database and counts the bytes that it returns. */
function counted(db: Database): { readonly db: Database; bytes: number; rows: number; statements: number } {
  const count = { bytes: 0, rows: 0, statements: 0 };
  const taken = <R extends readonly unknown[]>(rows: R): R => {
    count.statements++;
    count.rows += rows.length;
    for (const row of rows as readonly Row[])
      for (const value of Object.values(row)) if (typeof value === 'string') count.bytes += Buffer.byteLength(value);
    return rows;
  };
  return Object.assign(count, {
    db: {
      ...db,
      query: async <R>(statement: Statement) => taken(await db.query<R>(statement)),
      batch: async (statements: readonly Statement[]) => (await db.batch(statements)).map(taken),
    },
  });
}

const friends = Array.from({ length: 60 }, (_, index) => String(1_000 + index));

/** Opens a site where each of Ann's 60 friends has this much AppData. */
async function openCrowd(
  open: () => Promise<Database>,
  data: object,
): Promise<Site & { count: ReturnType<typeof counted> }> {
  let count: ReturnType<typeof counted> | undefined;
  const site = await openSite(
    async () => {
      count = counted(await open());
      return count.db;
    },
    {
      ...village,
      members: [...village.members, ...friends.map((id) => ({ id, displayName: id }))],
      friendships: friends.map((id) => ['1', id]),
      installs: ['1', ...friends].map((memberId) => ({ appId: 'notes', memberId })),
      appData: friends.map((memberId) => ({ appId: 'notes', memberId, data })),
    },
  );
  Object.assign(count as object, { bytes: 0, rows: 0, statements: 0 });
  return Object.assign(site, { count: count as ReturnType<typeof counted> });
}

const ofFriends = '/appData/@me/@friends/@app';

describe.each(databases)('bounds of answers on $name', ({ open }) => {
  test('AppData beyond 4,000,000 bytes is refused before it leaves the database, and paged it is read (contract §8 Bounds, security rule 25)', async () => {
    const site = await openCrowd(open, { v: 'x'.repeat(90_000), w: 'w' });
    const reply = await site.get(ofFriends);
    expect([reply.status, reply.json.error?.message]).toEqual([413, tooLarge]);
    const xml = await site.get(`${ofFriends}?format=xml`);
    expect([xml.status, xml.text.includes('<code>413</code>')]).toEqual([413, true]);
    const ofList = await site.get(`/appData/${friends.join()}/@self/@app`);
    expect([ofList.status, ofList.json.error?.message]).toEqual([413, tooLarge]);
    expect(site.count.bytes).toBeLessThan(100_000);

    const pages = ['count=30', 'count=30&startIndex=30'].map((query) => site.get(`${ofFriends}?${query}`));
    const memberIds = (await Promise.all(pages)).flatMap(({ json }) => Object.keys(json.entry as object));
    expect(memberIds).toEqual(friends);
    expect(site.count.bytes).toBeGreaterThan(5_000_000); // control: what is not refused is counted
    expect((await site.get(`${ofFriends}?fields=w`)).json.entry).toEqual(
      Object.fromEntries(friends.map((id) => [id, { w: 'w' }])),
    );
    expect((await site.get(`${ofFriends}?fields=v`)).status).toBe(413);
    expect((await site.get(`${ofFriends}?fields=none`)).json.entry).toEqual({});
  });

  test('many keys are refused like many bytes (security rule 25)', async () => {
    const keys = Object.fromEntries(Array.from({ length: 900 }, (_, index) => [`k${index}`, '']));
    const site = await openCrowd(open, keys);
    expect((await site.get(ofFriends)).status).toBe(413); // 54,000 keys, though only 600 kB
    expect(site.count.rows).toBeLessThan(100);
    expect((await site.get(`${ofFriends}?count=50`)).status).toBe(200);
    expect(site.count.rows).toBeGreaterThan(45_000); // control
  });

  test('a write of any number of keys is one insert (security rule 25)', async () => {
    const site = await openCrowd(open, {});
    const statements = async (keys: number) => {
      site.count.statements = 0;
      const body = Object.fromEntries(Array.from({ length: keys }, (_, index) => [`k${index}`, 'v']));
      const { status } = await site.send({ method: 'POST', path: '/appData/@me/@self/@app', body });
      expect(status).toBe(200);
      return site.count.statements;
    };
    await statements(1); // the first request also fills caches
    expect(await statements(1_000)).toBe(await statements(1));
  });

  test('a batch shares 4,000,000 bytes; beyond them the rest is refused, and neither read nor written (contract §8 Bounds)', async () => {
    const site = await openCrowd(open, { v: 'x'.repeat(30_000) });
    const reads = Array.from({ length: 30 }, (_, index) => ({
      method: 'appdata.get',
      id: `r${index}`,
      params: { groupId: '@friends' },
    }));
    const write = { method: 'appdata.update', id: 2 ** 53, params: { data: { a: 'b' } } };
    const { text } = await rpc(site, [...reads, write]);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxAnswerBytes);
    const replies = JSON.parse(text) as readonly RpcReply[];
    expect(replies.map(({ id }) => id)).toEqual([...reads.map(({ id }) => id), 2 ** 53]);
    expect(replies.map(({ error }) => error?.code ?? 200)).toEqual([200, 200, ...new Array(29).fill(413)]);
    expect(replies[30]?.error).toEqual({ code: 413, message: tooLarge, data: { reason: 'TOO_LARGE' } });
    expect(site.count.bytes).toBeLessThan(3 * 2_000_000);
    expect((await site.get('/appData/@me/@self/@app')).json.entry).toEqual({ 1: {} });
  });
});

test('bounds count an answer after escaping, in each format (contract §8 Bounds)', async () => {
  const site = await openCrowd(databases[0]?.open as () => Promise<Database>, { v: '"\u0001'.repeat(20_000) });
  const sizes: Record<string, number> = {};
  for (const format of ['json', 'xml', 'atom']) {
    expect((await site.get(`${ofFriends}?format=${format}`)).status).toBe(413);
    const page = await site.get(`${ofFriends}?format=${format}&count=20`);
    expect(page.status).toBe(200);
    sizes[format] = Buffer.byteLength(page.text);
  }
  expect(site.count.bytes / 3 / 80).toBeLessThan(50_000); // each read alone is within the bound, unescaped
  for (const size of Object.values(sizes)) expect(size).toBeLessThanOrEqual(maxAnswerBytes);
  expect(sizes.json).toBeGreaterThan(3_000_000);
});

test('for random batches each id is answered in order, within the bound (security rule 25)', async () => {
  const site = await openCrowd(databases[0]?.open as () => Promise<Database>, { v: 'é\u0001'.repeat(7_000), s: 's' });
  const id = fc.oneof(fc.string({ maxLength: 20, unit: 'grapheme' }), fc.integer(), fc.constant('x'.repeat(9_000)));
  const call = fc.oneof(
    fc.record({
      method: fc.constant('appdata.get'),
      id,
      params: fc.record({ groupId: fc.constant('@friends'), count: fc.integer({ min: 1, max: 60 }) }),
    }),
    fc.record({ method: fc.constant('people.get'), id, params: fc.record({ groupId: fc.constant('@friends') }) }),
    fc.record({ method: fc.constantFrom('none', 'appdata.delete', 'system.listMethods'), id }),
  );
  let full = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 60 }), async (calls) => {
      const { text } = await rpc(site, calls);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxAnswerBytes);
      const replies = JSON.parse(text) as readonly RpcReply[];
      expect(replies.map((reply) => reply.id)).toEqual(calls.map((each) => (Object.is(each.id, -0) ? 0 : each.id)));
      const first = replies.findIndex(({ error }) => error?.code === 413);
      if (first >= 0) {
        full++;
        expect(replies.slice(first).every(({ error }) => error?.code === 413)).toBe(true);
      }
    }),
    { numRuns: 40 },
  );
  expect(full).toBeGreaterThan(0);
});

test('100 calls with ids as long as a body may be are all answered within the bound (contract §8 Bounds)', async () => {
  const site = await openCrowd(databases[0]?.open as () => Promise<Database>, { v: 'x'.repeat(60_000) });
  const calls = Array.from({ length: 100 }, (_, index) => ({
    method: 'appdata.get',
    id: `${index}${'i'.repeat(10_000)}`,
    params: { groupId: '@friends' },
  }));
  const { text } = await rpc(site, calls);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxAnswerBytes);
  expect((JSON.parse(text) as readonly RpcReply[]).map(({ id }) => id)).toEqual(calls.map(({ id }) => id));
});

test('no more of an answer is made than it may have (security rule 25)', () => {
  let made = 0;
  function* parts() {
    for (;;) {
      made++;
      yield 'x'.repeat(1_000);
    }
  }
  expect(() => joinWithin(parts())).toThrow(tooLarge);
  expect(made).toBe(4_001);
});

test('work on an answer grows with the answer (security rule 25)', async () => {
  const listOf = (size: number) => ({
    entry: Array.from({ length: size }, (_, index) => ({ id: String(index), title: '"x"' })),
    startIndex: 0,
    totalResults: size,
    itemsPerPage: size,
  });
  const json = (size: number) => {
    const result = listOf(size);
    return () => joinWithin(jsonParts(result, 'activities.getSelf'));
  };
  const xml = (size: number) => {
    const result = listOf(size);
    return () => writeResult('xml', result, { operationId: 'activities.getSelf' } as never);
  };
  expect(await growth(200, json)).toBeLessThan(mostGrowth);
  expect(await growth(200, xml)).toBeLessThan(mostGrowth);
});

test('control: an answer whose bytes are counted anew for each part grows with its square (security rule 25)', async () => {
  const naive = (size: number) => () => {
    let parts: readonly string[] = [];
    for (let part = 0; part < size; part++) {
      parts = [...parts, 'xxxxxxxxxx'];
      if (parts.reduce((sum, each) => sum + each.length, 0) > maxAnswerBytes) break;
    }
    return parts.join('');
  };
  expect(await growth(300, naive)).toBeGreaterThan(mostGrowth);
});

test('a body of too many keys is refused before they are looked at (security rule 25)', () => {
  const body = Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [`k${index}`, 7]));
  expect(() => appDataFields(body)).toThrow('1000 keys'); // keys are counted before values are checked
});

describe('long answers that are asked for at once', () => {
  const ann = { consumerKey: 'k', memberId: '1' };
  type Gate = (requester: Read['requester'], work: () => Promise<string>) => Promise<string>;
  const gateOf = (operationId: OperationId): Gate => {
    const reads = createReadGate();
    return (requester, work) => reads({ requester, operationId, members: '1' }, work);
  };
  const wide = () => gateOf('appData.getFriends');

  /** Returns the number of turns of the event loop that the texts took. */
  async function turnsOf(count: number, length: number, gate: Gate): Promise<number> {
    let turn = 0;
    let isOver = false;
    const tick = () => {
      turn++;
      if (!isOver) setImmediate(tick);
    };
    setImmediate(tick);
    const seen = new Set<number>();
    const make = async () => {
      seen.add(turn);
      return 'x'.repeat(length);
    };
    await Promise.all(Array.from({ length: count }, (_, n) => gate({ consumerKey: 'k', memberId: String(n) }, make)));
    isOver = true;
    return seen.size;
  }

  test('are made two in a turn of the event loop (security rule 25)', async () => {
    expect(await turnsOf(20, 4_000_000, wide())).toBeGreaterThanOrEqual(10);
    expect(await turnsOf(20, 8_000, wide())).toBe(1); // short ones do not wait
  });

  test('control: without the gate all are made in one (security rule 25)', async () => {
    expect(await turnsOf(20, 4_000_000, (_, work) => work())).toBe(1);
  });

  test('one read of friends’ posts, which holds thousands of rows, runs at once for each requester', async () => {
    /** Returns how many of 50 reads of each of two members ran at the same time. */
    async function mostOf(operationId: OperationId): Promise<number> {
      const gate = gateOf(operationId);
      let running = 0;
      let most = 0;
      const work = async () => {
        most = Math.max(most, ++running);
        await new Promise(setImmediate);
        running--;
        return 'x';
      };
      await Promise.all(Array.from({ length: 100 }, (_, n) => gate({ ...ann, memberId: String(n % 2) }, work)));
      return most;
    }
    expect(await mostOf('activities.getFriends')).toBe(2);
    expect(await mostOf('activities.getFriendsByApp')).toBe(2);
    expect(await mostOf('activities.getSelf')).toBeGreaterThan(10); // control: no gate, only turns
  });

  test('one that fails leaves its place to the next', async () => {
    const gate = wide();
    const failing = Array.from({ length: 5 }, () => gate(ann, () => Promise.reject(new Error('no'))));
    expect(await Promise.allSettled(failing)).toHaveLength(5);
    expect(await gate(ann, async () => 'x')).toBe('x');
  });

  test('run one at a time for each requester, so that another waits for few (security rule 35)', async () => {
    /** Returns how many of Ann's hundred reads began before Bob's one. */
    async function before(gate: Gate): Promise<number> {
      const begun: string[] = [];
      const read = (name: string) => async () => {
        begun.push(name);
        await new Promise(setImmediate);
        return name;
      };
      const all = Array.from({ length: 100 }, () => gate(ann, read('Ann')));
      await Promise.all([...all, gate({ ...ann, memberId: '2' }, read('Bob'))]);
      return begun.indexOf('Bob');
    }
    expect(await before(wide())).toBeLessThanOrEqual(2);
    const inOrder = createGate({ atOnce: 2 });
    expect(await before((_, work) => inOrder(work))).toBe(100); // control: one line for all
  });
});
