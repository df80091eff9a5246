import type { Reply, ReplyMeta } from '@gantry/wire';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createAppCalls } from '../src/app-calls.ts';
import type { ReplyItem } from '../src/protocol.ts';
import { itemOf, replyOf } from '../src/reply-item.ts';

const badRequest = { code: 400, message: 'This is not a batch of requests.', data: { reason: 'BAD_REQUEST' } };

function calls() {
  const requests: unknown[] = [];
  const { methods } = createAppCalls(
    {
      answer(request) {
        requests.push(request);
        return { ok: 'yes' };
      },
      actions: new Map(),
      pong: () => {},
    },
    () => {},
  );
  const request = methods.get('request') as (...args: readonly unknown[]) => unknown;
  return { requests, request };
}

test('a batch is the JSON text of a list, and its ready answers come back flat (architecture: one request)', () => {
  const { requests, request } = calls();
  expect(request('[[1,"people.get","{}"],[2,"appdata.get","{\\"keys\\":\\"*\\"}"]]')).toEqual([
    [1, null, 'yes'],
    [2, null, 'yes'],
  ]);
  expect(requests).toEqual([
    { operation: 'people.get', params: '{}' },
    { operation: 'appdata.get', params: '{"keys":"*"}' },
  ]);
});

test.for<[string, unknown]>([
  ['no text', [[1, 'people.get', '{}']]],
  ['no JSON', '[[1,'],
  ['no list', '{"0":[1,"people.get","{}"],"length":1}'],
  ['an item that is no list', '[{"0":1,"1":"people.get","2":"{}"}]'],
  ['an id that is text', '[["1","people.get","{}"]]'],
  ['an id that is null', '[[null,"people.get","{}"]]'],
  ['parameters that are no text', '[[1,"people.get",{}]]'],
  ['one bad item among good ones', '[[1,"people.get","{}"],[2]]'],
])('a batch with %s is refused whole (security rule 1)', ([, batch]) => {
  const { requests, request } = calls();
  expect([request(batch), requests]).toEqual([{ error: badRequest }, []]);
});

test('a batch of more than 500 requests is refused', () => {
  const { requests, request } = calls();
  const batch = Array.from({ length: 501 }, (_, index) => [index, 'people.get', '{}']);
  expect(request(JSON.stringify(batch))).toMatchObject({ error: { code: 413, data: { reason: 'TOO_LARGE' } } });
  expect(requests).toEqual([]);
});

const long = (length: number) => JSON.stringify({ data: { text: 'x'.repeat(length) } });
const tooLarge = { error: { code: 413, data: { reason: 'TOO_LARGE' } } };

test('several requests in more than 65,536 characters are refused, so that an SDK sends each by itself (security rule 25)', () => {
  const { requests, request } = calls();
  const item = (id: number, length: number) => [id, 'appdata.update', long(length)];
  expect(request(JSON.stringify([item(1, 32_700), item(2, 32_700)]))).toHaveLength(2);
  expect(requests).toHaveLength(2); // positive control
  expect(request(JSON.stringify([item(3, 32_700), item(4, 32_800)]))).toMatchObject(tooLarge);
  expect(requests).toHaveLength(2);
  expect(request(JSON.stringify([item(3, 32_700)]))).toEqual([[3, null, 'yes']]);
});

test('one request alone may be as long as the largest AppData write needs, and no longer (security rule 25)', () => {
  const { requests, request } = calls();
  const quotes = JSON.stringify({ data: { text: '"'.repeat(102_000) } }); // escaped to four characters each
  expect(request(JSON.stringify([[1, 'appdata.update', quotes]]))).toEqual([[1, null, 'yes']]);
  expect(request(JSON.stringify([[2, 'appdata.update', long(448 * 1_024)]]))).toMatchObject(tooLarge);
  expect(requests).toHaveLength(1);
});

test('a message of more than 5,000 strings is refused before it is parsed (security rule 25)', () => {
  const { requests, request } = calls();
  const batch = (strings: number) => JSON.stringify([[1, 'x', '{}', { list: Array(strings).fill('65536') }]]);
  expect(request(batch(4_997))).toEqual([[1, null, 'yes']]);
  expect(request(batch(4_998))).toMatchObject(tooLarge);
  expect(request(`${batch(4_998).slice(0, -1)},`)).toMatchObject(tooLarge); // before it is parsed
  expect(requests).toHaveLength(1);
});

function watchedIn(batch: unknown): number {
  return (JSON.parse(String(batch)) as unknown[][]).filter((item) => item[3] === true).length;
}

test('arbitrary text and data as a batch never throw, and only well-formed requests are handled (security rule 1)', () => {
  const nearly = fc
    .array(
      fc.tuple(
        fc.oneof(fc.integer(), fc.string()),
        fc.oneof(fc.string(), fc.jsonValue()),
        fc.oneof(fc.string(), fc.jsonValue()),
      ),
    )
    .map((batch) => JSON.stringify(batch));
  fc.assert(
    fc.property(fc.oneof(fc.json(), nearly, fc.string(), fc.anything()), (batch) => {
      const { requests, request } = calls();
      const answer = request(batch);
      if (requests.length > 0) expect(answer).toHaveLength(requests.length - watchedIn(batch)); // watched ones answer later
      for (const item of requests) expect(item).toEqual({ operation: expect.any(String), params: expect.any(String) });
    }),
    { numRuns: 2_000, examples: [['[[0,"","",true]]']] },
  );
});

test('every reply survives being made flat, a structured clone, and being made a reply again', () => {
  const marks: Record<Exclude<keyof ReplyMeta, 'ageMs' | 'source'>, fc.Arbitrary<true>> = {
    stale: fc.constant(true),
    pending: fc.constant(true),
  };
  const meta: fc.Arbitrary<ReplyMeta> = fc.record(
    { ageMs: fc.nat(), source: fc.constantFrom('cache', 'network'), ...marks },
    { requiredKeys: ['ageMs', 'source'] },
  );
  const reply: fc.Arbitrary<Reply> = fc.oneof(
    fc.record({ ok: fc.jsonValue() }),
    fc.record({ ok: fc.jsonValue(), meta }),
    fc.record({ error: fc.record({ code: fc.nat(), message: fc.string() }) }),
  );
  fc.assert(
    fc.property(fc.nat(), reply, (id, said) => {
      const item = structuredClone(itemOf(id, said)) as ReplyItem;
      expect(item[0]).toBe(id);
      expect(replyOf(item, 0)).toEqual(said);
    }),
  );
});
