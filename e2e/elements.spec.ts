import type { Page } from '@playwright/test';
import { expect, frameOf, inEachMode, test } from './hosted.ts';

// A gadget's element around its app: when its frame is made, moved, watched, stopped and restarted.

const sdk = '<script src="/gantry/osapi.js"></script>';
const page = (script: string) => `<!doctype html><html lang="en"><title>App</title><p id="out">Here</p>${sdk}
  <script>${script}</script>`;

test.use({
  apps: {
    calm: { 'index.html': page('window.born = Math.random();') },
    busy: { 'index.html': page('addEventListener("hashchange", () => { for (;;); });') },
    fleeting: {
      'index.html': page('location.replace("other.html");'),
      'other.html': '<!doctype html><html lang="en"><title>Elsewhere</title><p>Another document',
    },
    drawn: {
      'index.html': `<!doctype html><html lang="en"><title>Drawn</title><script>
        const sdk = Object.assign(document.createElement('script'), { src: '/gantry/osapi.js' });
        requestAnimationFrame(() => document.head.append(sdk));</script>`,
    },
    silent: { 'index.html': '<!doctype html><html lang="en"><title>Silent</title><p>No SDK' },
  },
});

const calm = '<gantry-gadget app="calm"></gantry-gadget>';
const screenful = '<div style="block-size: 6000px"></div>';
const collect = `<script>incidents = []; states = [];
  addEventListener('gantry-incident', ({ detail }) => incidents.push(detail));
  addEventListener('gantry-state', ({ detail }) => states.push(detail.state));</script>`;

/** Blocks an app's main thread forever once its document exists. */
async function makeBusy(page: Page, app: string): Promise<void> {
  await page.locator(`gantry-gadget[app="${app}"]`).evaluate((element) => {
    const frame = element.shadowRoot?.querySelector('iframe') as HTMLIFrameElement;
    frame.src = `${frame.src.split('#')[0]}#busy`; // only another fragment: the document stays
  });
}

const stateOf = (page: Page, app: string, index = 0) =>
  page
    .locator(`gantry-gadget[app="${app}"]`)
    .nth(index)
    .evaluate((element) => (element as HTMLElement & { state: string }).state);

test('a page of 100 gadgets asks for all in one POST, and loads only those that are near the view', async ({
  show,
  page,
}) => {
  const posts: string[] = [];
  const documents: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/instances')) posts.push(request.url());
    if (request.url().includes('/apps/calm/')) documents.push(request.url());
  });
  await page.setViewportSize({ width: 800, height: 600 });
  await show(`<style>gantry-gadget { --gantry-height: 200px; margin-block-end: 20px }</style>${calm.repeat(100)}`);
  await expect.poll(() => stateOf(page, 'calm')).toBe('ready');
  await expect.poll(() => stateOf(page, 'calm', 2)).toBe('ready');
  const loaded = documents.length;
  expect(loaded).toBeGreaterThanOrEqual(2);
  expect(loaded).toBeLessThan(8);
  expect(posts).toHaveLength(1);
  expect(await stateOf(page, 'calm', 99)).toBe('waiting');
  await page.locator('gantry-gadget').last().scrollIntoViewIfNeeded();
  await expect.poll(() => stateOf(page, 'calm', 99)).toBe('ready');
  expect(posts).toHaveLength(1);
});

test('eager gadgets load wherever they stand, and paper shows all of them', async ({ show, page }) => {
  await show(`${screenful}<gantry-gadget app="calm" loading="eager"></gantry-gadget>${calm}`);
  await expect.poll(() => stateOf(page, 'calm')).toBe('ready');
  expect(await stateOf(page, 'calm', 1)).toBe('waiting');
  await page.pdf();
  await expect.poll(() => stateOf(page, 'calm', 1)).toBe('ready');
});

