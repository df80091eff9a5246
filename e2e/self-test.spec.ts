import type { Page, Route } from '@playwright/test';
import { expect, inEachMode, test } from './hosted.ts';
import { idleRenderers } from './idle-renderers.ts';
import { inspect } from './inspect.ts';

// /gantry/self-test: results for a person who checks isolation in this browser, and for scripts.

interface Result {
  readonly verdict: string;
  readonly mode: string;
  readonly claims: Readonly<Record<string, { readonly result: string; readonly detail?: string }>>;
}

const words = { opaque: 'opaque', 'one origin': 'one sandbox origin', 'origin per app': 'an origin per app' };
// Not testable from a page in this browser.
const untried = { webrtc: 'untried', names: 'untried' };
const held = [
  ...['starts', 'origin', 'document', 'page', 'cookies', 'storage', 'top', 'find', 'forge'],
  ...['fetch', 'xhr', 'beacon', 'socket', 'events', 'picture', 'style', 'script', 'import', 'font', 'media', 'preload'],
  ...['object', 'frame', 'srcdoc', 'worker', 'form', 'location', 'link', 'refresh'],
  ...['framed-location', 'framed-link', 'framed-refresh'],
];

async function finished(page: Page): Promise<Result> {
  await expect(page.locator('html')).toHaveAttribute('data-self-test', /holds|open|broken/);
  return JSON.parse((await page.locator('#result').textContent()) ?? '');
}

async function resultsOf(page: Page): Promise<Record<string, string>> {
  const { claims } = await finished(page);
  return Object.fromEntries(Object.entries(claims).map(([id, { result }]) => [id, result]));
}

/** Removes headers from the server's responses, as a careless reverse proxy would. */
function without(...names: readonly string[]): (route: Route) => Promise<void> {
  return async (route) => {
    const { host, port, pathname, search } = new URL(route.request().url());
    const url = `http://127.0.0.1:${port}${pathname}${search}`; // only browsers find *.localhost
    const response = await route.fetch({ url, headers: { ...route.request().headers(), host } });
    const headers = Object.entries(response.headers()).filter(([name]) => !names.includes(name));
    await route.fulfill({ response, headers: Object.fromEntries(headers) });
  };
}

test.describe.configure({ mode: 'parallel' }); // the last file, shared by the workers
// Intercepted documents come from no address, and may otherwise request nothing of this machine.
// Playwright's own feature list, replaced here, disables storage partitioning.
test.use({
  launchOptions: {
    executablePath: process.env.GANTRY_CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', `--disable-features=${['LocalNetworkAccessChecks', ...idleRenderers].join()}`],
  },
});

inEachMode((mode) => {
  test('the self-test finds that everything holds in Chromium (ADR 24)', async ({ page, hosted }) => {
    await page.goto(`${hosted.url}/gantry/self-test`);
    const result = await finished(page);
    expect(await resultsOf(page)).toEqual({
      ...Object.fromEntries(held.map((id) => [id, 'holds'])),
      'own-storage': mode === 'origin per app' ? 'holds' : 'untried',
      ...untried,
    });
    expect([result.verdict, result.mode]).toEqual(['holds', words[mode]]);
    await expect(page.getByRole('status')).toHaveText('Isolation holds in this browser.');
    expect(await page.evaluate(() => document.cookie)).toBe('');
  });
});

test('control: without the headers of apps the self-test lists what gets out', async ({ page, hosted }) => {
  const guards = ['content-security-policy', 'connection-allowlist', 'cross-origin-embedder-policy'];
  await page.route('**/self-test/apps/stranger*', without(...guards));
  await page.goto(`${hosted.url}/gantry/self-test`);
  const results = await resultsOf(page);
  const broken = Object.keys(results).filter((id) => results[id] === 'broken');
  const open = Object.keys(results).filter((id) => results[id] === 'open');
  expect(broken.sort()).toEqual(held.slice(held.indexOf('fetch'), held.indexOf('location')).sort());
  expect(open.sort()).toEqual(['link', 'location', 'refresh']);
  await expect(page.getByRole('status')).toContainText('Isolation does not hold in this browser.');
});

test('without Connection-Allowlist, as in other browsers, apps can navigate away unless frame-src forbids it', async ({
  page,
  hosted,
}) => {
  await page.route('**/self-test/apps/stranger*', without('connection-allowlist'));
  await page.goto(`${hosted.url}/gantry/self-test`);
  const results = await resultsOf(page);
  const open = Object.keys(results).filter((id) => results[id] === 'open');
  expect(open.sort()).toEqual(['link', 'location', 'refresh']);
  expect(Object.values(results)).not.toContain('broken');
  await expect(page.locator('html')).toHaveAttribute('data-self-test', 'open');
  expect(results['framed-location']).toBe('holds');
});

test('control: an app without a sandbox takes the page away, and the landing page says so', async ({
  page,
  hosted,
}) => {
  await page.route('**/self-test/apps/app*', without('content-security-policy', 'connection-allowlist'));
  await page.addInitScript(() => {
    const { setAttribute } = Element.prototype;
    Element.prototype.setAttribute = function (name, value) {
      if (name !== 'sandbox') setAttribute.call(this, name, value);
    };
  });
  await page.goto(`${hosted.url}/gantry/self-test`);
  await expect(page.getByText('isolation does not hold')).toBeVisible();
});

test('control: with a frame-src that allows everything apps can navigate away', async ({ page, hosted }) => {
  await page.route('**/self-test/narrow', async (route) => {
    const response = await route.fetch();
    const policy = response.headers()['content-security-policy']?.replace(/frame-src [^;]*;/, '') ?? '';
    await route.fulfill({
      response,
      headers: { ...response.headers(), 'content-security-policy': policy.replace("default-src 'none';", '') },
    });
  });
  await page.goto(`${hosted.url}/gantry/self-test`);
  const results = await resultsOf(page);
  const broken = Object.keys(results).filter((id) => results[id] === 'broken');
  expect(broken.sort()).toEqual(['framed-link', 'framed-location', 'framed-refresh']);
});

test('control: a container that accepts any hello fails the self-test', async ({ page, hosted }) => {
  await page.addInitScript(() => {
    addEventListener('message', ({ data, ports }) => {
      if (data?.gantry === 'hello') ports[0]?.postMessage('welcome');
    });
  });
  await page.goto(`${hosted.url}/gantry/self-test`);
  expect((await resultsOf(page)).forge).toBe('broken');
});

test('the self-test’s page passes axe, light and dark, fits 320 px, and its buttons work by keyboard', async ({
  page,
  hosted,
}) => {
  await page.route('**/self-test/apps/stranger*', without('connection-allowlist'));
  await page.goto(`${hosted.url}/gantry/self-test`);
  await finished(page);
  await inspect(page, 'self-test with a gap');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Try again' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.locator('html')).toHaveAttribute('data-self-test', 'running');
  await finished(page);
});
