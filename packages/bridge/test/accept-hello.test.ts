import { afterEach, expect, test } from 'vitest';
import { acceptHello, connectToContainer, expectHello, helloFragment, randomNonce } from '../src/index.ts';
import { context, getFriends, openFrame, replyTo } from './page.ts';

const ports: MessagePort[] = [];
afterEach(() => {
  for (const port of ports.splice(0)) port.close();
});

function accept(options: Parameters<typeof openFrame>[0] = {}) {
  const opened = openFrame(options);
  const events: string[] = [];
  const connection = acceptHello({
    greeting: expectHello({ frame: opened.frame, nonce: 'n1', window: opened.page }),
    context: () => context,
    answer: () => ({ ok: {} }),
    actions: new Map(),
    onReady: () => events.push('ready'),
    onClose: (reason) => events.push(reason),
  });
  return { ...opened, connection, events };
}

function port(): MessagePort {
  const { port1, port2 } = new MessageChannel();
  ports.push(port1);
  return port2;
}

const hello = { gantry: 'hello', versions: [1], nonce: 'n1', capabilities: [] };

test("a hello from the frame's window with the nonce and one port is accepted (security rule 2)", () => {
  const { post, events } = accept();
  post({ data: hello, ports: [port()] });
  expect(events).toEqual(['ready']);
});

test.for<[string, Parameters<ReturnType<typeof openFrame>['post']>[0]]>([
  ['another nonce', { data: { ...hello, nonce: 'n2' }, ports: [port()] }],
  ['another window', { data: hello, ports: [port()], source: {} }],
  ['no window', { data: hello, ports: [port()], source: null }],
  ['another origin than the opaque one', { data: hello, ports: [port()], origin: 'https://apps.example' }],
  ['no port', { data: hello }],
  ['two ports', { data: hello, ports: [port(), port()] }],
  ['another kind', { data: { ...hello, gantry: 'welcome' }, ports: [port()] }],
  ['null', { data: null, ports: [port()] }],
  ['text', { data: 'hello', ports: [port()] }],
])('a hello with %s is ignored, and the right one is still accepted (security rule 2)', ([, message]) => {
  const { post, events } = accept();
  post(message);
  expect(events).toEqual([]);
  post({ data: hello, ports: [port()] });
  expect(events).toEqual(['ready']);
});

test('a frame that keeps its origin must speak from it (security rule 4: an origin per app)', () => {
  const { post, events } = accept({ sandbox: 'allow-scripts allow-same-origin' });
  post({ data: hello, ports: [port()] }); // from an opaque origin
  post({ data: hello, ports: [port()], origin: 'https://evil.example' });
  expect(events).toEqual([]);
  post({ data: hello, ports: [port()], origin: 'https://apps.example' });
  expect(events).toEqual(['ready']);
});

test('a second hello of the same load gets no answer (security rule 2)', async () => {
  const { post } = accept();
  const [first, second] = [new MessageChannel(), new MessageChannel()];
  ports.push(first.port1, second.port1);
  const heard: string[] = [];
  second.port1.addEventListener('message', () => heard.push('second'));
  second.port1.start();
  const welcomed = new Promise<void>((resolve) => {
    first.port1.addEventListener('message', () => resolve(void heard.push('first')), { once: true });
    first.port1.start();
  });
  post({ data: hello, ports: [second.port2], source: {} }); // forged, ignored
  post({ data: hello, ports: [first.port2] });
  post({ data: hello, ports: [second.port2] }); // replayed
  await welcomed;
  expect(heard).toEqual(['first']);
});

test('a hello after close is ignored, and a ping rejects', async () => {
  const { post, events, connection } = accept();
  connection.close();
  await expect(connection.ping()).rejects.toMatchObject({ code: 'APP_RELOADED' });
  post({ data: hello, ports: [port()] });
  expect(events).toEqual(['closed']);
});

