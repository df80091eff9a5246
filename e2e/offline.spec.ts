import { writeSetting } from '@gantry/service';
import { test as lab } from '@gantry/testing';
import type { FrameLocator, Page } from '@playwright/test';
import { drawnFrameOf, expect, frameOf, isDrawn, test } from './hosted.ts';
import { inspect } from './inspect.ts';
import { writeApp } from './write-app.ts';

// An app with a button for each kind of write. Its log shows events, with the app's names of its
// writes.
const notes = `<!doctype html><html lang="en"><title>Notes</title>
  <button id="save">Save</button><button id="post">Post</button><button id="queue">Post later</button><button id="fail">Only now</button>
  <ol id="log"></ol><p id="known"></p>
  <script src="/gantry/osapi.js"></script>
  <script>
    let count = 0;
    const say = (text) => { log.append(Object.assign(document.createElement('li'), { textContent: text })); };
    const done = (id) => (result) => say(id + ' ' + (result.error ? result.error.data.reason : 'done'));
    const name = (kind) => kind + '-' + Math.random().toString(36).slice(2, 6) + '-' + ++count;
    const states = new Map();
    const learn = ({ id, state }) => { states.set(id, id.split('-')[0] + ' ' + state); known.textContent = [...states.values()].join(', '); };
    gantry.on('write', (write) => { learn(write); say('event ' + states.get(write.id)); });
    osapi.ready.then(({ writes }) => writes.forEach(learn));
    save.onclick = () => osapi.appdata.update({ data: { n: String(++count) } }, { write: { id: name('save') } }).execute(done('save'));
    post.onclick = () => osapi.activities.create({ activity: { title: 'Post ' + ++count } }, { write: { id: name('post') } }).execute(done('post'));
    queue.onclick = () => osapi.activities.create({ activity: { title: 'Queued ' + ++count } }, { write: { id: name('queue'), queue: true } }).execute(done('queue'));
    fail.onclick = () => osapi.appdata.update({ data: { n: 'now' } }, { write: { offline: 'fail' } }).execute(done('fail'));
  </script>`;

const drafts = `<!doctype html><html lang="en"><title>Drafts</title>
  <style>:root { color-scheme: var(--gantry-scheme) }</style><button>Read</button><p id="out"></p>
  <script src="/gantry/osapi.js"></script>
  <script>
    document.querySelector('button').onclick = () =>
      gantry.state.get().then((value) => { out.textContent = 'kept: ' + value; }, () => { out.textContent = 'refused'; });
  </script>`;

test.use({ apps: { notes: { 'index.html': notes }, drafts: { 'index.html': drafts } } });

const gadget = '<gantry-gadget app="notes"></gantry-gadget>';
const logOf = (frame: FrameLocator) => frame.locator('#log li');
const log = (page: Page) => logOf(frameOf(page, 'notes'));
const line = (page: Page) => page.locator('gantry-gadget [part="outbox"]');
const press = (page: Page, id: string) => frameOf(page, 'notes').locator(`#${id}`).click();

/**
 * Waits until the page has fetched all it needs offline, including the outbox, which then queries
 * its database.
 */
async function settled(page: Page): Promise<void> {
  await isDrawn(page.locator('gantry-gadget'));
  const databases = () => page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name));
  await expect.poll(databases).toContain('gantry-outbox');
}

test('offline writes wait, survive the tab, and are sent once and in order (ADR 21)', async ({
  show,
  context,
  hosted,
}) => {
  const page = await show(gadget);
  await settled(page);
  const sent: string[] = [];
  context.on('request', (request) => {
    if (!request.url().endsWith('/gantry/calls')) return;
    for (const { operation, params } of request.postDataJSON().calls) {
      if (operation === 'appdata.update') sent.push(params.data.n);
    }
  });
  await context.setOffline(true);
  await press(page, 'save');
  await press(page, 'save');
  await expect(line(page)).toContainText('2 changes wait for a connection');
  await expect(log(page).filter({ hasText: 'event save waiting' })).toHaveCount(2);
  await press(page, 'fail');
  await expect(log(page).filter({ hasText: 'fail UNAVAILABLE' })).toHaveCount(1);
  sent.length = 0;
  await page.close();
  await context.setOffline(false);

  const again = await context.newPage();
  await again.goto(`${hosted.url}/?${new URLSearchParams({ body: gadget })}`);
  await expect(frameOf(again, 'notes').locator('#known')).toHaveText('save done, save done');
  await expect(line(again)).toHaveCount(0);
  expect(sent).toEqual(['1', '3']); // each button counts twice
});

