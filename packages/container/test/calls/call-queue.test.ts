import { expect, test, vi } from 'vitest';
import { createSetting, friends, mountOne, notes, post, save, stream, tick } from '../setting.ts';

test('mounts of one tick are one POST (architecture: one request)', async () => {
  const { network, newPage, mount } = createSetting();
  const container = newPage();
  await Promise.all([mount(container, 'friends'), mount(container, 'stream'), mount(container, 'notes', '7')]);
  expect(network.posts.map(({ path, body }) => [path, body])).toEqual([
    ['instances', [{ app: 'friends' }, { app: 'stream' }, { app: 'notes', owner: '7' }]],
  ]);
});

test('POSTs carry the proxy’s header, JSON and same-origin credentials, and follow no redirect (security rule 10)', async () => {
  const { network, gadget } = await mountOne();
  await gadget.answer(friends);
  for (const { init } of network.posts) {
    expect(init).toMatchObject({
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Gantry-Container': '1' },
      credentials: 'same-origin',
      redirect: 'error',
    });
  }
});

test('an app that the proxy refuses is an error for that gadget alone', async () => {
  const { newPage, mount } = createSetting();
  const container = newPage();
  const [refused, gadget] = await Promise.all([container.mount({ app: 'unknown' }, () => undefined), mount(container)]);
  expect(refused).toEqual({ error: { code: 404, message: 'There is no such app.', data: { reason: 'NOT_FOUND' } } });
  expect(gadget.context.app.id).toBe('friends');
});

test('calls of one tick from every gadget are one POST (architecture: one request)', async () => {
  const { network, newPage, mount } = createSetting();
  const container = newPage();
  const [first, second] = await Promise.all([mount(container, 'friends'), mount(container, 'stream')]);
  await Promise.all([first.answer(friends), first.answer(notes), second.answer(stream)]);
  expect(network.calls()).toHaveLength(1);
  expect(network.calls()[0]?.calls.map(({ instance, operation, params }) => [instance, operation, params])).toEqual([
    ['i1', 'people.get', { groupId: '@friends' }],
    ['i1', 'appdata.get', {}],
    ['i2', 'activities.get', { groupId: '@friends' }],
  ]);
  expect(Object.keys(network.calls()[0]?.tokens ?? {})).toEqual(['i1', 'i2']);
});

test('the same call is asked once, in the same tick and while it is on its way, however it is spelled', async () => {
  const { network, newPage, mount } = createSetting();
  const answered = Promise.withResolvers<void>();
  network.site = async () => {
    await answered.promise;
    return { ok: 'list' };
  };
  const container = newPage();
  const [one, two] = await Promise.all([mount(container), mount(container)]);
  const replies = [
    one.answer(friends),
    two.answer({ operation: 'people.get', params: { userId: '@me', groupId: '@friends' } }),
  ];
  await vi.waitFor(() => expect(network.calls()).toHaveLength(1));
  replies.push(one.answer({ operation: 'people.get', params: { userId: '1', groupId: '@friends', count: 0 } }));
  answered.resolve();
  expect(await Promise.all(replies)).toEqual(Array(3).fill({ ok: 'list', meta: { ageMs: 0, source: 'network' } }));
  expect(network.calls().flatMap(({ calls }) => calls)).toHaveLength(1);
});

test('writes are never joined', async () => {
  const { network, gadget } = await mountOne();
  await Promise.all([gadget.answer(post), gadget.answer(post)]);
  expect(network.calls().flatMap(({ calls }) => calls)).toHaveLength(2);
});

test('reads that manifests preload are one POST, and the app’s own reads join it', async () => {
  const { network, newPage, mount } = createSetting();
  network.preload = [friends, stream];
  const container = newPage();
  const [gadget] = await Promise.all([mount(container, 'friends'), mount(container, 'stream')]);
  await Promise.all([gadget.answer(friends), gadget.answer(stream)]);
  expect(network.calls().map(({ calls }) => calls.length)).toEqual([4]);
});

test('each reply is handed over when it arrives, not when the last one does', async () => {
  const { network, newPage, mount } = createSetting();
  const never = new Promise<never>(() => undefined);
  network.site = ({ operation }) => (operation === 'people.get' ? { ok: 'quick' } : never);
  const gadget = await mount(newPage());
  void gadget.answer(stream);
  expect(await gadget.answer(friends)).toMatchObject({ ok: 'quick' });
});