test('an app without a common version gets the versions and the remedy, and its port is closed (security rule 2)', async () => {
  const { post, events, connection } = accept();
  const { port1, port2 } = new MessageChannel();
  ports.push(port1);
  const answer = new Promise((resolve) => {
    port1.addEventListener('message', ({ data }) => resolve(data));
    port1.start();
  });
  post({ data: { ...hello, versions: [2, 3], sdk: '0.9.1', needs: '0.8.0' }, ports: [port2] });
  expect(events).toEqual(['version']);
  await expect(connection.ping()).rejects.toMatchObject({ code: 'VERSION_MISMATCH' });
  expect(await answer).toEqual({
    gantry: 'closed',
    error: {
      code: 503,
      message: 'The app speaks protocol 2–3, this page 1: the site needs Gantry 0.8.0 or later.',
      data: {
        reason: 'VERSION_MISMATCH',
        versions: { app: [2, 3], page: [1, 1], update: 'site', needs: '0.8.0', sdk: '0.9.1' },
      },
    },
  });
});

test.for([{}, { versions: 'junk' }, { versions: [Number.NaN] }, { versions: Array(100_000).fill(1) }])(
  'a hello whose versions are junk closes the port as malformed, and throws nothing: %#  (security rule 1)',
  async (versions) => {
    const { post, events, connection } = accept();
    const { versions: _, ...rest } = hello;
    post({ data: { ...rest, ...versions }, ports: [port()] });
    expect(events).toEqual(['malformed']);
    await expect(connection.ping()).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  },
);

test('the SDK takes its address out of the fragment and removes it (security rule 2)', async () => {
  const { app } = accept();
  await connectToContainer({ window: app }).welcome;
  expect(app.location.href).toBe('https://apps.example/friends/index.html');
});

test.for(['', '#top', '#gantry=1.n1', '#gantry=1.n1.%zz', '#gantry=1.n1.https%3A%2F%2Fother.example'])(
  'a document with the fragment "%s" gets an error and no port (security rule 2)',
  async (hash) => {
    const { app, events } = accept({ hash });
    const connection = connectToContainer({ window: app, timeoutMs: 1 });
    await expect(connection.welcome).rejects.toMatchObject({ name: 'OsapiError' });
    expect(await replyTo(connection, getFriends)).toMatchObject({ error: { data: {} } });
    expect(events).toEqual([]);
  },
);

test('a document that is in no frame has no container', async () => {
  const { app } = openFrame();
  Object.assign(app, { parent: app });
  const connection = connectToContainer({ window: app });
  expect(await replyTo(connection, getFriends)).toEqual({
    error: { code: 503, message: 'No Gantry container opened this document.', data: { reason: 'UNAVAILABLE' } },
  });
});

test('the fragment is version, nonce and encoded origin (security rule 2)', () => {
  expect(helloFragment({ nonce: 'ab12', origin: 'http://localhost:4400' })).toBe(
    '#gantry=1.ab12.http%3A%2F%2Flocalhost%3A4400',
  );
});

test('a nonce is 128 bits, new each time', () => {
  expect(randomNonce()).toMatch(/^[0-9a-f]{32}$/);
  expect(randomNonce()).not.toBe(randomNonce());
});

test('a hello that came before anybody took it is taken then, and once', async () => {
  const { frame, page, post } = openFrame();
  const greeting = expectHello({ frame, nonce: 'n1', window: page });
  const taken: unknown[] = [];
  post({ data: { ...hello, number: 1 }, ports: [port()] });
  post({ data: { ...hello, number: 2 }, ports: [port()] });
  greeting.take(({ data }) => taken.push(data));
  await Promise.resolve();
  expect(taken).toEqual([{ ...hello, number: 1 }]);
});

test.for([[1], [9], 'all'])(
  'a hello of the versions %j is answered the same, taken as it comes or later',
  async (versions) => {
    const answered = async (isEarly: boolean) => {
      const { frame, page, post } = openFrame();
      const greeting = expectHello({ frame, nonce: 'n1', window: page });
      const { port1, port2 } = new MessageChannel();
      ports.push(port1);
      const first = new Promise((resolve) => port1.addEventListener('message', ({ data }) => resolve(data)));
      port1.start();
      const say = () => post({ data: { ...hello, versions }, ports: [port2] });
      if (isEarly) say();
      acceptHello({ greeting, context: () => context, answer: () => ({ ok: {} }), actions: new Map() });
      if (!isEarly) say();
      return first;
    };
    expect(await answered(true)).toEqual(await answered(false));
  },
);

test('the port of a hello that was not taken is closed', async () => {
  const { frame, page, post } = openFrame();
  const greeting = expectHello({ frame, nonce: 'n1', window: page });
  const { port1, port2 } = new MessageChannel();
  const closed = new Promise((resolve) => port1.addEventListener('close', resolve));
  post({ data: hello, ports: [port2] });
  const taken: unknown[] = [];
  greeting.take((hello) => taken.push(hello));
  greeting.end();
  await closed;
  expect(taken).toEqual([]);
});

