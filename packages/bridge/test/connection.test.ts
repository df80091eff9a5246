import { type Reply, type ResourceRequest, SocialError } from '@gantry/wire';
import { afterEach, expect, test, vi } from 'vitest';
import { connect, context, getFriends, later, rawApp } from './page.ts';

const never = () => new Promise<Reply>(() => {});
const aborted = { error: { code: 499, message: 'The request was aborted.', data: { reason: 'ABORTED' } } };
const reloaded = {
  error: { code: 410, message: 'The document of this request was unloaded.', data: { reason: 'APP_RELOADED' } },
};
const internal = { error: { code: 500, message: 'The container could not answer.', data: { reason: 'INTERNAL' } } };

afterEach(() => void vi.useRealTimers());

/** From here on time passes only where a test says so: how fast messages are does not matter. */
function holdTime(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
}

test('the app learns its context from the welcome (architecture: one request)', async () => {
  const ready = Promise.withResolvers<void>();
  const { app } = connect({ onReady: ready.resolve });
  await ready.promise;
  expect(await app.welcome).toEqual(context);
});

test('an answer that is ready crosses with the call', async () => {
  const { app } = connect({ answer: ({ operation }) => ({ ok: { operation } }) });
  expect(await app.send(getFriends)).toEqual({ ok: { operation: 'people.get' } });
});

test('an answer that comes later settles its own request', async () => {
  const { app } = connect({ answer: async ({ params }) => ({ ok: params }) });
  const replies = [1, 2].map((count) => app.send({ operation: 'people.get', params: { count } }));
  expect(await Promise.all(replies)).toEqual([{ ok: { count: 1 } }, { ok: { count: 2 } }]);
});

test('an answer says where it comes from, if the container says it', async () => {
  const { app } = connect({ answer: () => ({ ok: 1, meta: { ageMs: 7, source: 'cache' } }) });
  expect(await app.send(getFriends)).toEqual({ ok: 1, meta: { ageMs: 7, source: 'cache' } });
});

test('requests of one tick are one message, and so are their late answers (architecture: one request)', async () => {
  const messages: string[] = [];
  const settle: ((reply: Reply) => void)[] = [];
  const { app } = connect({
    answer: () => new Promise((resolve) => settle.push(resolve)),
    heard: (message) => messages.push(message),
  });
  await app.welcome;
  const replies = Array.from({ length: 100 }, () => app.send(getFriends));
  await app.act('nothing');
  for (const [index, resolve] of settle.entries()) resolve({ ok: index });
  expect(await Promise.all(replies)).toHaveLength(100);
  expect(messages).toEqual(['welcome', 'request', 'answer', 'act', 'answer', 'replies']);
});

test('more requests of one tick than a message takes are several messages', async () => {
  const { app } = connect();
  const replies = await Promise.all(Array.from({ length: 501 }, () => app.send(getFriends)));
  expect(replies.filter((reply) => 'ok' in reply)).toHaveLength(501);
});

test('one port has at most 2,000 open requests; the others are refused at once', async () => {
  const { app, container } = connect({ answer: never });
  const replies = Array.from({ length: 2_001 }, () => app.send(getFriends));
  expect(await replies[2_000]).toMatchObject({ error: { code: 429, data: { reason: 'RATE_LIMITED', retryAfter: 1 } } });
  container.close();
});

test('a handler that throws or rejects answers 500 without its text (security rule 1)', async () => {
  const { app } = connect({
    answer: ({ params }) => {
      if (params.how === 'throw') throw new Error('secret');
      return Promise.reject(new Error('secret'));
    },
    actions: new Map([['fail', () => Promise.reject(new Error('secret'))]]),
  });
  expect(await app.send({ operation: 'people.get', params: { how: 'throw' } })).toEqual(internal);
  expect(await app.send({ operation: 'people.get', params: {} })).toEqual(internal);
  expect(await app.act('fail')).toEqual(internal);
});

test('a watch that throws is a 500 for itself only', async () => {
  const { app } = connect({
    watch: () => {
      throw new Error('secret');
    },
  });
  const watched = new Promise((resolve) => app.watch(getFriends, resolve));
  expect(await app.send(getFriends)).toEqual({ ok: {} });
  expect(await watched).toEqual(internal);
});

