import { test as lab } from '@gantry/testing';
import type { CallsRequest } from '@gantry/wire';
import type { BrowserContext, Page } from '@playwright/test';
import { expect, frameOf, inEachMode, test } from './hosted.ts';
import { storedResults } from './stored.ts';
import { writeApp } from './write-app.ts';

const sdk = '<script src="/gantry/osapi.js"></script>';
const friends = `<!doctype html><html lang="en"><title>Friends</title><p id="out"></p>${sdk}<script>
  osapi.people.getViewerFriends().execute((result) => {
    out.textContent = result.list.map((p) => p.displayName).join(', ');
    out.title = result.meta.source;
    out.lang = Object.keys(result).includes('meta') ? 'enumerable' : 'hidden';
  });</script>`;

// Shows its member's current note, and writes one.
const notes = `<!doctype html><html lang="en"><title>Notes</title><p id="out"></p><p id="rolled"></p>
  <input id="text" aria-label="Note"><button id="save">Save</button>${sdk}<script>
  osapi.appdata.get({ keys: 'note' }).subscribe((data) => {
    out.textContent = Object.values(data)[0]?.note ?? 'nothing';
    out.title = data.meta.pending ? 'pending' : '';
  }, (error) => { out.textContent = error.data.reason; });
  gantry.on('rollback', ({ operation, error }) => { rolled.textContent = operation + ' ' + error.code; });
  save.onclick = () => osapi.appdata.update({ data: { note: text.value } }).execute();</script>`;

// Tries to listen and post to the site's BroadcastChannels.
const eavesdropper = `<!doctype html><html lang="en"><title>Eavesdropper</title><p id="out">silence</p><script>
  const channel = new BroadcastChannel('gantry /gantry/');
  channel.onmessage = ({ data }) => { out.textContent = JSON.stringify(data); };
  setInterval(() => channel.postMessage({ purge: true }), 50);</script>${sdk}`;

test.use({
  apps: {
    friends: { 'index.html': friends },
    notes: { 'index.html': notes },
    diary: { 'index.html': notes },
    eavesdropper: { 'index.html': eavesdropper },
  },
});

inEachMode(() => {
  test('no app receives or sends messages between tabs of the site (security rule 4)', async ({
    page,
    context,
    show,
  }) => {
    await show('<gantry-gadget app="eavesdropper"></gantry-gadget><gantry-gadget app="notes"></gantry-gadget>');
    await expect(outOf(page, 'notes')).toHaveText(/./);
    const other = await secondTab(context, page, '<gantry-gadget app="notes"></gantry-gadget>');
    await expect(outOf(other, 'notes')).toHaveText(/./);
    await other.evaluate(() => {
      const heard: unknown[] = [];
      Object.assign(globalThis, { heard });
      new BroadcastChannel('gantry /gantry/').addEventListener('message', ({ data }) => heard.push(data));
    });
    const heard = () => other.evaluate(() => Reflect.get(globalThis, 'heard'));
    await saveNote(page, 'notes', 'for all tabs');
    const expected = [{ changes: [expect.objectContaining({ topic: 'appData', member: '1' })] }];
    await expect.poll(heard).toEqual(expected); // control: a page of the site receives it
    await expect(frameOf(page, 'eavesdropper').locator('#out')).toHaveText('silence');
    expect(await heard()).toEqual(expected); // no message of the app
  });
});

test('ten gadgets of one app with the same read make one request', async ({ page, show }) => {
  const calls = callsOf(page);
  await show('<gantry-gadget app="friends"></gantry-gadget>'.repeat(10));
  for (let nth = 0; nth < 10; nth += 1) {
    await expect(outOf(page, 'friends', nth)).toHaveText('Bo Whelk, Cy Limpet');
  }
  expect(calls()).toEqual([['people.get']]);
});

test('a page of ten gadgets paints again from the cache, without asking', async ({ page, show }) => {
  const calls = callsOf(page);
  await show('<gantry-gadget app="friends"></gantry-gadget>'.repeat(10));
  await expect(outOf(page, 'friends', 9)).toHaveText('Bo Whelk, Cy Limpet');
  await expect.poll(() => storedResults(page)).toBe(1);
  await page.reload();
  for (let nth = 0; nth < 10; nth += 1) {
    await expect(outOf(page, 'friends', nth)).toHaveText('Bo Whelk, Cy Limpet');
    await expect(outOf(page, 'friends', nth)).toHaveAttribute('title', 'cache');
    await expect(outOf(page, 'friends', nth)).toHaveAttribute('lang', 'hidden'); // age and source do not fragment the cache
  }
  expect(calls()).toEqual([['people.get']]);
});

test('two apps never share an answer (security rule 14)', async ({ page, show }) => {
  const calls = callsOf(page);
  await show('<gantry-gadget app="notes"></gantry-gadget><gantry-gadget app="diary"></gantry-gadget>');
  await saveNote(page, 'notes', 'for notes');
  await saveNote(page, 'diary', 'for the diary');
  await expect(outOf(page, 'notes')).toHaveText('for notes');
  await expect(outOf(page, 'diary')).toHaveText('for the diary');
  for (const app of ['notes', 'diary']) await expect(outOf(page, app)).toHaveAttribute('title', ''); // the response arrived
  await page.reload();
  await expect(outOf(page, 'notes')).toHaveText('for notes');
  await expect(outOf(page, 'diary')).toHaveText('for the diary');
  expect(
    calls()
      .flat()
      .filter((name) => name === 'appdata.update'),
  ).toHaveLength(2);
});

