import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRecord, type LabEvent } from '@gantry/lab';
import { readPageEvent } from '@gantry/lab/host';
import { expect, onTestFinished, test } from 'vitest';
import { createRecordRoute } from '../src/record-route.ts';

async function openRoute() {
  const record = createRecord({ now: () => 0 });
  const { route, events } = createRecordRoute(record, {
    explain: (entry) => (entry.kind === 'policy' ? { id: 'eval', what: 'What.', cure: 'Cure.' } : undefined),
  });
  const server = createServer((incoming, outgoing) => {
    const { pathname: path, searchParams: search } = new URL(incoming.url ?? '/', 'http://any');
    void route({ incoming, outgoing, method: incoming.method ?? 'GET', path, search });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    events.close();
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const post = (body: unknown) =>
    fetch(`${url}/dev/record`, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) });
  return { record, url, post };
}

const log: LabEvent & { readonly lab: string } = { kind: 'console', level: 'log', text: 'Hello', lab: 'lab' };

test('events of a page become entries, in their order', async () => {
  const { post, record } = await openRoute();
  await post([log, { ...log, text: 'again', app: 'hello', place: 'hello#1' }]);
  expect(record.entries).toEqual([
    { number: 1, atMs: 0, ...log },
    { number: 2, atMs: 0, ...log, text: 'again', app: 'hello', place: 'hello#1' },
  ]);
});

test.each<[string, unknown]>([
  [
    'a kind that only the server knows',
    { kind: 'upstream', method: 'GET', target: '/', status: 200, tookMs: 1, lab: 'lab' },
  ],
  ['a build', { kind: 'build', lab: 'lab' }],
  ['a manifest', { kind: 'manifest', asks: ['people'], lab: 'lab' }],
  ['an unknown kind', { kind: '__proto__', lab: 'lab' }],
  ['no lab', { kind: 'console', level: 'log', text: 'Hello' }],
  ['a name that is none', { ...log, app: '<script>' }],
  ['a level that is none', { ...log, level: 'shout' }],
  ['a number of a call that is none', { kind: 'reply', call: 'x', tookMs: 1, size: 1, lab: 'lab' }],
  ['no object', 7],
])('%s is left out, and what stands beside it is not', async (_title, odd) => {
  const { post, record } = await openRoute();
  expect(await (await post([odd, log])).json()).toEqual({ added: 1 });
  expect(record.entries).toHaveLength(1);
});

test('entries are rebuilt: a number, a time or an unknown member of a report changes nothing', () => {
  const forged = JSON.parse('{"number": 99, "atMs": 5, "__proto__": {"x": 1}, "more": 1}') as object;
  expect(readPageEvent({ ...log, ...forged })).toEqual(log);
  expect(readPageEvent({ ...log, text: 'x'.repeat(100_000) })).toMatchObject({ text: 'x'.repeat(4_000) });
});

test.each(['', '{', '{}', '"text"', 'null'])('a body that is no list (%s) is refused in one sentence', async (body) => {
  const { post } = await openRoute();
  const response = await post(body);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: { message: expect.any(String) } });
});

test('a body adds at most 1,000 events, and a body of more than 4 MiB is refused (security rule 25)', async () => {
  const { post } = await openRoute();
  expect(await (await post(Array.from({ length: 1_500 }, () => log))).json()).toEqual({ added: 1_000 });
  expect((await post([{ ...log, text: 'x'.repeat(5_000_000) }])).status).toBe(400);
});

test('pages receive each entry with its explanation, beginning with those since a number', async () => {
  const { post, url } = await openRoute();
  await post([log, log, { kind: 'policy', directive: 'script-src', blocked: 'eval', lab: 'lab' }]);
  const response = await fetch(`${url}/dev/events?since=1`);
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let text = '';
  while (text.split('data: ').length < 3) text += decoder.decode((await reader.read()).value);
  const events = text
    .split('data: ')
    .slice(1)
    .map((event) => JSON.parse(event) as { entry: { number: number } });
  expect(events.map(({ entry }) => entry.number)).toEqual([2, 3]);
  expect(events[1]).toMatchObject({ explanation: { id: 'eval' } });
  await reader.cancel();
});