test('a container that closes while it answers is asked no more', async () => {
  const operations: string[] = [];
  const { app, container } = connect({
    answer: ({ operation }) => {
      container.close();
      return { ok: operations.push(operation) };
    },
  });
  expect(await Promise.all([app.send(getFriends), app.send(getFriends)])).toEqual([reloaded, reloaded]);
  expect(operations).toEqual(['people.get']);
});

test('an answer that cannot be cloned is a 500 for itself only (security rule 1: never a stack)', async () => {
  const { app } = connect({
    answer: async ({ params }) => ({ ok: params.good ? 'good' : () => {} }),
    actions: new Map([['fail', () => () => {}]]),
  });
  const replies = [true, false].map((good) => app.send({ operation: 'people.get', params: { good } }));
  expect(await Promise.all(replies)).toEqual([{ ok: 'good' }, internal]);
  expect(await app.act('fail')).toEqual(internal);
});

test('an action runs by its name, and nothing but an action does', async () => {
  const { app } = connect({ actions: new Map([['add', (a: unknown, b: unknown) => Number(a) + Number(b)]]) });
  expect(await app.act('add', 1, 2)).toEqual({ ok: 3 });
  expect(await app.act('constructor')).toMatchObject({ error: { code: 501 } });
});

test('an abort settles the request and reaches the container', async () => {
  const { promise: cancelled, resolve } = Promise.withResolvers<unknown>();
  const { promise: arrival, resolve: hear } = Promise.withResolvers<void>();
  const { app } = connect({
    answer: (_request, signal) => {
      signal.addEventListener('abort', () => resolve(signal.reason));
      hear();
      return never();
    },
  });
  const controller = new AbortController();
  const reply = app.send(getFriends, { signal: controller.signal });
  await arrival;
  controller.abort();
  expect(await reply).toEqual(aborted);
  expect(await cancelled).toMatchObject({ code: 'ABORTED' });
});

test('a request aborted before it left is not sent', async () => {
  const requests: ResourceRequest[] = [];
  const { app } = connect({ answer: (request) => ({ ok: requests.push(request) }) });
  const controller = new AbortController();
  const early = app.send(getFriends, { signal: controller.signal });
  controller.abort();
  expect(await early).toEqual(aborted);
  expect(await app.send(getFriends, { signal: controller.signal })).toEqual(aborted);
  expect(await app.send(getFriends)).toEqual({ ok: 1 });
});

test('a request without answer times out; the answer that comes later is dropped', async () => {
  holdTime();
  const late = Promise.withResolvers<Reply>();
  const arrival = Promise.withResolvers<void>();
  const { app } = connect({
    answer() {
      arrival.resolve();
      return late.promise;
    },
  });
  const reply = app.send(getFriends, { timeoutMs: 1 });
  await arrival.promise;
  vi.advanceTimersByTime(1);
  expect(await reply).toEqual({
    error: { code: 504, message: 'No answer came within 1 ms.', data: { reason: 'TIMED_OUT' } },
  });
  late.resolve({ ok: 'late' });
  expect(await app.act('nothing')).toMatchObject({ error: { code: 501 } });
  expect(await reply).toMatchObject({ error: { code: 504 } });
});

test('close settles all that waits on both sides, once (security rule 2)', async () => {
  const signals: AbortSignal[] = [];
  const reasons: string[] = [];
  const { promise: arrival, resolve } = Promise.withResolvers<void>();
  const { app, container } = connect({
    answer: (_request, signal) => {
      if (signals.push(signal) === 2) resolve();
      return never();
    },
    onClose: (reason) => reasons.push(reason),
  });
  const replies = [app.send(getFriends), app.send(getFriends)];
  await arrival;
  container.close();
  container.close();
  expect(await Promise.all(replies)).toEqual([reloaded, reloaded]);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
  expect(reasons).toEqual(['closed']);
  expect(await app.send(getFriends)).toEqual(reloaded); // the document survived, its port did not
  expect(await app.act('adjustHeight', 1)).toEqual(reloaded);
});

