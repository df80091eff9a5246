import type { Gantry } from '@gantry/osapi';
import type { Page } from '@playwright/test';
import { press } from './choose.ts';
import { expect, frameOf, type Hosted, test } from './hosted.ts';
import { inspect } from './inspect.ts';
import { readLayers, windows } from './layers.ts';
import { storedApp } from './stored-app.ts';

// A new version of an app, and a preview, while pages with the one before are open.

declare const gantry: Gantry;

const page = (version: string) => `<!doctype html><html lang="en"><meta charset="utf-8"><title>Notes</title>
  <style>:root { color-scheme: var(--gantry-scheme, light dark); background: var(--gantry-surface); color: var(--gantry-ink); }</style>
  <h1>${version}</h1><label>Note <input id="note"></label> <button id="save">Save</button> <button id="big">Big</button>
  <p id="kept"></p><p id="saved"></p>
  <script src="/gantry/osapi.js"></script>
  <script>
    gantry.on('teardown', () => gantry.state.set(note.value));
    osapi.ready.then(async () => { kept.textContent = (await gantry.state.get()) ?? 'nothing'; });
    save.onclick = () => osapi.appdata.update({ data: { note: note.value } }).execute((result) => {
      saved.textContent = result.error ? result.error.data.reason : 'saved';
    });
    part = () => import('./part.js').then(({ version }) => version);
    big.onclick = () => gantry.views.navigate('canvas');
  </script>`;
const manifest = JSON.stringify({
  ...{ name: 'Notes', page: 'index.html', height: 220, sizing: 'fixed', uses: ['people.get', 'appdata.update'] },
  views: { canvas: 'index.html' },
});
const filesOf = (version: string) => ({
  ...{ 'gadget.json': manifest, 'index.html': page(version) },
  'part.js': `export const version = '${version}';`,
});
const ids = ['typed', 'held', 'away', 'late', 'now', 'tabs', 'back', 'failing', 'offered', 'declined'];

test.use({ mode: 'origin per app', apps: Object.fromEntries(ids.map((id) => [id, filesOf('folder')])) });

const second = 1_000;
const bodyOf = (id: string) => `<meta name="viewport" content="width=device-width">
  <style>body { background: light-dark(#fff, #111); color: light-dark(#111, #eee); }</style>
  <main><h1>Home</h1><label>Search <input id="search"></label>
  <gantry-gadget app="${id}" heading budgets='{"responseMs": 900000}'></gantry-gadget></main>`; // minutes go by at once

const shown = (at: Page, id: string) => frameOf(at, id).locator('h1');
const question = (at: Page) => at.locator('gantry-gadget [part=notice]');
const mark = (at: Page) => at.locator('gantry-gadget [part=preview]');

/** Opens a page with stopped time, whose app is of version `one`. */
async function open(
  { show, hosted }: { readonly show: (body: string, options?: object) => Promise<Page>; readonly hosted: Hosted },
  id: string,
  viewer = '1',
) {
  const app = await storedApp(hosted, id);
  const one = await app.store(filesOf('one'));
  await app.makeLive(one);
  const two = await app.store(filesOf('two'));
  const at = await show(bodyOf(id), { viewer });
  await expect(shown(at, id)).toHaveText('one');
  await expect(at.getByRole('button', { name: /^Skip / })).toHaveCount(1);
  return { app, at, one, two, frame: frameOf(at, id) };
}

/** Waits until the page has asked which version there is for it. */
async function hear(at: Page, change: () => Promise<void>): Promise<void> {
  let isAsked = false;
  at.once('requestfinished', function onFinished(request) {
    if (request.url().endsWith('/gantry/instances')) isAsked = true;
    else at.once('requestfinished', onFinished);
  });
  await change();
  await expect(async () => {
    await at.clock.runFor(second); // it asks within half a minute
    expect(isAsked).toBe(true);
  }).toPass({ intervals: [50] });
}

/** Waits for a version, in steps that leave it time to load. */
const becomes = (at: Page, id: string, version: string) =>
  expect(async () => {
    await at.clock.runFor(5 * second);
    await expect(shown(at, id)).toHaveText(version, { timeout: 500 });
  }).toPass();

/** Marks the document in a frame. A later one has no mark. */
const markDocument = (at: Page, id: string) =>
  frameOf(at, id)
    .locator('html')
    .evaluate((root) => root.setAttribute('data-marked', ''));
const isSameDocument = (at: Page, id: string) => expect(frameOf(at, id).locator('html[data-marked]')).toHaveCount(1);

test.beforeEach(({ page }) => page.clock.install());