test('loads that wait in one page are distinguished by their nonces, in any order of hellos', () => {
  const { frame, page, post } = openFrame({ nonce: 'n1' });
  const other = openFrame({ nonce: 'n2', page });
  const taken: string[] = [];
  expectHello({ frame, nonce: 'n1', window: page }).take(() => taken.push('n1'));
  expectHello({ frame: other.frame, nonce: 'n2', window: page }).take(() => taken.push('n2'));
  post({ data: { ...hello, nonce: 'n2' }, ports: [port()] });
  post({ data: { ...hello, nonce: 'n2' }, ports: [port()], source: other.app });
  post({ data: hello, ports: [port()] });
  expect(taken).toEqual(['n2', 'n1']);
});

test('messages of a window after its hello are not read', () => {
  const { frame, page, app } = openFrame();
  expectHello({ frame, nonce: 'n1', window: page });
  expectHello({ frame: openFrame().frame, nonce: 'n2', window: page }); // keeps a listener
  let reads = 0;
  const say = () => {
    const message = Object.assign(new Event('message'), { source: app, origin: 'null', ports: [port()] });
    const get = () => {
      reads += 1;
      return hello;
    };
    page.dispatchEvent(Object.defineProperty(message, 'data', { get }));
  };
  say();
  const readsOfHello = reads;
  say();
  expect(readsOfHello).toBeGreaterThan(0);
  expect(reads).toBe(readsOfHello);
});

/** Messages to the page's window that are no hello, as the page counts them for one load. */
function strays() {
  const opened = openFrame();
  const counts: number[] = [];
  const greeting = expectHello({ frame: opened.frame, nonce: 'n1', window: opened.page });
  return {
    ...opened,
    greeting,
    counts,
    take: () =>
      greeting.take(
        () => {},
        (count) => counts.push(count),
      ),
  };
}

test('other messages of a frame to the window are counted, before its hello and after it (security rule 6)', () => {
  const { post, counts, take } = strays();
  post({ data: 'early' });
  post({ data: 'early' });
  take();
  post({ data: hello, ports: [port()] });
  post({ data: 'late' });
  post({ data: hello, ports: [port()] }); // replayed
  expect(counts).toEqual([2, 1, 1]);
});

test('messages of nested frames count for the frame of the app, those of other windows for none (security rule 6)', () => {
  const { app, page, post, counts, take } = strays();
  take();
  const inner = { parent: app };
  post({ data: 'inner', source: inner });
  post({ data: hello, ports: [port()], source: { parent: inner } });
  for (const source of [page, { parent: page }, {}, null]) post({ data: 'other', source });
  expect(counts).toEqual([1, 1]);
});

test('nothing counts for a load that is over', () => {
  const { post, counts, greeting, take } = strays();
  take();
  post({ data: 'counts' });
  greeting.end();
  post({ data: 'does not' });
  expect(counts).toEqual([1]);
});

test('ten messages of a window are read for its hello, and none of frames within it (security rule 25)', () => {
  const { app, page } = strays();
  let reads = 0;
  const say = (source: unknown) => {
    const message = Object.assign(new Event('message'), { source, origin: 'null', ports: [port()] });
    const get = () => {
      reads += 1;
      return { gantry: 'hello', nonce: 'wrong' };
    };
    page.dispatchEvent(Object.defineProperty(message, 'data', { get }));
  };
  for (let count = 0; count < 30; count++) say({ parent: app });
  expect(reads).toBe(0);
  for (let count = 0; count < 30; count++) say(app);
  expect(reads).toBe(10);
});

test('an app that floods the window of the page is stopped like one that floods its port (security rule 6)', async () => {
  const { post, connection, events } = accept();
  post({ data: hello, ports: [port()] });
  for (let count = 0; count < 19_000; count++) post({ data: 'any' });
  expect(events).toEqual(['ready']); // control: within the limit
  for (let count = 0; count < 30_000; count++) post({ data: 'any' });
  expect(events).toEqual(['ready', 'flood']);
  await expect(connection.ping()).rejects.toMatchObject({ code: 'RATE_LIMITED' });
});
