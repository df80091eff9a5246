import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { CallsRequest, Instance, InstanceRequest, Reply } from '@gantry/wire';
import { test as base, expect, type FrameLocator, type Page } from '@playwright/test';
import { build, type InlineConfig, type Rollup } from 'vite';
import { storedResults } from './stored.ts';

// The element in a real browser, against a site that implements the proxy's protocol only.

interface Site {
  readonly url: string;
  /** The same site on another origin. */
  readonly otherOrigin: string;
  viewer: string;
  instance: Partial<Instance>;
  title: string;
  /** Makes the proxy leave `POST instances` unanswered. */
  isDown: boolean;
  answer: (operation: string) => Promise<Reply> | Reply;
  /** Bodies of `POST calls`. */
  readonly calls: CallsRequest[];
}

// The scripts of each app's document. `app` is the bridge's end.
const bridge = '<script src="/app.js"></script>';
const apps: Readonly<Record<string, string>> = {
  friends: `${bridge}<script>
    const friends = { operation: 'people.get', params: '{"groupId":"@friends"}' };
    const show = (reply) => { document.body.textContent = JSON.stringify(reply.ok ?? reply.error); };
    app.send(friends, show);</script>`,
  idle: bridge,
  restless: `${bridge}<script>app.welcome.then(() => setTimeout(() => location.reload(), 50));</script>`,
  runaway: '<script>addEventListener("load", () => setTimeout(() => location.reload()));</script>',
  stranger: '',
};

const test = base.extend<{ site: Site; show: (body: string) => Promise<Page> }, { scripts: Scripts }>({
  scripts: [async ({ browserName: _ }, use) => use(await buildScripts()), { scope: 'worker' }], // Playwright reads parameter names
  site: async ({ scripts }, use) => {
    const site = await startSite(scripts);
    await use(site);
    await site.close();
  },
  show: async ({ page, site }, use) => {
    await use(async (body) => {
      await page.goto(`${site.url}/?${new URLSearchParams({ body })}`);
      return page;
    });
  },
});

test('shows an app with its data, in a frame that is closed by default (security rule 4)', async ({ site, show }) => {
  const page = await show('<gantry-gadget app="friends"></gantry-gadget>');
  await expect(frameOf(page).locator('body')).toHaveText('"people.get for 1"');
  const frame = page.locator('gantry-gadget iframe');
  expect(
    await frame.evaluate((element) => Object.fromEntries([...element.attributes].map((a) => [a.name, a.value]))),
  ).toEqual({
    title: 'Friends',
    part: 'frame',
    loading: 'eager',
    allow: '',
    referrerpolicy: 'no-referrer',
    sandbox: 'allow-scripts allow-forms',
    src: expect.stringMatching(
      `^${site.url}/gantry/apps/friends/#gantry=1\\.[0-9a-f]{32}\\.${encodeURIComponent(site.url)}$`,
    ),
  });
});

test('preloads of all gadgets are one POST, asked before the frames ask', async ({ site, show }) => {
  site.instance = { preload: [{ operation: 'people.get', params: { groupId: '@friends' } }] };
  const page = await show('<gantry-gadget app="friends"></gantry-gadget><gantry-gadget app="friends"></gantry-gadget>');
  await expect(frameOf(page, 0).locator('body')).toHaveText('"people.get for 1"');
  await expect(frameOf(page, 1).locator('body')).toHaveText('"people.get for 1"');
  expect(site.calls.map(({ calls }) => calls.length)).toEqual([1]);
});

test('tells the page that the app is ready, with a status while it loads', async ({ show }) => {
  const page = await show(`
    <script>addEventListener('gantry-ready', ({ detail }) => { document.title = 'ready: ' + detail.app; });</script>
    <gantry-gadget app="friends" heading></gantry-gadget>`);
  await expect(page).toHaveTitle('ready: friends');
  await expect(page.getByRole('heading', { name: 'Friends' })).toBeVisible();
  await expect(page.locator('[part=skeleton]')).toHaveCount(0);
});