test('a member who types keeps the version, files of it included, until the frame had no focus for half a minute; the draft goes over', async ({
  show,
  hosted,
}) => {
  const { app, at, two, frame } = await open({ show, hosted }, 'typed');
  await at.evaluate(() => {
    Object.assign(window, { incidents: [] });
    addEventListener('gantry-incident', ({ detail }) => Reflect.get(window, 'incidents').push(detail.kind));
  });
  await frame.locator('#note').fill('Low tide');
  await hear(at, () => app.makeLive(two));
  await at.clock.runFor(120 * second);
  await expect(frame.locator('#note')).toHaveValue('Low tide');
  expect(await frame.locator('html').evaluate(() => Reflect.get(window, 'part')())).toBe('one');
  await at.locator('#search').focus();
  await at.clock.runFor(28 * second);
  await expect(frame.locator('#note')).toHaveValue('Low tide');
  await expect(shown(at, 'typed')).toHaveText('two'); // in real time, in which the app saves
  await expect(frame.locator('#kept')).toHaveText('Low tide');
  await expect(at.locator('#search')).toBeFocused();
  expect(await at.evaluate('incidents')).toEqual([]);
});

test('a change that waits for a connection holds the new version back', async ({ show, hosted }) => {
  const { app, at, two, frame } = await open({ show, hosted }, 'held');
  await frame.locator('#note').fill('High tide');
  await hear(at, () => app.makeLive(two));
  await at.context().setOffline(true);
  await frame.locator('#save').click();
  await expect(at.locator('gantry-gadget [part=outbox]')).toBeVisible();
  await at.locator('#search').focus();
  await at.clock.runFor(90 * second);
  await expect(shown(at, 'held')).toHaveText('one');
  await at.context().setOffline(false);
  await becomes(at, 'held', 'two');
});

test('an app goes on while the site is out of reach, and gives way when it is back', async ({ show, hosted }) => {
  const { app, at, two, frame } = await open({ show, hosted }, 'away');
  await frame.locator('#note').focus();
  await markDocument(at, 'away');
  await hear(at, () => app.makeLive(two));
  await at.context().setOffline(true);
  await at.locator('#search').focus();
  await at.clock.runFor(90 * second);
  await isSameDocument(at, 'away');
  await at.context().setOffline(false);
  await becomes(at, 'away', 'two');
});

test('after ten minutes the page asks, politely and for keyboards too; Later leaves it at that', async ({
  show,
  hosted,
}) => {
  const { app, at, two, frame } = await open({ show, hosted }, 'late');
  await frame.locator('#note').fill('Neap tide');
  await hear(at, () => app.makeLive(two));
  await at.clock.runFor(595 * second);
  await expect(question(at)).toHaveCount(0);
  await at.clock.runFor(10 * second);
  await expect(question(at)).toHaveText(/A new version of Notes is ready\./);
  await expect(question(at)).toHaveAccessibleName('A new version of Notes is ready.');
  await expect(at.locator('gantry-voice')).toContainText('A new version of Notes is ready.');
  await expect(frame.locator('#note')).toBeFocused(); // it takes no focus
  await inspect(at, 'a new version');
  await press(question(at).getByRole('button', { name: 'Later' }));
  await expect(question(at)).toHaveCount(0);
  await frame.locator('#note').focus();
  await at.clock.runFor(660 * second);
  await expect(question(at)).toHaveCount(0);
  await expect(frame.locator('#note')).toHaveValue('Neap tide');
});

test('Load now loads the new version with what the app has kept', async ({ show, hosted }) => {
  const { app, at, two, frame } = await open({ show, hosted }, 'now');
  await frame.locator('#note').fill('Spring tide');
  await hear(at, () => app.makeLive(two));
  await at.clock.runFor(605 * second);
  const loadNow = question(at).getByRole('button', { name: 'Load now' });
  await expect(loadNow).toHaveAttribute('aria-disabled', 'false');
  await loadNow.focus();
  await at.keyboard.press('Enter');
  await expect(shown(at, 'now')).toHaveText('two');
  await expect(frame.locator('#kept')).toHaveText('Spring tide');
  await expect(question(at)).toHaveCount(0);
});

test('each tab waits for its own quiet moment', async ({ show, hosted, context }) => {
  const { app, at, two, frame } = await open({ show, hosted }, 'tabs');
  await frame.locator('#note').fill('Ebb');
  const other = await context.newPage();
  await other.goto(at.url());
  await expect(shown(other, 'tabs')).toHaveText('one');
  await expect(other.getByRole('button', { name: /^Skip / })).toHaveCount(1);
  await other.clock.runFor(2 * second); // it listens
  await Promise.all([hear(at, () => app.makeLive(two)), hear(other, async () => {})]);
  await becomes(other, 'tabs', 'two'); // one clock for both
  await expect(frame.locator('#note')).toHaveValue('Ebb');
});

