import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { build, type Rollup } from 'vite';
import { expect, test } from './hosted.ts';
import type { ToolSetting } from './tool-page.ts';

// Options of containers for tools: two viewers on one page, time, emulation, state, and apps under
// development.

const app = `<!doctype html><html lang="en"><title>Notes</title><p id="out"></p><button>Save</button>
  <script src="/gantry/osapi.js"></script><script>
  osapi.ready.then(async ({ viewer, locale, timeZone, theme: { contrast, motion, direction }, params }) => {
    const { name } = await osapi.people.getViewer();
    const state = await gantry.state.get();
    out.textContent = JSON.stringify({ viewer, locale, timeZone, contrast, motion, direction, params, state });
  });
  gantry.on('teardown', () => gantry.state.set('saved'));
  document.querySelector('button').onclick = () => osapi.appdata.update({ data: { a: '1' } });
  </script>`;

test.use({
  apps: {
    notes: { 'index.html': app },
    restless: {
      'index.html':
        '<!doctype html><html lang="en"><title>Restless</title><script>onload = () => location.reload()</script>',
    },
    silent: { 'index.html': '<!doctype html><html lang="en"><title>Silent</title><p>No SDK' },
  },
});

let script = '';
test.beforeAll(async () => {
  const output = await build({
    root: import.meta.dirname,
    configFile: false,
    logLevel: 'warn',
    resolve: { conditions: ['@gantry/source'] },
    build: {
      write: false,
      minify: false,
      modulePreload: false,
      rolldownOptions: {
        input: fileURLToPath(new URL('tool-page.ts', import.meta.url)),
        output: { codeSplitting: false },
      },
    },
  });
  script = (output as Rollup.RollupOutput).output[0].code;
});

test.beforeEach(async ({ page, hosted }) => {
  await page.route('**/tool.js', (route) => route.fulfill({ contentType: 'text/javascript', body: script }));
  await page.route('**/tools', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: '<!doctype html><html lang="en"><title>Tools</title><body><script type="module" src="/tool.js"></script>',
    }),
  );
  await page.goto(`${hosted.url}/tools`);
});

const add = (page: Page, tag: string, setting: ToolSetting) =>
  page.evaluate(({ tag, setting }) => window.tool.add(tag, setting), { tag, setting });
const frameIn = (page: Page, tag: string) => page.frameLocator(`${tag} iframe`);
const outputOf = async (page: Page, tag: string): Promise<unknown> =>
  JSON.parse((await frameIn(page, tag).locator('#out').textContent()) || 'null');
/** Loads of documents, and incidents. */
const loads = (page: Page, tag: string) =>
  page.evaluate(
    (name) =>
      window.tool.seen[name]?.flatMap((one) =>
        one.kind === 'load' ? [one.what] : one.kind === 'incident' ? [one.name] : [],
      ),
    tag,
  );

test('two containers of two viewers share a page and nothing else', async ({ page }) => {
  const listening = new Set<string | undefined>();
  page.on('request', (request) => {
    if (request.url().endsWith('/gantry/events')) listening.add(request.headers().viewer);
  });
  await add(page, 'ann-gadget', {
    viewer: '1',
    app: 'notes',
    locale: 'de',
    emulation: { contrast: 'more', direction: 'rtl', locale: 'de-CH', timeZone: 'Asia/Tokyo' },
  });
  await add(page, 'bo-gadget', {
    viewer: '2',
    app: 'notes',
    locale: 'en',
    emulation: { motion: 'full', timeZone: 'UTC' },
  });
  await expect
    .poll(() => outputOf(page, 'ann-gadget'))
    .toMatchObject({
      viewer: '1',
      locale: 'de-CH',
      timeZone: 'Asia/Tokyo',
      contrast: 'more',
      motion: 'reduce',
      direction: 'rtl',
    });
  await expect
    .poll(() => outputOf(page, 'bo-gadget'))
    .toMatchObject({
      viewer: '2',
      locale: 'en',
      timeZone: 'UTC',
      contrast: 'normal',
      motion: 'full',
      direction: 'ltr',
    });
  await expect(page.locator('ann-gadget').getByRole('button', { name: 'Optionen' })).toBeAttached();
  await expect(page.locator('bo-gadget').getByRole('button', { name: 'Options' })).toBeAttached();
  await frameIn(page, 'ann-gadget').getByRole('button').click();
  await expect
    .poll(() => page.evaluate(() => window.tool.seen['ann-gadget']?.map(({ kind }) => kind)))
    .toContain('reply');
  expect(await loads(page, 'ann-gadget')).toEqual(['start', 'ready']);
  expect(await loads(page, 'bo-gadget')).toEqual(['start', 'ready']);
  await expect.poll(() => [...listening].sort()).toEqual(['1', '2']); // one stream for each viewer
  const storedCounts = await page.evaluate(async () => [
    (await indexedDB.databases()).length,
    localStorage.length,
    sessionStorage.length,
    (await navigator.locks.query()).held?.length,
  ]);
  expect(storedCounts).toEqual([0, 0, 0, 0]);
});