test('a write of one gadget shows in others of its app before the site responds', async ({ page, show }) => {
  const answer = await holdWrites(page);
  await show('<gantry-gadget app="notes"></gantry-gadget>'.repeat(2));
  await expect(outOf(page, 'notes', 1)).toHaveText(/./);
  const text = 'written here';
  await saveNote(page, 'notes', text);
  for (const nth of [0, 1]) {
    await expect(outOf(page, 'notes', nth)).toHaveText(text);
    await expect(outOf(page, 'notes', nth)).toHaveAttribute('title', 'pending');
  }
  answer();
  for (const nth of [0, 1]) {
    await expect(outOf(page, 'notes', nth)).toHaveAttribute('title', '');
    await expect(outOf(page, 'notes', nth)).toHaveText(text);
  }
});

lab.describe('in a lab', () => {
  lab.use({
    apps: [writeApp('diary', { 'index.html': notes })],
    world: 'friendly',
    expectedErrors: [/^appdata\.update: /],
  });

  lab('a write that the site refuses is rolled back, and app and page get an event', async ({ gadget, gantry }) => {
    await gadget.mount();
    await gadget.settled();
    const rollback = gadget.element.evaluate(
      (element) =>
        new Promise((resolve) => {
          element.ownerDocument.addEventListener('gantry-rollback', ({ detail }) => resolve(detail));
        }),
    );
    const update = gantry.calls.hold('appdata.update');
    const out = gadget.frame.locator('#out');
    await expect(out).toHaveText('nothing');
    await gadget.frame.getByLabel('Note').fill('will not be');
    await gadget.frame.getByRole('button', { name: 'Save' }).click();
    await expect(out).toHaveText('will not be');
    update.fail(403);
    await expect(out).toHaveText('nothing');
    await expect(gadget.frame.locator('#rolled')).toHaveText('appdata.update 403');
    const error = { code: 403, message: expect.any(String), data: { reason: 'FORBIDDEN' } };
    expect(await rollback).toEqual({ app: 'diary', operation: 'appdata.update', error });
  });
});

test('a write in one tab shows in another', async ({ page, context, show }) => {
  await show('<gantry-gadget app="notes"></gantry-gadget>');
  await expect(outOf(page, 'notes')).toHaveText(/./);
  const other = await secondTab(context, page);
  await expect(outOf(other, 'notes')).toHaveText(/./);
  const text = 'from another tab';
  await saveNote(other, 'notes', text);
  await expect(outOf(page, 'notes')).toHaveText(text);
});

test('a sign-out leaves nothing of the member, in no tab (security rule 14)', async ({
  page,
  context,
  show,
  hosted,
}) => {
  await show('<gantry-gadget app="friends"></gantry-gadget>');
  await expect(outOf(page, 'friends')).toHaveText('Bo Whelk, Cy Limpet');
  const other = await secondTab(context, page);
  await expect(outOf(other, 'friends')).toHaveText('Bo Whelk, Cy Limpet');
  await expect.poll(() => storedResults(page)).toBe(1);
  await context.addCookies([{ name: 'viewer', value: '2', url: hosted.url }]);
  await page.evaluate(async (script) => (await import(script)).purge(), '/gantry/container.js');
  for (const tab of [page, other]) await expect(outOf(tab, 'friends')).toHaveText('Ann Oyster, Di Mussel');
});

function outOf(page: Page, app: string, nth = 0) {
  return page.frameLocator(`gantry-gadget[app="${app}"] >> nth=${nth} >> iframe`).locator('#out');
}

async function saveNote(page: Page, app: string, text: string): Promise<void> {
  const frame = page.frameLocator(`gantry-gadget[app="${app}"] >> nth=0 >> iframe`);
  await frame.getByLabel('Note').fill(text);
  await frame.getByRole('button', { name: 'Save' }).click();
}

/** Returns the operations of each `POST calls` so far. */
function callsOf(page: Page): () => string[][] {
  const posts: string[][] = [];
  page.on('request', (request) => {
    if (!request.url().endsWith('/gantry/calls')) return;
    posts.push((request.postDataJSON() as CallsRequest).calls.map(({ operation }) => operation));
  });
  return () => posts;
}

/** Delays writes until the returned function is called. */
async function holdWrites(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route('**/gantry/calls', async (route) => {
    const { calls } = route.request().postDataJSON() as CallsRequest;
    if (calls[0]?.operation === 'appdata.update') await promise;
    return route.continue();
  });
  return resolve;
}

/** Opens the same page, or another body, in a second tab. */
async function secondTab(context: BrowserContext, page: Page, body?: string): Promise<Page> {
  const tab = await context.newPage();
  const url = new URL(page.url());
  if (body !== undefined) url.searchParams.set('body', body);
  await tab.goto(url.href);
  return tab;
}
