import { type AppRequest, type ContainerConnection, OsapiError } from '@gantry/bridge';
import type { ResourceRequest } from '@gantry/wire';
import { operations, SocialError } from '@gantry/wire';
import { expect, test, vi } from 'vitest';
import { connect, context } from '../../bridge/test/page.ts';
import { createOsapi } from '../src/create-osapi.ts';
import type { OsapiRequest, Result } from '../src/request.ts';
import { calls } from '../src/services.ts';

type Handlers = NonNullable<Parameters<typeof connect>[0]>;

const ann = { id: '1', displayName: 'Ann' };
const notFound = new SocialError('NOT_FOUND', 'There is no such member.').toWire();

function open(handlers: Handlers = {}) {
  const requests: ResourceRequest[] = [];
  const { connection, container } = connect({
    ...handlers,
    answer: (request, signal) => {
      requests.push(request);
      return handlers.answer?.(request, signal) ?? { ok: { ...ann } };
    },
  });
  return { osapi: createOsapi(connection), requests, container };
}

function executed<T>(request: OsapiRequest<T>): Promise<Result<T>> {
  return new Promise((resolve) => request.execute(resolve));
}

/** Thirty people in pages of `itemsPerPage`. */
function pageOf({ params }: ResourceRequest, itemsPerPage = 20) {
  const startIndex = Number(params.startIndex ?? 0);
  const length = Math.max(0, Math.min(itemsPerPage, 30 - startIndex));
  const list = Array.from({ length }, (_, index) => ({ id: String(startIndex + index + 1) }));
  return { ok: { list, startIndex, totalResults: 30, itemsPerPage } };
}

test('a request that is only made sends nothing (app surface: lazy)', async () => {
  const { osapi, requests } = open();
  const made = osapi.people.getViewer();
  await osapi.people.getOwner();
  expect(requests).toEqual([{ operation: 'people.get', params: { userId: '@owner', groupId: '@self' } }]);
  expect(made.execute).toBeInstanceOf(Function);
});

test('execute hands over the bare result, with no further key (app surface)', async () => {
  const { osapi } = open({ answer: () => ({ ok: { ...ann }, meta: { ageMs: 5, source: 'cache' } }) });
  const person = await executed(osapi.people.getViewer());
  expect(Object.keys(person)).toEqual(['id', 'displayName']);
  expect(JSON.stringify(person)).toBe('{"id":"1","displayName":"Ann"}');
});

test('a result says its age and source in meta, which is not enumerable (app surface)', async () => {
  const { osapi } = open({ answer: () => ({ ok: { ...ann }, meta: { ageMs: 5, source: 'cache' } }) });
  expect((await osapi.people.getViewer()).meta).toEqual({ ageMs: 5, source: 'cache' });
});

test("a member whose id is 'meta' keeps their AppData", async () => {
  const { osapi } = open({ answer: () => ({ ok: { meta: { k: 'v' } }, meta: { ageMs: 0, source: 'network' } }) });
  expect(await osapi.appdata.get()).toEqual({ meta: { k: 'v' } });
});

test('execute runs its callback later, also when everything is known (app surface)', async () => {
  const { osapi } = open();
  await osapi.ready;
  const order: string[] = [];
  const done = new Promise<void>((resolve) => {
    osapi.people.getViewer().execute(() => {
      order.push('callback');
      resolve();
    });
  });
  order.push('after execute');
  await done;
  expect(order).toEqual(['after execute', 'callback']);
});

test('execute works without a callback (app surface)', async () => {
  const { osapi, requests } = open();
  osapi.activities.create({ activity: { title: 'Hello' } }).execute();
  await osapi.people.getViewer();
  expect(requests[0]).toEqual({ operation: 'activities.create', params: { activity: { title: 'Hello' } } });
});

test('a callback that throws stops no other (app surface: exactly once, always)', async () => {
  const uncaught: unknown[] = [];
  const collect = (error: unknown) => uncaught.push(error);
  const listeners = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException').on('uncaughtException', collect);
  try {
    const { osapi } = open();
    osapi.people.getViewer().execute(() => {
      throw new Error('of the app');
    });
    expect(await executed(osapi.people.getOwner())).toEqual(ann);
    expect(uncaught).toEqual([new Error('of the app')]);
  } finally {
    process.removeAllListeners('uncaughtException');
    for (const listener of listeners) process.on('uncaughtException', listener);
  }
});

test('execute hands over a failure as {error} (app surface)', async () => {
  const { osapi } = open({ answer: () => ({ error: notFound }) });
  expect(await executed(osapi.people.get({ userId: '999' }))).toEqual({
    error: { code: 404, message: 'There is no such member.', data: { reason: 'NOT_FOUND' } },
  });
});