test('a watched request is answered, then again with each newer value, until it is ended', async () => {
  const values: Reply[] = [];
  let push: (reply: Reply) => void = () => {};
  const { promise: unwatched, resolve: stopped } = Promise.withResolvers<void>();
  const { app } = connect({
    answer: async () => ({ ok: 'first' }),
    watch: (_request, pushReply) => {
      push = pushReply;
      return stopped;
    },
  });
  const { promise: second, resolve } = Promise.withResolvers<void>();
  const stop = app.watch(getFriends, (reply) => {
    if (values.push(reply) === 1) push({ ok: 'second' });
    else resolve();
  });
  await second;
  stop();
  await unwatched;
  push({ ok: 'third' });
  await app.send(getFriends);
  expect(values).toEqual([{ ok: 'first' }, { ok: 'second' }]);
});

test('a value pushed before the first answer is newer than it: the answer is dropped', async () => {
  let settle: (reply: Reply) => void = () => {};
  const { promise: pushed, resolve } = Promise.withResolvers<void>();
  const values: Reply[] = [];
  const { app } = connect({
    answer: ({ operation }) => (operation === 'late' ? new Promise((answer) => (settle = answer)) : { ok: {} }),
    watch: (_request, push) => {
      push({ ok: 'pushed' });
      return () => {};
    },
  });
  app.watch({ operation: 'late', params: {} }, (reply) => {
    values.push(reply);
    resolve();
  });
  await pushed;
  settle({ ok: 'answered' });
  await app.send(getFriends);
  expect(values).toEqual([{ ok: 'pushed' }]);
});

test('the end of the connection reaches watches', async () => {
  const { app, container } = connect();
  const { promise: ended, resolve } = Promise.withResolvers<Reply>();
  app.watch(getFriends, (reply) => ('error' in reply ? resolve(reply) : container.close()));
  expect(await ended).toEqual(reloaded);
});

test('events of the container reach listeners of their name only', async () => {
  const { app, container } = connect();
  await app.welcome;
  const { promise: theme, resolve } = Promise.withResolvers<unknown>();
  app.on('replies', () => resolve('not this'));
  app.on('theme', resolve);
  container.emit('theme', { dark: true });
  expect(await theme).toEqual({ dark: true });
});

test('events before the hello are queued, in order', async () => {
  const heard: unknown[] = [];
  const { app, container, open } = later();
  container.emit('theme', 1);
  container.emit('theme', 2);
  const connection = open();
  connection.on('theme', (value) => heard.push(value));
  await connection.welcome;
  await app();
  expect(heard).toEqual([1, 2]);
});

/** `arrived` resolves when the app has all that was emitted before. */
function connectEmitting() {
  const { app, container } = connect();
  const arrived = () =>
    new Promise<void>((resolve) => {
      app.on('arrived', () => resolve());
      container.emit('arrived', null);
    });
  return { app, container, arrived };
}

test('the first listener of a name, and no other, gets the last hundred events before it, in order', async () => {
  const { app, container, arrived } = connectEmitting();
  await app.welcome;
  for (let number = 0; number <= 100; number++) container.emit('theme', number);
  await arrived();
  const first: unknown[] = [];
  const second: unknown[] = [];
  app.on('theme', (value) => first.push(value));
  app.on('theme', (value) => second.push(value));
  container.emit('theme', 101);
  await arrived();
  expect(first).toEqual(Array.from({ length: 101 }, (_, index) => index + 1));
  expect(second).toEqual([101]);
});

test('a listener that is removed at once gets no earlier events', async () => {
  const { app, container, arrived } = connectEmitting();
  await app.welcome;
  container.emit('theme', 1);
  await arrived();
  const heard: unknown[] = [];
  app.on('theme', (value) => heard.push(value))();
  await Promise.resolve();
  expect(heard).toEqual([]);
});

test('an app without the capability `events` gets none', async () => {
  const { container, port } = rawApp({ capabilities: ['other'] });
  container.emit('theme', 1);
  container.close();
  expect((await port).map(({ gantry }) => gantry)).toEqual(['welcome', 'closed']);
});