test('a version that is live again before the quiet moment goes on', async ({ show, hosted }) => {
  const { app, at, one, two, frame } = await open({ show, hosted }, 'back');
  await markDocument(at, 'back');
  await frame.locator('#note').focus();
  await hear(at, () => app.makeLive(two));
  await hear(at, () => app.makeLive(one));
  await at.locator('#search').focus();
  await at.clock.runFor(120 * second);
  await isSameDocument(at, 'back');
});

test('an app that does not start gets the next version at once', async ({ show, hosted }) => {
  const app = await storedApp(hosted, 'failing');
  await app.makeLive(await app.store({ ...filesOf('broken'), 'index.html': '<!doctype html><title>Broken</title>' }));
  const two = await app.store(filesOf('two'));
  const at = await show(bodyOf('failing'));
  await at.clock.runFor(11 * second);
  await expect(at.locator('gantry-gadget [part=card]')).toBeVisible();
  await hear(at, () => app.makeLive(two));
  await expect(shown(at, 'failing')).toHaveText('two');
});

test('a preview is offered to one member, marked while it runs, and left again; another member has none (security rules 7 and 26)', async ({
  show,
  hosted,
  browser,
}) => {
  const app = await storedApp(hosted, 'offered');
  await app.makeLive(await app.store(filesOf('one')));
  await app.offer(await app.store(filesOf('three'), 'preview'), ['1']);
  const at = await show(bodyOf('offered'));
  const frame = frameOf(at, 'offered');
  await expect(shown(at, 'offered')).toHaveText('one');
  await expect(question(at)).toHaveAccessibleName(/^You can try a version of Notes/);
  await inspect(at, 'the offer of a preview');
  await question(at).evaluate((element) => {
    element.style.marginBlockStart = '20px'; // as if an app had moved it
  });
  await expect(question(at).getByRole('button', { name: 'Try it' })).toHaveAttribute('aria-disabled', 'true');
  await press(question(at).getByRole('button', { name: 'Try it' }));
  await expect(shown(at, 'offered')).toHaveText('three');
  await expect(mark(at)).toHaveText(/Preview\s+Not released yet\.\s+Leave preview/);
  await expect(at.locator('gantry-gadget iframe')).toHaveAttribute('title', 'Preview of Notes');
  await expect(question(at)).toHaveCount(0);
  await inspect(at, 'a preview');
  await frame.locator('html').evaluate(() => void gantry.ui.toast('A long story. '.repeat(12), { durationMs: 20_000 }));
  for (const { name, viewport, direction } of windows) {
    await at.setViewportSize(viewport);
    await mark(at).evaluate((element, dir) => {
      document.documentElement.dir = dir;
      element.scrollIntoView({ block: 'end' });
    }, direction);
    expect(await readLayers(mark(at)), name).toMatchObject({ covered: [], through: [] });
  }
  await at.setViewportSize({ width: 1280, height: 900 });
  await frame.locator('#big').click();
  await expect(at.locator('gantry-gadget')).toHaveAttribute('maximised');
  await expect(mark(at)).toBeVisible();
  expect(await readLayers(mark(at))).toMatchObject({ covered: [] });
  await at.getByRole('button', { name: 'Back' }).click();
  await at.reload();
  await expect(shown(at, 'offered')).toHaveText('three');

  const context = await browser.newContext();
  const theirs = await context.newPage();
  await context.addCookies([{ name: 'viewer', value: '2', url: hosted.url }]);
  await theirs.goto(at.url());
  await expect(shown(theirs, 'offered')).toHaveText('one');
  await expect(theirs.getByRole('button', { name: /^Skip / })).toHaveCount(1);
  expect([await question(theirs).count(), await mark(theirs).count()]).toEqual([0, 0]);
  await context.close();

  await at.getByRole('button', { name: 'Leave preview' }).click();
  await expect(shown(at, 'offered')).toHaveText('one');
  expect([await question(at).count(), await mark(at).count()]).toEqual([0, 0]);
});

test('a preview that is declined is not offered again, and its question leaves every tab', async ({
  show,
  hosted,
  context,
}) => {
  const app = await storedApp(hosted, 'declined');
  await app.makeLive(await app.store(filesOf('one')));
  await app.offer(await app.store(filesOf('three'), 'preview'), ['1']);
  const at = await show(bodyOf('declined'));
  const other = await context.newPage();
  await other.goto(at.url());
  for (const tab of [at, other]) await expect(question(tab)).toBeVisible();
  await markDocument(other, 'declined');
  await press(question(at).getByRole('button', { name: 'No, thanks' }));
  for (const tab of [at, other]) await expect(question(tab)).toHaveCount(0);
  await isSameDocument(other, 'declined');
  await at.reload();
  await expect(at.getByRole('button', { name: /^Skip / })).toHaveCount(1);
  await expect(question(at)).toHaveCount(0);
  await expect(shown(at, 'declined')).toHaveText('one');
});