test('many or large calls are several POSTs, each within the proxy’s limits of 500 calls and 1 MiB', async () => {
  const { network, gadget } = await mountOne();
  const large = { operation: 'appdata.update', params: { data: { a: 'あ'.repeat(100_000) } } };
  const many = Array.from({ length: 501 }, () => gadget.answer(post));
  const huge = Array.from({ length: 7 }, () => gadget.answer(large));
  await Promise.all([...many, ...huge]);
  expect(network.calls().map(({ calls }) => calls.length)).toEqual([500, 3, 2, 2, 1]);
  for (const { init } of network.posts) {
    expect(new TextEncoder().encode(init.body as string).length).toBeLessThan(1024 * 1024);
  }
});

test('calls beyond the size of one POST follow it, which keeps the order of writes, and are lost with it', async () => {
  const { network, gadget } = await mountOne();
  const write = (text: string) =>
    gadget.answer({ operation: 'appdata.update', params: { data: { a: text.repeat(200_000) } } });
  const sent = () => network.calls().map(({ calls }) => calls.map(({ params }) => JSON.stringify(params.data)[6]));
  const gate = Promise.withResolvers<Response>();
  network.transform = (response) => gate.promise.then(() => response);
  const first = [write('a'), write('b')];
  await vi.waitFor(() => expect(sent()).toEqual([['a']]));
  await tick();
  expect(sent()).toEqual([['a']]);
  gate.resolve(new Response());
  await Promise.all(first);
  expect(sent()).toEqual([['a'], ['b']]);
  network.transform = () => Promise.reject(new TypeError('Failed to fetch'));
  for (const reply of await Promise.all([write('c'), write('d')]))
    expect(reply).toMatchObject({ error: { code: 503 } });
  expect(sent()).toEqual([['a'], ['b'], ['c']]);
});

test.each([
  ['what cannot be meant', { operation: 'people.get', params: { count: 'many' } }, 400],
  ['an identity parameter (security rule 11)', { operation: 'people.get', params: { XOAuth_requestor_id: '2' } }, 403],
  ['an operation that the site lacks', { operation: 'people.update', params: {} }, 501],
  ['an inherited name', { operation: 'constructor', params: {} }, 501],
])('%s is answered at once and never sent', async (_, request, code) => {
  const { network, gadget } = await mountOne();
  expect(gadget.answer(request)).toMatchObject({ error: { code } });
  expect(network.calls()).toEqual([]);
});

test('while nobody is signed in, @viewer is refused without a POST', async () => {
  const { network, newPage, mount } = createSetting();
  network.viewer = undefined;
  const gadget = await mount(newPage(), 'friends', '7');
  expect(gadget.answer(friends)).toMatchObject({ error: { code: 401, data: { reason: 'UNAUTHORIZED' } } });
  expect(network.calls()).toEqual([]);
});

test('a connection that fails answers every call with UNAVAILABLE', async () => {
  const { network, gadget } = await mountOne();
  network.transform = () => {
    throw new TypeError('Failed to fetch');
  };
  const replies = await Promise.all([gadget.answer(friends), gadget.answer(save)]);
  expect(replies).toMatchObject([
    { error: { code: 503, data: { reason: 'UNAVAILABLE' } } },
    { error: { code: 503, data: { reason: 'UNAVAILABLE' } } },
  ]);
});

test('an answer that breaks off settles the calls that had none', async () => {
  const { network, gadget } = await mountOne();
  network.transform = () => new Response('{"id":"0","ok":"first"}\n{"id":"1","ok":"sec');
  expect(await Promise.all([gadget.answer(friends), gadget.answer(notes)])).toMatchObject([
    { ok: 'first' },
    { error: { code: 503, data: { reason: 'UNAVAILABLE' } } },
  ]);
});

test('an HTTP error of the proxy is the answer to every call, in its own words', async () => {
  const { network, gadget } = await mountOne();
  network.transform = () =>
    Response.json({ error: { code: 403, message: 'Only pages of the site.' } }, { status: 403 });
  expect(await gadget.answer(friends)).toEqual({ error: { code: 403, message: 'Only pages of the site.' } });
});

