import { expect, test } from './bridge/fixtures.ts';

test('an opaque app gets its port, and the nonce is gone from its address (security rule 2)', async ({
  page,
  open,
}) => {
  const frame = await open({ document: '/raw' });
  await frame.evaluate(() => window.raw.hello());
  await frame.evaluate(() => window.raw.ping());
  expect(await page.evaluate(() => window.host.events)).toEqual(['ready']);
  expect(await frame.evaluate(() => [window.origin, window.raw.heard[0]])).toEqual(['null', ['welcome', 'answer']]);

  const app = await open({ document: '/app' });
  await expect.poll(() => page.evaluate(() => window.host.events)).toEqual(['ready']);
  expect(new URL(app.url()).hash).toBe('');
});

test('a hello from a sibling frame is ignored, even with the right nonce (security rule 2)', async ({ page, open }) => {
  const victim = await open({ document: '/raw' });
  await page.evaluate(() => {
    const frame = document.createElement('iframe');
    frame.setAttribute('sandbox', 'allow-scripts');
    frame.src = `/raw#gantry=1.${window.host.nonce}.${encodeURIComponent(location.origin)}`;
    document.body.append(frame);
    return new Promise((resolve) => frame.addEventListener('load', resolve));
  });
  const forger = page.frames().at(-1);
  await forger?.evaluate(() => window.raw.hello());
  await expect.poll(() => page.evaluate(() => window.host.messages)).toBe(1);
  await victim.evaluate(() => window.raw.hello());
  await victim.evaluate(() => window.raw.ping());
  expect(await page.evaluate(() => window.host.events)).toEqual(['ready']);
  expect(await forger?.evaluate(() => window.raw.heard)).toEqual([[]]);
});

test('a hello with another nonce is ignored, and a second one of the same load, too (security rule 2)', async ({
  page,
  open,
}) => {
  const frame = await open({ document: '/raw' });
  await frame.evaluate(() => window.raw.hello({ nonce: '0123456789abcdef0123456789abcdef' }));
  await frame.evaluate(() => window.raw.hello());
  await frame.evaluate(() => window.raw.ping());
  await frame.evaluate(() => {
    window.raw.hello();
    window.raw.hello(); // replayed
  });
  expect(await page.evaluate(() => window.host.events)).toEqual(['ready']);
  await expect.poll(() => frame.evaluate(() => window.raw.heard)).toEqual([[], ['welcome', 'answer'], [], []]);
});

test('an app with another protocol version gets an error and is closed (security rule 2)', async ({ page, open }) => {
  const frame = await open({ document: '/raw' });
  await frame.evaluate(() => window.raw.hello({ versions: [2] }));
  await expect.poll(() => frame.evaluate(() => window.raw.heard)).toEqual([['closed']]);
  expect(await page.evaluate(() => window.host.events)).toEqual(['version']);
});

test('a hello from another origin than the frame has is ignored (security rule 2, an origin per app)', async ({
  page,
  open,
  server,
}) => {
  const sandbox = 'allow-scripts allow-same-origin';
  const frame = await open({ document: `${server.appOrigin}/raw`, sandbox });
  await frame.evaluate(() => window.raw.hello());
  await frame.evaluate(() => window.raw.ping());
  expect(await page.evaluate(() => window.host.events)).toEqual(['ready']);

  const stranger = await open({ document: `${server.appOrigin}/moved`, sandbox });
  await stranger.evaluate(() => window.raw.hello());
  await expect.poll(() => page.evaluate(() => window.host.messages)).toBe(1);
  expect(await page.evaluate(() => window.host.events)).toEqual([]);
});

test('a reload in the middle of a call settles it on the page, and the new document gets no port (security rule 2)', async ({
  page,
  open,
}) => {
  const frame = await open({ document: '/app' });
  await frame.evaluate(() => {
    Reflect.get(globalThis, 'osapi').appdata.get().execute(); // never answered
  });
  await expect.poll(() => page.evaluate(() => window.host.calls.length)).toBe(2);
  await Promise.all([frame.waitForNavigation(), frame.evaluate(() => location.reload())]);
  await expect.poll(() => page.evaluate(() => window.host.aborted)).toEqual(['APP_RELOADED']);
  expect(await page.evaluate(() => window.host.events)).toEqual(['ready', 'closed']);
  const reply = await frame.evaluate(
    () => new Promise((resolve) => Reflect.get(globalThis, 'osapi').people.getViewer().execute(resolve)),
  );
  expect(reply).toEqual({
    error: { code: 503, message: 'No Gantry container opened this document.', data: { reason: 'UNAVAILABLE' } },
  });
});

test('a document that outlives its port has every call settled (security rule 2)', async ({ page, open }) => {
  const frame = await open({ document: '/app' });
  const replies = frame.evaluate(() => {
    const { appdata } = Reflect.get(globalThis, 'osapi');
    const calls = [1, 2].map(() => new Promise((resolve) => appdata.get().execute(resolve)));
    const awaited = appdata.get().then(undefined, (error: Error) => ({ error: { ...error } }));
    return Promise.all([...calls, awaited]);
  });
  await expect.poll(() => page.evaluate(() => window.host.calls.length)).toBe(4);
  await page.evaluate(() => window.host.close());
  expect(await replies).toMatchObject([{ error: { code: 410 } }, { error: { code: 410 } }, { error: { code: 410 } }]);
});

test('an app that says hello before the page listens gets no port; the page receives only later ones', async ({
  page,
  open,
}) => {
  const frame = await open({ document: '/raw', late: true });
  await frame.evaluate(() => window.raw.hello());
  await expect.poll(() => page.evaluate(() => window.host.messages)).toBe(1);
  await page.evaluate(() => window.host.accept());
  await frame.evaluate(() => window.raw.hello());
  await frame.evaluate(() => window.raw.ping());
  expect(await frame.evaluate(() => window.raw.heard)).toEqual([[], ['welcome', 'answer']]);
});

test('an app that sends only rubbish loses its port, and the page works on (security rule 6)', async ({
  page,
  open,
}) => {
  const frame = await open({ document: '/raw' });
  await frame.evaluate(() => {
    window.raw.hello();
    for (let count = 0; count < 101; count += 1) void window.raw.attack('GET a method');
  });
  await expect.poll(() => page.evaluate(() => window.host.events)).toEqual(['ready', 'malformed']);
  expect(await page.evaluate(() => [window.host.calls, window.host.uncaught])).toEqual([[], []]);
});

test('the heartbeat detects a document that left after its hello and before its load (security rule 6)', async ({
  page,
  open,
}) => {
  const frame = await open({ document: '/hasty' });
  await expect.poll(() => page.evaluate(() => window.host.events)).toEqual(['ready']);
  await frame.waitForURL((url) => url.pathname === '/quirks');
  await frame.waitForLoadState('load');
  expect(await page.evaluate(() => [window.host.loads, window.host.events])).toEqual([1, ['ready']]);
  expect(await page.evaluate(() => window.host.isAlive())).toBe(false);
});

test('positive control: a document that stays answers the heartbeat before its load', async ({ page, open }) => {
  await open({ document: '/slow' }, 'commit');
  await expect.poll(() => page.evaluate(() => window.host.events)).toEqual(['ready']);
  expect(await page.evaluate(() => window.host.isAlive())).toBe(true);
  expect(await page.evaluate(() => window.host.loads)).toBe(0);
});