test('an app that the proxy refuses is a card that says why, and can be tried again by keyboard', async ({
  site,
  show,
}) => {
  site.isDown = true;
  const page = await show(`
    <script>addEventListener('gantry-error', ({ detail }) => { document.title = detail.data.reason; });</script>
    <gantry-gadget app="friends"></gantry-gadget>`);
  const card = page.locator('[part=card]');
  await expect(card).toContainText('The database is not available.');
  await expect(page).toHaveTitle('UNAVAILABLE');
  site.isDown = false;
  await page.keyboard.press('Tab');
  await expect(card.getByRole('button', { name: 'Try again' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(frameOf(page).locator('body')).toHaveText('"people.get for 1"');
  await expect(card).toHaveCount(0);
});

/** Adds another gadget, and delays the proxy's response. */
async function appendHeld(page: Page): Promise<() => void> {
  const held = Promise.withResolvers<void>();
  await page.route('**/gantry/instances', (route) => held.promise.then(() => route.continue()));
  await page.evaluate(() =>
    document.body.append(Object.assign(document.createElement('gantry-gadget'), { app: 'friends' })),
  );
  await expect(page.locator('iframe')).toHaveCount(2);
  return held.resolve;
}

test('the frame of an app that the page knows loads while the proxy is asked, and hears nothing before it answers', async ({
  show,
}) => {
  const page = await show('<gantry-gadget app="friends"></gantry-gadget>');
  await expect(frameOf(page).locator('body')).toHaveText('"people.get for 1"');
  const answer = await appendHeld(page);
  const body = frameOf(page, 1).locator('body');
  await expect.poll(() => body.evaluate('typeof app')).toBe('object');
  await body.evaluate('void app.welcome.then(() => { globalThis.isWelcome = true; })');
  expect(await body.evaluate('globalThis.isWelcome')).toBeUndefined();
  answer();
  await expect(body).toHaveText('"people.get for 1"');
  expect(await body.evaluate('globalThis.isWelcome')).toBe(true); // the same document
});

test('a frame that began to load goes when the proxy refuses its app', async ({ site, show }) => {
  const page = await show('<gantry-gadget app="friends"></gantry-gadget>');
  await expect(frameOf(page).locator('body')).toHaveText('"people.get for 1"');
  const answer = await appendHeld(page);
  site.isDown = true;
  answer();
  await expect(page.locator('[part=card]')).toContainText('The database is not available.');
  await expect(page.locator('iframe')).toHaveCount(1);
});

test('a frame that began to load goes when the proxy names another document', async ({ site, show }) => {
  const page = await show('<gantry-gadget app="friends"></gantry-gadget>');
  await expect(frameOf(page).locator('body')).toHaveText('"people.get for 1"');
  const answer = await appendHeld(page);
  site.instance = { document: `${site.url}/gantry/apps/idle/` };
  answer();
  await expect(page.locator('iframe').last()).toHaveAttribute('src', /\/apps\/idle\//);
  await expect(page.locator('iframe')).toHaveCount(2);
});

test('an app that never says hello is a card after ten seconds', async ({ page, show }) => {
  await page.clock.install();
  await show('<gantry-gadget app="stranger"></gantry-gadget>');
  await page.locator('iframe').waitFor({ state: 'attached' });
  await page.clock.fastForward(9_000);
  await expect(page.locator('[part=skeleton]')).toBeVisible();
  await page.clock.fastForward(2_000);
  await expect(page.locator('[part=card]')).toContainText('It did not start in time.');
});

test('a frame that reloads gets a new frame, and its open calls end (security rule 2)', async ({ site, show }) => {
  const page = await show('<gantry-gadget app="friends"></gantry-gadget>');
  await expect(frameOf(page).locator('body')).toHaveText('"people.get for 1"');
  const first = await page.locator('iframe').elementHandle();
  const callArrived = Promise.withResolvers<void>();
  site.answer = () => {
    callArrived.resolve();
    return new Promise(() => {});
  };
  const aborted = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/calls'));
  const frame = await first?.contentFrame();
  await frame?.evaluate('void app.send({ operation: "albums.get", params: "{}" }, () => {})');
  await callArrived.promise;
  site.answer = (operation) => ({ ok: `${operation} anew` });
  await frame?.evaluate('location.reload()').catch(() => {});
  await aborted;
  await expect(frameOf(page).locator('body')).toHaveText('"people.get for 1"'); // from the cache
  expect(await first?.evaluate((element) => element.isConnected)).toBe(false);
});

for (const [app, when] of [
  ['restless', 'after its hello'],
  ['runaway', 'and never says hello'],
]) {
  test(`an app that reloads again and again ${when} is stopped with a card, on an old page too`, async ({
    page,
    show,
  }) => {
    await page.clock.install();
    await show('');
    await page.clock.fastForward(60_000);
    await page.evaluate(
      (name) => document.body.append(Object.assign(document.createElement('gantry-gadget'), { app: name })),
      app,
    );
    await expect(page.locator('[part=card]')).toContainText('so it was stopped');
    await expect(page.locator('iframe')).toHaveCount(0);
  });
}

test('an element that is moved loads its app anew', async ({ show }) => {
  const page = await show('<gantry-gadget app="friends"></gantry-gadget><main></main>');
  await expect(frameOf(page).locator('body')).toHaveText('"people.get for 1"');
  await page.evaluate(() => document.querySelector('main')?.append(document.querySelector('gantry-gadget') as Element));
  await expect(page.locator('main').frameLocator('iframe').locator('body')).toHaveText('"people.get for 1"');
});

test('height follows adjustHeight within limits, and nothing but a positive number counts', async ({ show }) => {
  const page = await show(`
    <script>heights = []; addEventListener('gantry-height', ({ detail }) => heights.push(detail.height));</script>
    <gantry-gadget app="idle"></gantry-gadget>`);
  const frame = page.locator('iframe');
  await expect(frame).toHaveCSS('height', '320px');
  const adjust = (height: string) => frameOf(page).locator('body').evaluate(`app.act('adjustHeight', ${height})`);
  expect(await adjust('410.2')).toEqual({ ok: 411 });
  await expect(frame).toHaveCSS('height', '411px');
  for (const height of ['0', '-5', 'NaN', '"900px"', '{}', '[500]', 'undefined'])
    expect(await adjust(height)).toEqual({ ok: 411 });
  expect(await adjust('1e9')).toEqual({ ok: 4_000 });
  expect(await adjust('Infinity')).toEqual({ ok: 4_000 });
  expect(await page.evaluate('heights')).toEqual([320, 411, 4_000]);
});

test('an app’s text is shown as text (security rule 7)', async ({ site, show }) => {
  site.title = '<img src=x onerror="document.title = `broken in`">';
  const page = await show(`
    <gantry-gadget app="friends" heading></gantry-gadget>
    <script>document.body.insertAdjacentHTML('beforeend', '<i>' + ${JSON.stringify(site.title)} + '</i>')</script>`);
  await expect(page).toHaveTitle('broken in'); // control: as markup it runs
  await page.evaluate(() => document.querySelector('i')?.remove());
  await expect(page.getByRole('heading')).toHaveText(site.title);
  expect(await page.locator('img').count()).toBe(0);
});

test('allow-same-origin on the page’s own origin is refused loudly (security rule 4)', async ({ site, show, page }) => {
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  const body = '<gantry-gadget app="friends"></gantry-gadget>';
  site.instance = { sandbox: 'allow-scripts Allow-Same-Origin' };
  await show(body);
  await expect(page.locator('[part=card]')).toContainText('asks for the origin of the page itself');
  await expect(page.locator('iframe')).toHaveCount(0);
  expect(errors).toEqual([expect.stringContaining('asks for the origin of the page itself')]);
  site.instance = { ...site.instance, document: `${site.otherOrigin}/gantry/apps/friends/` };
  await show(body); // control: a separate host permits it
  await expect(frameOf(page).locator('body')).toHaveText('"people.get for 1"');
});

test('after another member signed in, every gadget shows that member’s data (security rule 14)', async ({
  site,
  show,
}) => {
  const page = await show('<gantry-gadget app="friends"></gantry-gadget><gantry-gadget app="idle"></gantry-gadget>');
  await expect(frameOf(page).locator('body')).toHaveText('"people.get for 1"');
  const idle = frameOf(page, 1).locator('body');
  await expect.poll(() => idle.evaluate('typeof app')).toBe('object'); // the frame exists before its app
  site.viewer = '2';
  await idle.evaluate('void setTimeout(() => app.send({ operation: "albums.get", params: "{}" }, () => {}))');
  await expect(frameOf(page).locator('body')).toHaveText('"people.get for 2"');
});

test('results outlive the page in IndexedDB, and a reload shows them without a POST', async ({ site, show, page }) => {
  const body = '<gantry-gadget app="friends"></gantry-gadget>';
  await show(body);
  await expect(frameOf(page).locator('body')).toHaveText('"people.get for 1"');
  await expect.poll(() => storedResults(page)).toBe(1);
  await show(body);
  await expect(frameOf(page).locator('body')).toHaveText('"people.get for 1"');
  expect(site.calls).toHaveLength(1);
});

test('an app’s frame holds no token, and cannot reach the page (security rules 4 and 9)', async ({ show, site }) => {
  const page = await show('<gantry-gadget app="friends"></gantry-gadget>');
  await expect(frameOf(page).locator('body')).toHaveText('"people.get for 1"');
  expect(JSON.stringify(site.calls)).toContain('token of'); // control: the page itself sends it
  const seen = await frameOf(page)
    .locator('body')
    .evaluate(`(async () => {
    let parent; try { parent = window.parent.document.title } catch (error) { parent = error.name }
    return { parent, text: JSON.stringify([location.href, document.documentElement.outerHTML, await app.welcome]) };
  })()`);
  expect(seen).toEqual({ parent: 'SecurityError', text: expect.not.stringContaining('token of') });
});

function frameOf(page: Page, index = 0): FrameLocator {
  return page.locator('gantry-gadget').nth(index).frameLocator('iframe');
}

interface Scripts {
  /** By path below `/gantry/`. */
  readonly container: Readonly<Record<string, string>>;
  readonly app: string;
}

async function buildScripts(): Promise<Scripts> {
  const root = fileURLToPath(new URL('../packages/container', import.meta.url));
  const entry = 'virtual:app';
  const source = "import { connectToContainer } from '@gantry/bridge'; globalThis.app = connectToContainer();";
  const container = { root, configFile: `${root}/vite.config.ts` };
  const app: InlineConfig = {
    root,
    configFile: false,
    resolve: { conditions: ['@gantry/source'] },
    plugins: [
      {
        name: 'app',
        resolveId: (id) => (id === entry ? `${root}/app.js` : undefined),
        load: (id) => (id === `${root}/app.js` ? source : undefined),
      },
    ],
    build: { modulePreload: false, rolldownOptions: { input: entry, output: { format: 'iife' } } },
  };
  const [files, appFiles] = await Promise.all([buildInMemory(container), buildInMemory(app)]);
  return { container: files, app: Object.values(appFiles)[0] as string };
}

async function buildInMemory(config: InlineConfig): Promise<Record<string, string>> {
  const built = await build({ ...config, logLevel: 'warn', build: { ...config.build, write: false } });
  return Object.fromEntries(
    ([built].flat() as Rollup.RollupOutput[])
      .flatMap(({ output }) => output)
      .map((file) => [file.fileName, 'code' in file ? file.code : '']),
  );
}

async function startSite({ container, app }: Scripts): Promise<Site & { close(): Promise<void> }> {
  const scriptOf = (pathname: string) => container[pathname.slice('/gantry/'.length)];
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', site.url);
    const send = (status: number, type: string, text: string) =>
      response.writeHead(status, { 'Content-Type': type, 'Access-Control-Allow-Origin': '*' }).end(text);
    const appId = /^\/gantry\/apps\/(\w+)\/$/.exec(pathname)?.[1];
    if (pathname === '/') send(200, 'text/html', pageWith(searchParams.get('body') ?? ''));
    else if (scriptOf(pathname) !== undefined) send(200, 'text/javascript', scriptOf(pathname) as string);
    else if (pathname === '/app.js') send(200, 'text/javascript', app);
    else if (appId !== undefined) send(200, 'text/html', documentOf(appId));
    else if (pathname === '/gantry/instances' && site.isDown) send(503, 'application/json', JSON.stringify(down));
    else if (pathname === '/gantry/instances') {
      const requests = (await bodyOf(request)) as InstanceRequest[];
      send(200, 'application/json', JSON.stringify(requests.map((item) => ({ ok: instanceOf(site, item) }))));
    } else if (pathname === '/gantry/calls') {
      const body = (await bodyOf(request)) as CallsRequest;
      site.calls.push(body);
      response.writeHead(200, { 'Content-Type': 'application/x-ndjson' }).flushHeaders();
      const lines = body.calls.map(async ({ id, instance, operation }) => {
        const isSame = body.tokens[instance] === `token of ${site.viewer}`;
        response.write(`${JSON.stringify({ id, ...(isSame ? await site.answer(operation) : viewerChanged) })}\n`);
      });
      await Promise.all(lines);
      response.end();
    } else send(404, 'text/plain', '');
  }).listen(0);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const site: Site = {
    url: `http://localhost:${port}`,
    otherOrigin: `http://127.0.0.1:${port}`,
    viewer: '1',
    instance: {},
    title: 'Friends',
    isDown: false,
    answer: (operation) => ({ ok: `${operation} for ${site.viewer}` }),
    calls: [],
  };
  return Object.assign(site, {
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  });
}

const down = { error: { code: 503, message: 'The database is not available.', data: { reason: 'UNAVAILABLE' } } };
const viewerChanged = { error: { code: 401, message: 'Another member.', data: { reason: 'VIEWER_CHANGED' } } };

let serial = 0;

function instanceOf(site: Site, { app, owner = site.viewer, view = 'home' }: InstanceRequest): Instance {
  serial += 1;
  return {
    instance: `i${serial}`,
    token: `token of ${site.viewer}`,
    expiresIn: 600,
    document: `${site.url}/gantry/apps/${app}/`,
    sandbox: 'allow-scripts allow-forms',
    upstream: 'site',
    preload: [],
    consent: { needed: [], optional: [] },
    revokedAtMs: 0,
    uses: ['people.get', 'albums.get', 'activities.get', 'appdata.get'],
    context: {
      app: { id: app, title: site.title },
      viewer: site.viewer,
      owner,
      view,
      views: ['home', 'profile', 'canvas'],
      height: 320,
      operations: [],
      permissions: ['people', 'albums', 'activities', 'appdata'],
    },
    ...site.instance,
  };
}

function pageWith(body: string): string {
  return `<!doctype html><html lang="en"><meta name="color-scheme" content="light dark"><title>Home</title>
    <script type="module" src="/gantry/container.js"></script><body>${body}`;
}

function documentOf(id: string): string {
  return `<!doctype html><html lang="en"><meta name="color-scheme" content="light dark"><title>${id}</title>
    <body>${apps[id]}`;
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return JSON.parse(text);
}