test('control: with the browser’s own storage, the second viewer’s container has the first one’s gadget loaded anew', async ({
  page,
}) => {
  await add(page, 'ann-gadget', { viewer: '1', app: 'notes', isShared: true });
  await expect.poll(() => loads(page, 'ann-gadget')).toEqual(['start', 'ready']);
  await add(page, 'bo-gadget', { viewer: '2', app: 'notes', isShared: true });
  await expect.poll(() => loads(page, 'ann-gadget')).toContain('restart');
});

test('a gadget begins with the state and parameters of a tool, and a reload keeps what it saved and where it was', async ({
  page,
}) => {
  await add(page, 'one-gadget', {
    viewer: '1',
    app: 'notes',
    state: { step: 2 },
    params: { tab: '3' },
    address: false,
  });
  await expect.poll(() => outputOf(page, 'one-gadget')).toMatchObject({ state: { step: 2 }, params: { tab: '3' } });
  await frameIn(page, 'one-gadget').locator('body').click();
  await frameIn(page, 'one-gadget')
    .locator('body')
    .evaluate(() =>
      (
        globalThis as unknown as { gantry: { views: { navigate(view: string, params: object): unknown } } }
      ).gantry.views.navigate('home', { tab: '4' }),
    );
  await page.locator('one-gadget').evaluate((element) => (element as HTMLElement & { reload(): void }).reload());
  await expect.poll(() => loads(page, 'one-gadget')).toEqual(['start', 'ready', 'reload', 'end', 'start', 'ready']);
  await expect.poll(() => outputOf(page, 'one-gadget')).toMatchObject({ state: 'saved', params: { tab: '4' } });
  expect(new URL(page.url()).hash).toBe('');
  const seen = await page.evaluate(() => window.tool.seen['one-gadget']);
  expect(seen?.[0]).toMatchObject({ app: 'notes', place: 'notes#1', kind: 'load', what: 'start' });
  expect(seen).toContainEqual(expect.objectContaining({ kind: 'handshake', sdk: expect.any(String) }));
  expect(seen).toContainEqual(expect.objectContaining({ kind: 'context' }));
  expect(seen).toContainEqual(expect.objectContaining({ kind: 'event', name: 'teardown' }));
  expect(seen).toContainEqual(
    expect.objectContaining({ kind: 'action', name: 'views.navigate', params: ['home', { tab: '4' }] }),
  );
});

test('an app under development that leaves its page is stopped as on a site, unless the page reloads it', async ({
  page,
}) => {
  await add(page, 'dev-gadget', { viewer: '1', app: 'notes', isDevelopment: true });
  const gadget = page.locator('dev-gadget');
  const readyTimes = async () => (await loads(page, 'dev-gadget'))?.filter((what) => what === 'ready').length;
  for (let time = 1; time <= 6; time++) {
    await expect.poll(readyTimes).toBe(time);
    await gadget.evaluate((element) => (element as HTMLElement & { reload(): void }).reload());
  }
  await expect.poll(readyTimes).toBe(7);
  await add(page, 'restless-gadget', { viewer: '1', app: 'restless', isDevelopment: true });
  await expect.poll(() => loads(page, 'restless-gadget')).toContain('failed');
  const seen = await loads(page, 'restless-gadget');
  expect(seen?.filter((what) => what === 'start')).toHaveLength(4);
  expect(seen?.filter((what) => what === 'left')).toHaveLength(4);
});

test('a jump of the clock makes a silent app silent without waiting', async ({ page }) => {
  await add(page, 'mute-gadget', { viewer: '1', app: 'silent' });
  await expect.poll(() => loads(page, 'mute-gadget')).toEqual(['start']);
  await page.evaluate(() => window.tool.jump(9_000));
  expect(await loads(page, 'mute-gadget')).toEqual(['start']); // control
  await page.evaluate(() => window.tool.jump(10_000));
  await expect.poll(() => loads(page, 'mute-gadget')).toEqual(['start', 'silent', 'end', 'failed']);
});