test('await rejects with an OsapiError that has the number and the word (app surface)', async () => {
  const { osapi } = open({ answer: () => ({ error: notFound }) });
  const error = await osapi.people.get({ userId: '999' }).then(undefined, (thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(OsapiError);
  expect(error).toMatchObject({ code: 404, message: 'There is no such member.', data: { reason: 'NOT_FOUND' } });
});

test('a request awaited twice is sent once, executed twice it is sent twice', async () => {
  const { osapi, requests } = open();
  const request = osapi.people.getViewer();
  expect(await request).toBe(await request);
  expect(requests).toHaveLength(1);
  await executed(request);
  await executed(request);
  expect(requests).toHaveLength(3);
});

test('params are copied when the request is made, and never changed (app surface)', async () => {
  const { osapi, requests } = open();
  const params = Object.freeze({ userId: ['1', '2'], fields: ['age' as const] });
  const request = osapi.people.get(params);
  params.userId.push('3');
  await request;
  expect(requests[0]?.params).toEqual({ userId: ['1', '2'], fields: ['age'] });
});

test('params cross as JSON says them: functions drop out, dates become text, keys stay data', async () => {
  const { osapi, requests } = open();
  const data = { ...JSON.parse('{"__proto__":"polluted"}'), at: new Date(0), f: () => 1, n: 1 };
  await osapi.appdata.update({ data });
  expect(JSON.stringify(requests[0]?.params)).toBe(
    '{"data":{"__proto__":"polluted","at":"1970-01-01T00:00:00.000Z","n":1}}',
  );
});

test.for([['a cycle'], ['a bigint'], ['a function'], ['a list']] as const)(
  'params that no JSON can say leave the refusal to the page: %s',
  async ([what]) => {
    const cycle: Record<string, unknown> = {};
    cycle.itself = cycle;
    const values = { 'a cycle': { data: cycle }, 'a bigint': { data: 1n }, 'a function': () => {}, 'a list': [1] };
    const texts: string[] = [];
    const connection = { send: ({ params }: AppRequest) => void texts.push(params), welcome: new Promise(() => {}) };
    const osapi = createOsapi(connection as unknown as ContainerConnection);
    osapi.appdata.update(values[what] as never).execute();
    expect(texts).toEqual([what === 'a list' ? '[1]' : '']); // neither is the text of an object
  },
);

test('calls made before the container is there are answered once it is (app surface)', async () => {
  const { osapi } = open();
  const early = executed(osapi.people.getViewer());
  expect(await early).toEqual(ann);
});

test('a service that the site lacks is undefined once the app is welcomed (app surface)', async () => {
  const { osapi } = open({ context: { ...context, operations: ['people.get', 'appdata.get'] } });
  expect(osapi.albums).toBeDefined();
  await osapi.ready;
  expect(osapi.albums).toBeUndefined();
  expect(osapi.mediaItems).toBeUndefined();
  expect(osapi.mediaitems).toBeUndefined();
  expect('albums' in osapi).toBe(false);
  expect(osapi.appdata).toBeDefined();
});

test('a site that reads albums has the calls that change them, which answer 501', async () => {
  const unavailable = new SocialError('NOT_IMPLEMENTED', 'This site has no operation "albums.create".').toWire();
  const { osapi } = open({
    context: { ...context, operations: ['albums.get'] },
    answer: ({ operation }) => (operation === 'albums.create' ? { error: unavailable } : { ok: {} }),
  });
  await osapi.ready;
  const request = osapi.albums?.create({ title: 'Summer' }) as OsapiRequest<unknown>;
  expect(await executed(request)).toEqual({ error: unavailable });
});

test('has names the calls that the site can answer (app surface)', async () => {
  const { osapi } = open({ context: { ...context, operations: ['people.get', 'appdata.update'] } });
  expect(osapi.has('albums.get')).toBe(true); // not known yet
  expect(osapi.has('people.fly')).toBe(false);
  await osapi.ready;
  const names = [
    'people.get',
    'people.getViewerFriends',
    'appdata.create',
    'albums.get',
    'appdata.delete',
    'constructor',
  ];
  expect(names.filter((name) => osapi.has(name))).toEqual(['people.get', 'people.getViewerFriends', 'appdata.create']);
});

test("every call of the operations table is in osapi, but for the fields' own lists (architecture: one table)", () => {
  const rows = new Set(Object.values(operations).map(({ osapi }) => osapi));
  const missing = [...rows].filter((name) => !(name in calls));
  expect(missing).toEqual(['people.getSupportedFields', 'activities.getSupportedFields']);
});

test('the calls that read are those whose names end in .get, by which the SDK tells them from writes', () => {
  const methodOf = (name: string) => Object.values(operations).find(({ osapi }) => osapi === name)?.method;
  const names = Object.entries(calls).map(([name, { operation = name }]) => operation);
  expect(names.filter((name) => name.endsWith('.get') !== (methodOf(name) === 'GET'))).toEqual([]);
});

test.for([
  ['getViewer', { userId: '@viewer', groupId: '@self' }],
  ['getOwner', { userId: '@owner', groupId: '@self' }],
  ['getViewerFriends', { userId: '@viewer', groupId: '@friends' }],
  ['getOwnerFriends', { userId: '@owner', groupId: '@friends' }],
] as const)('people.%s names its members itself', async ([method, fixed]) => {
  const { osapi, requests } = open();
  await osapi.people[method]({ fields: ['age'] });
  expect(requests).toEqual([{ operation: 'people.get', params: { fields: ['age'], ...fixed } }]);
});

test('a collection is delivered as it came, its iterator is not enumerable (app surface)', async () => {
  const { osapi } = open({ answer: (request) => pageOf(request) });
  const friends = await osapi.people.getViewerFriends();
  expect(Object.keys(friends)).toEqual(['list', 'startIndex', 'totalResults', 'itemsPerPage']);
  expect(friends.list).toHaveLength(20);
});

test('a collection and its request iterate over all pages, which are asked for as needed (app surface)', async () => {
  const { osapi, requests } = open({ answer: (request) => pageOf(request, 12) });
  const ids: string[] = [];
  for await (const person of osapi.people.getViewerFriends({ count: 12 })) ids.push(person.id);
  expect(ids).toEqual(Array.from({ length: 30 }, (_, index) => String(index + 1)));
  expect(requests.map(({ params }) => params.startIndex)).toEqual([undefined, 12, 24]);
  expect(requests[2]?.params).toEqual({ count: 12, userId: '@viewer', groupId: '@friends', startIndex: 24 });
});

test('iterating ends, even over a site that repeats its first page for ever', async () => {
  const { osapi, requests } = open({ answer: () => pageOf({ operation: '', params: {} }, 10) });
  for await (const _ of osapi.people.getViewerFriends()) {
    // only counting
  }
  expect(requests).toHaveLength(3);
});

test('newBatch answers by key, and one failure leaves the others (app surface)', async () => {
  const { osapi } = open({ answer: ({ params }) => (params.userId === '9' ? { error: notFound } : { ok: ann }) });
  const batch = osapi
    .newBatch()
    .add('good', osapi.people.getViewer())
    .add('bad', osapi.people.get({ userId: '9' }));
  const results = await new Promise((resolve) => batch.execute(resolve));
  expect(results).toEqual({ good: ann, bad: { error: notFound } });
});

test('newBatch skips an undefined request; an empty one answers {} (app surface)', async () => {
  const { osapi, requests } = open();
  expect(await osapi.newBatch()).toEqual({});
  expect(await osapi.newBatch().add('albums', undefined)).toEqual({});
  expect(requests).toEqual([]);
});

test('a key of a batch is data, whatever its name', async () => {
  const { osapi } = open();
  const results = await osapi.newBatch().add('__proto__', osapi.people.getViewer());
  expect(JSON.stringify(results)).toBe('{"__proto__":{"id":"1","displayName":"Ann"}}');
});

test('subscribe hands over the result and each newer one, until it is ended (app surface: live values)', async () => {
  let push: (count: number) => void = () => {};
  let stopped = 0;
  const { osapi } = open({
    answer: () => ({ ok: { totalResults: 1 } }),
    watch: (_request, pushReply) => {
      push = (totalResults) => pushReply({ ok: { totalResults } });
      return () => {
        stopped += 1;
      };
    },
  });
  const values: number[] = [];
  const { promise: third, resolve } = Promise.withResolvers<void>();
  const stop = osapi.activities.get().subscribe(({ totalResults }) => {
    values.push(totalResults);
    if (values.length < 3) push(values.length + 1);
    else resolve();
  });
  await third;
  expect(values).toEqual([1, 2, 3]);
  stop();
  await osapi.people.getViewer();
  push(4);
  await osapi.people.getViewer();
  expect([values.length, stopped]).toEqual([3, 1]);
});

test('an error of a subscription without `onError` goes to the console and to the page', async () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => {});
  const texts: unknown[] = [];
  const { osapi } = open({
    answer: () => ({ error: notFound }),
    actions: new Map([['error', (text: unknown) => void texts.push(text)]]),
  });
  osapi.people.getViewer().subscribe(() => {});
  const text = 'people.get: There is no such member.';
  await expect.poll(() => texts).toEqual([text]);
  expect(said.mock.calls).toEqual([[text]]);
  said.mockRestore();
});

test('subscribe tells a failure to its second listener', async () => {
  const { osapi } = open({ answer: () => ({ error: notFound }) });
  const error = await new Promise((resolve) => osapi.people.getViewer().subscribe(() => {}, resolve));
  expect(error).toMatchObject({ code: 404 });
});

test('a signal aborts a call', async () => {
  const { osapi } = open({ answer: () => new Promise(() => {}) });
  const controller = new AbortController();
  const call = executed(osapi.people.getViewer({}, { signal: controller.signal }));
  controller.abort();
  expect((await call).error).toEqual({ code: 499, message: 'The request was aborted.', data: { reason: 'ABORTED' } });
});

test('a call without a reply times out (app surface)', async () => {
  const { osapi } = open({ answer: () => new Promise(() => {}) });
  const { error } = await executed(osapi.people.getViewer({}, { timeoutMs: 1 }));
  expect(error).toMatchObject({ code: 504, data: { reason: 'TIMED_OUT' } });
});