test('an HTTP error page of a proxy in between is reported with its status', async () => {
  const { network, gadget } = await mountOne();
  network.transform = () => new Response('<h1>Bad gateway</h1>', { status: 502 });
  expect(await gadget.answer(friends)).toMatchObject({ error: { code: 503, message: 'The site answered 502.' } });
});

test('a network that goes quiet is TIMED_OUT after 30 s', async () => {
  const { network, gadget } = await mountOne();
  vi.useFakeTimers();
  try {
    network.site = () => new Promise(() => undefined);
    const reply = Promise.resolve(gadget.answer(friends));
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await reply).toMatchObject({ error: { code: 504, data: { reason: 'TIMED_OUT' } } });
  } finally {
    vi.useRealTimers();
  }
});

test('a call given up before its tick ends is never sent', async () => {
  const { network, gadget } = await mountOne();
  const controller = new AbortController();
  const replies = [
    gadget.answer(post, controller.signal),
    gadget.answer(friends, controller.signal),
    gadget.answer(notes),
  ];
  controller.abort();
  expect(await Promise.all(replies)).toMatchObject([
    { error: { code: 499, data: { reason: 'ABORTED' } } },
    { error: { code: 499, data: { reason: 'ABORTED' } } },
    { ok: {} },
  ]);
  expect(network.calls().flatMap(({ calls }) => calls.map(({ operation }) => operation))).toEqual(['appdata.get']);
});

test('a POST is aborted when everybody who waits for it gave up, and not before', async () => {
  const { network, newPage, mount } = createSetting();
  network.site = () => new Promise(() => undefined);
  const container = newPage();
  const [one, two] = await Promise.all([mount(container), mount(container)]);
  const [first, second] = [new AbortController(), new AbortController()];
  const replies = [one.answer(friends, first.signal), two.answer(friends, second.signal)];
  await vi.waitFor(() => expect(network.calls()).toHaveLength(1));
  const signal = network.posts.at(-1)?.init.signal as AbortSignal;
  first.abort();
  expect(await replies[0]).toMatchObject({ error: { code: 499 } });
  expect(signal.aborted).toBe(false);
  second.abort();
  expect(await replies[1]).toMatchObject({ error: { code: 499 } });
  expect(signal.aborted).toBe(true);
});

test('a write that has left the page is not given up: its outcome decides what is stale', async () => {
  const { network, gadget } = await mountOne();
  const written = Promise.withResolvers<void>();
  network.site = async () => {
    await written.promise;
    return { ok: {} };
  };
  const controller = new AbortController();
  const reply = gadget.answer(save, controller.signal);
  await vi.waitFor(() => expect(network.calls()).toHaveLength(1));
  controller.abort();
  written.resolve();
  expect(await reply).toEqual({ ok: {} });
});

test('a POST carries the tokens of at most 200 gadgets, as the proxy asks (security rule 25)', async () => {
  const { network, newPage, mount } = createSetting();
  const container = newPage();
  const gadgets = await Promise.all(
    Array.from({ length: 201 }, (_, index) => mount(container, 'friends', `m${index}`)),
  );
  await Promise.all([...gadgets, ...gadgets].map((gadget) => gadget.answer(friends)));
  expect(network.calls().map(({ tokens }) => Object.keys(tokens).length)).toEqual([200, 1]);
});

test('a call that is nested too deep is refused in the page and spoils no other of its POST (security rule 25)', async () => {
  const { network, newPage, mount } = createSetting();
  const container = newPage();
  const [hostile, other] = await Promise.all([mount(container, 'friends'), mount(container, 'stream')]);
  const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth));
  const [refused, deep, answered] = await Promise.all([
    hostile.answer({ operation: 'people.get', params: { junk: nested(61) } }),
    hostile.answer({ operation: 'people.get', params: { junk: nested(60) } }),
    other.answer(stream),
  ]);
  expect(refused).toMatchObject({ error: { code: 400, data: { reason: 'BAD_REQUEST' } } });
  expect([deep, answered]).toMatchObject([{ ok: { for: '1' } }, { ok: { for: '1' } }]);
  expect(network.calls()).toHaveLength(1);
});