test('nothing moves while a gadget comes: heading, app and menu have their places from the start', async ({
  show,
  page,
}) => {
  await show(`<style>gantry-gadget:not(:defined) { display: block; min-block-size: calc(200px + 2.25rem) }</style>
    <script>moved = []; new PerformanceObserver((list) => {
      for (const { sources } of list.getEntries()) for (const { previousRect, currentRect } of sources) moved.push(currentRect.y - previousRect.y);
    }).observe({ type: 'layout-shift' });</script>
    <gantry-gadget app="calm" heading></gantry-gadget><p>Below</p>`);
  await expect(page.getByRole('button', { name: 'Options for calm' })).toBeVisible();
  await page.evaluate("document.body.style.paddingTop = '40px'"); // control: the only move
  await expect.poll(() => page.evaluate('[...new Set(moved)]')).toEqual([40]);
});

test('an app that says hello only when it is drawn starts all the same (ADR 14)', async ({ show, page }) => {
  await show('<gantry-gadget app="drawn"></gantry-gadget>');
  await expect.poll(() => stateOf(page, 'drawn')).toBe('ready');
});

test('a gadget that is hidden waits until it is shown', async ({ show, page }) => {
  await show('<gantry-gadget app="calm" hidden></gantry-gadget><gantry-gadget app="calm"></gantry-gadget>');
  await expect.poll(() => stateOf(page, 'calm', 1)).toBe('ready');
  expect(await stateOf(page, 'calm')).toBe('waiting');
  await page
    .locator('gantry-gadget')
    .first()
    .evaluate((element) => element.removeAttribute('hidden'));
  await expect.poll(() => stateOf(page, 'calm')).toBe('ready');
});

test('moveBefore moves a gadget without an effect on its document', async ({ show, page }) => {
  await show(`${calm}<main></main>`);
  const born = () => frameOf(page, 'calm').locator('#out').evaluate("typeof born === 'number' ? born : 0");
  await expect.poll(born).toBeGreaterThan(0); // its script has run
  const before = await born();
  await page.evaluate(() => {
    const main = document.querySelector('main') as HTMLElement & { moveBefore(node: Node, child: null): void };
    main.moveBefore(document.querySelector('gantry-gadget') as Node, null);
  });
  await expect(page.locator('main > gantry-gadget')).toHaveCount(1);
  expect(await born()).toBe(before);
  expect(await stateOf(page, 'calm')).toBe('ready');
});

test('a gadget moved without moveBefore reloads its app and requests no other instance', async ({ show, page }) => {
  await show(`${calm}<main></main>`);
  const born = () => frameOf(page, 'calm').locator('#out').evaluate("typeof born === 'number' ? born : 0");
  await expect.poll(born).toBeGreaterThan(0); // its script has run
  const before = await born();
  const posts: string[] = [];
  page.on('request', (request) => request.url().endsWith('/instances') && posts.push(request.url()));
  await page.evaluate(() => document.querySelector('main')?.append(document.querySelector('gantry-gadget') as Node));
  await expect.poll(born).not.toBe(before);
  expect(posts).toEqual([]);
});