lab.describe('in a lab', () => {
  lab.use({ apps: [writeApp('notes', { 'index.html': notes })], world: 'friendly', scenario: { interval: 60 } });

  lab(
    'a post that comes too soon counts down, lets AppData pass, and is posted once (ADR 21)',
    async ({ gadget, gantry }) => {
      await gadget.mount();
      const before = await gantry.social.as(gadget.viewer).activities();
      const line = gadget.element.locator('[part="outbox"]');
      const pressed = async (name: string, hears: RegExp) => {
        await gadget.frame.getByRole('button', { name, exact: true }).click();
        await expect(logOf(gadget.frame).filter({ hasText: hears })).toHaveCount(1);
      };
      await pressed('Post', /^post done$/);
      await pressed('Post later', /^event queue waiting$/);
      await expect(line).toContainText(/Posting again in (1:00|0:[1-5]\d)/);
      await expect(line.getByRole('status')).toHaveText('It was posted a moment ago. The next post waits.');
      await pressed('Save', /^save done$/);
      await expect(logOf(gadget.frame).filter({ hasText: /^queue done$/ })).toHaveCount(0); // control
      await gantry.clock.jump('1 min');
      await expect(logOf(gadget.frame).filter({ hasText: /^queue done$/ })).toHaveCount(1);
      await expect(line).toHaveCount(0);
      const after = await gantry.social.as(gadget.viewer).activities();
      const added = after.slice(0, after.length - before.length).map(({ title }) => title);
      expect(added).toEqual(['Queued 3', 'Post 1']); // each button counts twice
    },
  );
});

test('a removed gadget runs no countdown', async ({ show, page, hosted }) => {
  await page.addInitScript(() => {
    const counting = new Set<unknown>();
    const { setTimeout: begin, clearTimeout: end } = globalThis;
    Object.assign(globalThis, {
      counting,
      setTimeout(work: () => void, ms: number) {
        const timer = begin(() => {
          counting.delete(timer);
          work();
        }, ms);
        if (ms === 1_000) counting.add(timer);
        return timer;
      },
      clearTimeout(timer: number) {
        counting.delete(timer);
        end(timer);
      },
    });
  });
  const counting = () => page.evaluate(() => (Reflect.get(globalThis, 'counting') as Set<unknown>).size);
  await writeSetting(hosted.stores.db, 'minimumInterval', '600');
  await show(gadget, { viewer: '2' });
  await settled(page);
  await press(page, 'post');
  await expect(log(page).filter({ hasText: /^post done$/ })).toHaveCount(1);
  await expect.poll(counting).toBe(0); // storage has responded, for example
  await press(page, 'queue');
  await expect(line(page)).toContainText(/Posting again in \d+:\d\d/);
  await expect.poll(counting).toBe(1); // control
  await page.locator('gantry-gadget').evaluate((element) => element.remove());
  await expect.poll(counting).toBe(0);
});

test('waiting writes are shown in an accessible line (WCAG 2.2 AA)', async ({ show, context }) => {
  const page = await show(`<main><h1>Home</h1>${gadget}</main>`);
  await settled(page);
  await context.setOffline(true);
  await press(page, 'save');
  await expect(line(page)).toContainText('1 change waits for a connection');
  await inspect(page, 'what waits');
  await page.emulateMedia({ forcedColors: 'active' });
  await expect(line(page)).toBeVisible();
});

test('a container chunk that failed to load is fetched again on the app’s next call, and themes reach the app (ADR 18)', async ({
  show,
  page,
}) => {
  const lost = page.waitForEvent('requestfailed', (request) => request.url().includes('/chunks/mount-chrome-'));
  await page.route('**/chunks/mount-chrome-*.js', (route) => route.abort(), { times: 1 });
  await show('<gantry-gadget app="drafts"></gantry-gadget>');
  await lost;
  const app = await drawnFrameOf(page, 'drafts');
  await app.getByRole('button').click();
  await expect(app.locator('#out')).toHaveText('kept: undefined');
  await page.evaluate(() => document.documentElement.style.setProperty('color-scheme', 'dark'));
  await expect(app.locator('html')).toHaveCSS('color-scheme', 'dark');
});
