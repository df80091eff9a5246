import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AcceptHelloOptions } from '../src/accept-hello.ts';
import { copyData } from '../src/copy-data.ts';
import type { ReplyItem } from '../src/protocol.ts';
import { itemOf, replyOf } from '../src/reply-item.ts';
import { connect, context, getFriends, rawApp, textOf } from './page.ts';

const reply = { ok: { id: '1' }, meta: { ageMs: 3, source: 'cache' } } as const;
const lease = { reply, storedAtMs: Date.now(), freshMs: 60_000 };

/** A page that leases every result for a minute. */
function leasing(): Pick<AcceptHelloOptions, 'answer' | 'leases' | 'preloads'> {
  return {
    answer: () => reply,
    leases: () => ({ grant: () => lease, stop: () => {} }),
    preloads: [{ operation: 'people.get', params: '{}' }],
  };
}

const welcome = { gantry: 'welcome', version: 1, capabilities: [], context };

test.for<[string, readonly string[], object]>([
  ['an SDK of before leases gets the welcome that it knows', ['events'], welcome],
  [
    'an SDK that knows leases gets preloads too',
    ['leases'],
    { ...welcome, preloads: [['people.get{}', [-1, null, { id: '1' }, lease.storedAtMs, 60_000]]] },
  ],
])('%s (decisions 41 and 91)', async ([, capabilities, expected]) => {
  const ready = Promise.withResolvers<void>();
  const { container, port } = rawApp({ capabilities }, { ...leasing(), onReady: ready.resolve });
  await ready.promise;
  container.close();
  expect((await port)[0]).toEqual(expected);
});

test('an SDK that knows leases asks a page of before them each time (decision 41)', async () => {
  let asked = 0;
  const { app } = connect({
    answer: () => {
      asked += 1;
      return reply;
    },
  });
  for (let count = 0; count < 3; count++) expect(await app.send(getFriends)).toEqual(reply);
  expect(asked).toBe(3);
});

test('positive control: a page that leases is asked once', async () => {
  let asked = 0;
  const { leases } = leasing();
  const { app } = connect({
    leases,
    answer: () => {
      asked += 1;
      return reply;
    },
  });
  for (let count = 0; count < 3; count++) expect(await app.send(getFriends)).toMatchObject({ ok: { id: '1' } });
  expect(asked).toBe(1);
});

test('a leased read is answered where it is made, one with a signal at the end of its tick (decision 91)', async () => {
  let asked = 0;
  const { leases } = leasing();
  const { app, connection } = connect({
    leases,
    answer: () => {
      asked += 1;
      return reply;
    },
  });
  await app.send(getFriends);
  const steps: string[] = [];
  connection.send(textOf(getFriends), () => steps.push('answered'));
  steps.push('sent');
  expect(steps).toEqual(['answered', 'sent']);
  const [kept, aborted] = [new AbortController(), new AbortController()];
  const replies = [kept, aborted].map(({ signal }) => app.send(getFriends, { signal }));
  aborted.abort();
  expect(await replies[0]).toMatchObject({ ok: { id: '1' } });
  expect(await replies[1]).toMatchObject({ error: { data: { reason: 'ABORTED' } } });
  expect(asked).toBe(1);
});

test('a leased reply says its age by the clock of the app, and where it comes from', () => {
  const item = structuredClone(itemOf(7, reply, { ...lease, storedAtMs: 1_000 })) as ReplyItem;
  expect(item).toEqual([7, null, { id: '1' }, 1_000, 60_000]);
  expect(replyOf(item, 1_500)).toEqual({ ok: { id: '1' }, meta: { ageMs: 500, source: 'cache' } });
  const first = itemOf(7, { ...reply, meta: { ageMs: 0, source: 'network' } }, { ...lease, storedAtMs: 1_000 });
  expect(replyOf(first, 1_000)).toEqual({ ok: { id: '1' }, meta: { ageMs: 0, source: 'network' } });
  expect(replyOf(first, 1_500, 'cache')).toMatchObject({ meta: { ageMs: 500, source: 'cache' } });
});

test('a copy has the same data and shares nothing, whatever members are called (security rule 19)', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const before = JSON.parse(JSON.stringify(value));
      const copy = copyData(before);
      expect(JSON.stringify(copy)).toBe(JSON.stringify(before));
      for (const shared of objectsIn(copy)) expect(objectsIn(before)).not.toContain(shared);
    }),
    { examples: [[JSON.parse('{"__proto__":{"a":[1]},"constructor":{}}')]] },
  );
});

function objectsIn(value: unknown): readonly object[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value, ...Object.values(value).flatMap(objectsIn)];
}