test('the menu stops an app and the card starts it again, by keyboard', async ({ show, page }) => {
  await show(`<gantry-gadget app="calm" heading></gantry-gadget>${collect}`);
  const options = page.getByRole('button', { name: 'Options for calm' });
  await options.focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Reload' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  const card = page.getByRole('group').filter({ hasText: 'calm was stopped' });
  await expect(card).toBeVisible();
  await expect(page.locator('iframe')).toHaveCount(0);
  await expect
    .poll(() => page.evaluate('incidents'))
    .toEqual([{ app: 'calm', kind: 'stopped', detail: { by: 'member' } }]);
  await page.keyboard.press('Tab');
  await expect(card.getByRole('button', { name: 'Start again' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(frameOf(page, 'calm').locator('#out')).toHaveText('Here');
});

test('the site stops and reloads a gadget by script, and leaves its menu out', async ({ show, page }) => {
  await show(`<gantry-gadget app="calm" menu="none"></gantry-gadget>${collect}`);
  await expect(frameOf(page, 'calm').locator('#out')).toHaveText('Here');
  const gadget = page.locator('gantry-gadget');
  await expect(page.getByRole('button', { name: 'Skip calm' })).toHaveCount(1); // the chrome is there, without its menu
  await expect(page.getByRole('button')).toHaveCount(1);
  await gadget.evaluate((element) => (element as unknown as { stop(): void }).stop());
  expect(await stateOf(page, 'calm')).toBe('stopped');
  await gadget.evaluate((element) => (element as unknown as { reload(): void }).reload());
  await expect(frameOf(page, 'calm').locator('#out')).toHaveText('Here');
  await expect
    .poll(() => page.evaluate('incidents'))
    .toEqual([{ app: 'calm', kind: 'stopped', detail: { by: 'site' } }]);
});

test('a site’s own heading, waiting text and error stand in the gadget’s slots', async ({ show, page }) => {
  await show(
    `<gantry-gadget app="nothing"><h3 slot="heading">Mine</h3><p slot="error">Sorry</p><a href="/x">Open it</a></gantry-gadget>`,
  );
  await expect(page.getByText('Sorry')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Mine' })).toBeVisible();
  await expect(page.getByText('Open it')).toBeHidden();
  await expect(page.locator('[part=card]')).toBeHidden();
});

test('a start budget of the site’s own applies, and its violation is reported', async ({ show, page }) => {
  await show(`${collect}<gantry-gadget app="silent" budgets='{"startMs": 3000}'></gantry-gadget>`);
  await expect(page.locator('[part=card]')).toContainText('no hello in time');
  await expect
    .poll(() => page.evaluate('incidents'))
    .toEqual([{ app: 'silent', kind: 'silent', detail: { loaded: true } }]);
  await expect.poll(() => page.evaluate('states')).toEqual(['waiting', 'loading', 'failed']);
});

const soon = `budgets='{"responseMs": 700, "restartMs": 0}'`;

test('the heartbeat detects an app that left between its hello and its first load, and restarts it', async ({
  show,
  page,
}) => {
  await show(
    `${collect}<gantry-gadget app="fleeting" budgets='{"responseMs": 500, "restartMs": 500}'></gantry-gadget>`,
  );
  await expect
    .poll(() => page.evaluate('incidents.map(({ kind }) => kind)'), { timeout: 20_000 })
    .toEqual(['unresponsive', 'restart', 'unresponsive', 'restart', 'unresponsive', 'restart', 'unresponsive']);
  await expect(page.locator('[part=card]')).toContainText('It stopped responding again and again');
});

inEachMode((mode) => {
  test('the page runs on beside an app in a busy loop, and stops it (security rule 6)', async ({ show, page }) => {
    await show(`${collect}<gantry-gadget app="busy" ${soon}></gantry-gadget>
      <gantry-gadget app="calm" ${soon}></gantry-gadget>`);
    await expect.poll(() => stateOf(page, 'busy')).toBe('ready');
    await expect.poll(() => stateOf(page, 'calm')).toBe('ready');
    await makeBusy(page, 'busy');
    await expect.poll(() => stateOf(page, 'busy'), { timeout: 15_000 }).toBe('unresponsive');
    const isShared = mode !== 'origin per app';
    // Chromium's warning of a late header is wrong here.
    const isKeyedByOrigin = () => frameOf(page, 'calm').locator('html').evaluate('originAgentCluster');
    if (!isShared) expect(await isKeyedByOrigin()).toBe(true);
    expect(await stateOf(page, 'calm')).toBe(isShared ? 'unresponsive' : 'ready');
    await expect(page.getByRole('alert')).toHaveCount(1);
    await expect(page.getByRole('alert')).toContainText(
      isShared ? '2 apps are not responding' : 'busy is not responding',
    );
    expect(await page.evaluate('incidents.map(({ kind, detail }) => [kind, detail])')).toEqual([
      isShared ? ['process', { apps: ['busy', 'calm'] }] : ['unresponsive', { apps: ['busy'] }],
    ]);
    await page.getByRole('button', { name: isShared ? 'Stop all' : 'Stop', exact: true }).click();
    await expect.poll(() => stateOf(page, 'busy')).toBe('stopped');
    const calmly = page.locator('gantry-gadget[app="calm"]');
    if (isShared) await calmly.getByRole('button', { name: 'Start again' }).click();
    await expect(frameOf(page, 'calm').locator('#out')).toHaveText('Here');
    await expect.poll(() => stateOf(page, 'calm')).toBe('ready');
  });
});