test.for<[string, unknown, string[]]>([
  ['words', ['events', 'unheard-of'], ['events', 'unheard-of']],
  ['no list', undefined, []],
  ['text', 'events', []],
  ['an object', { length: 1, 0: 'events' }, []],
  ['other things among words', [1, null, ['x'], 'x'.repeat(65), 'events'], ['events']],
  [
    'more than a hundred',
    Array.from({ length: 1_000 }, (_, i) => `${i}`),
    Array.from({ length: 100 }, (_, i) => `${i}`),
  ],
])('capabilities of a hello are words within limits: %s (security rule 1)', ([, capabilities, expected]) => {
  const { container } = rawApp({ capabilities });
  expect([...container.capabilities]).toEqual(expected);
  container.close();
});

test('the welcome names the version that both speak and the actions that the container has', async () => {
  const { container, port } = rawApp({ versions: [7, 1] }, { actions: new Map([['ui.toast', () => {}]]) });
  container.close();
  expect((await port)[0]).toEqual({ gantry: 'welcome', version: 1, capabilities: ['ui.toast'], context });
});

test('one request that is too large is refused by itself, the others of its tick are answered', async () => {
  const { app } = connect({ answer: ({ params }) => ({ ok: Object.keys(params) }) });
  const huge = { operation: 'appdata.update', params: { data: 'x'.repeat(8 * 1024 * 1024) } };
  const replies = await Promise.all([app.send(getFriends), app.send(huge), app.send(getFriends)]);
  expect(replies).toMatchObject([
    { ok: ['groupId'] },
    { error: { code: 413, data: { reason: 'TOO_LARGE' } } },
    { ok: ['groupId'] },
  ]);
});

test('requests of one tick that are too long for a batch are several messages, in their order (security rule 25)', async () => {
  const order: unknown[] = [];
  const messages: string[] = [];
  const { app } = connect({
    answer({ params }) {
      order.push(params.index);
      return { ok: params.index };
    },
    heard: (message) => messages.push(message),
  });
  await app.welcome;
  const data = '"'.repeat(9_000); // escaped twice
  const indices = Array.from({ length: 21 }, (_, index) => index);
  const replies = await Promise.all(
    indices.map((index) => app.send({ operation: 'appdata.update', params: { index, data } })),
  );
  expect(replies).toEqual(indices.map((ok) => ({ ok })));
  expect(order).toEqual(indices);
  expect(messages.filter((message) => message === 'request')).toHaveLength(21); // two of them are 72 kB
});

test('an action may wait for a person: it has no time-out, and the end of the connection settles it', async () => {
  holdTime();
  const { promise: arrival, resolve } = Promise.withResolvers<void>();
  const confirm = () => {
    resolve();
    return never();
  };
  const { app, container } = connect({ answer: never, actions: new Map([['confirm', confirm]]) });
  const reply = app.act('confirm');
  await arrival;
  const request = app.send(getFriends);
  vi.advanceTimersByTime(24 * 60 * 60 * 1000);
  expect(await request).toMatchObject({ error: { code: 504 } });
  container.close();
  expect(await reply).toEqual(reloaded);
});

test('arguments that are no plain data are an error of the app, not of the page (security rule 1)', async () => {
  const { app } = connect({ actions: new Map([['echo', (value) => value]]) });
  const refused = {
    error: { code: 400, message: 'Only plain data can cross the port.', data: { reason: 'BAD_REQUEST' } },
  };
  expect(await Promise.all([app.act('echo', () => {}), app.act('echo', new Date(0)), app.act('echo', 1)])).toEqual([
    refused,
    refused,
    { ok: 1 },
  ]);
});

test('a SocialError of a handler crosses with its reason', async () => {
  const { app } = connect({
    answer: () => {
      throw new SocialError('FORBIDDEN', 'Not yours.');
    },
  });
  expect(await app.send(getFriends)).toEqual({
    error: { code: 403, message: 'Not yours.', data: { reason: 'FORBIDDEN' } },
  });
});
