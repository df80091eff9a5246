import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addApp, setPaused } from '@gantry/server';
import { sql } from '@gantry/store';
import type { Page } from '@playwright/test';
import { choose } from './choose.ts';
import { drawnFrameOf, expect, frameOf, type Hosted, test } from './hosted.ts';

// Another app takes the id of an allowed one while a page with it is open.
const uses = ['people.get', 'appdata.get', 'appdata.update'];
const manifest = (name: string, calls: readonly string[] = uses) =>
  JSON.stringify({ name, page: 'index.html', uses: calls });
const page = (name: string) => `<!doctype html><html lang="en"><title>${name}</title>
  <h1>${name}</h1><button id="save">Save</button><p id="saved"></p><button id="read">Read</button><p id="data"></p>
  <p id="state"></p><p id="heard"></p>
  <script src="/gantry/osapi.js"></script>
  <script>
    const word = (result) => result.error ? result.error.data.reason : JSON.stringify(result);
    save.onclick = () => osapi.appdata.update({ data: { secret: 'of Score' } }).execute((r) => { saved.textContent = word(r); });
    const ask = () => osapi.appdata.get({ userId: '@viewer' }).execute((r) => { data.textContent = word(r); });
    read.onclick = ask;
    osapi.ready.then(async ({ writes }) => {
      ask();
      heard.textContent = JSON.stringify(writes);
      state.textContent = JSON.stringify((await gantry.state.get()) ?? null);
      if (${JSON.stringify(name)} === 'Score') gantry.state.set('of Score');
    });
  </script>`;

const score = { 'gadget.json': manifest('Score'), 'index.html': page('Score') };
test.use({
  apps: { score, steady: score, late: score, paused: score, less: score },
  asking: ['score', 'steady', 'late', 'paused', 'less'],
});

const gadget = (id: string) => `<gantry-gadget app="${id}"></gantry-gadget>`;
const card = (at: Page) => at.locator('gantry-gadget [part="consent"]');

/** Allows the app, saves something, and writes once more without a connection. */
async function useOffline(at: Page, id: string): Promise<void> {
  await choose(card(at), 'Allow');
  const frame = await drawnFrameOf(at, id);
  await frame.locator('#save').click();
  await expect(frame.locator('#saved')).toHaveText('{}');
  await frame.locator('#read').click();
  await expect(frame.locator('#data')).toContainText('of Score');
  await at.context().setOffline(true);
  await frame.locator('#save').click();
  await expect(at.locator('gantry-gadget [part="outbox"]')).toContainText('waits for a connection');
}

const folders: string[] = [];
test.afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

async function register(
  { stores }: Hosted,
  id: string,
  mode: 'update' | 'replace',
  calls?: readonly string[],
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-another-'));
  folders.push(folder);
  await writeFile(join(folder, 'gadget.json'), manifest('Spy', calls));
  await writeFile(join(folder, 'index.html'), page('Spy'));
  await addApp(stores, { id, folder, live: true, mode });
}

const rows = (hosted: Hosted, id: string) =>
  hosted.stores.db.query(sql`select value from app_data where app_id = ${id}`);

test('another app under the id asks anew and reads nothing; calls and waiting writes of the open page are refused (security rule 29)', async ({
  show,
  hosted,
}) => {
  const at = await show(gadget('score'));
  await useOffline(at, 'score');
  await register(hosted, 'score', 'replace');
  await at.context().setOffline(false);
  await expect(card(at)).toContainText('Spy');
  expect(await rows(hosted, 'score')).toEqual([]);
  await choose(card(at), 'Allow');
  const frame = frameOf(at, 'score');
  await expect(frame.locator('h1')).toHaveText('Spy');
  await expect(frame.locator('#data')).toHaveText('{"1":{}}');
  await expect(frame.locator('#heard')).toHaveText('[]');
  await expect(frame.locator('#state')).toHaveText('null');
  await expect(at.locator('gantry-gadget [part="outbox"]')).toHaveCount(0);
  expect(await rows(hosted, 'score')).toEqual([]);
});

test('waiting writes of a closed tab are not sent for the new app (security rule 29)', async ({ show, hosted }) => {
  const at = await show(gadget('late'));
  await useOffline(at, 'late');
  await at.close();
  await register(hosted, 'late', 'replace');
  const later = await at.context().newPage();
  await later.context().setOffline(false);
  await later.goto(`${hosted.url}/?${new URLSearchParams({ body: gadget('late') })}`);
  await expect(card(later)).toContainText('Spy');
  const waiting = () =>
    later.evaluate(async () => {
      const { promise, resolve } = Promise.withResolvers<IDBDatabase>();
      const request = indexedDB.open('gantry-outbox');
      request.onsuccess = () => resolve(request.result);
      const db = await promise;
      const [store = ''] = [...db.objectStoreNames];
      const all = Promise.withResolvers<{ done?: { reply: { error?: { data: { reason: string } } } } }[]>();
      const read = db.transaction(store).objectStore(store).getAll();
      read.onsuccess = () => all.resolve(read.result);
      const entries = await all.promise;
      db.close();
      return entries.map(({ done }) => done?.reply.error?.data.reason ?? 'waiting or done');
    });
  await expect.poll(waiting).toContain('APP_REPLACED');
  expect(await rows(hosted, 'late')).toEqual([]);
});

test('an update of the same app keeps all of it (positive control)', async ({ show, hosted }) => {
  const at = await show(gadget('steady'));
  await useOffline(at, 'steady');
  await register(hosted, 'steady', 'update');
  await at.context().setOffline(false);
  const frame = frameOf(at, 'steady');
  await expect(frame.locator('#saved')).toHaveText('{}');
  await expect(at.locator('gantry-gadget [part="outbox"]')).toHaveCount(0);
  await at.reload();
  await expect(frame.locator('h1')).toHaveText('Spy'); // the folder’s new app, without a question
  await expect(frame.locator('#data')).toHaveText('{"1":{"secret":"of Score"}}');
  await expect(frame.locator('#state')).toHaveText('"of Score"');
});

test('an update that declares fewer calls reaches open pages, whose cache does not answer them any more', async ({
  show,
  hosted,
}) => {
  const at = await show(gadget('less'));
  await choose(card(at), 'Allow');
  const frame = await drawnFrameOf(at, 'less');
  await expect(frame.locator('#data')).toHaveText('{"1":{}}');
  await at.context().setOffline(true);
  await frame.locator('#data').evaluate((element) => element.replaceChildren());
  await frame.locator('#read').click();
  await expect(frame.locator('#data')).toHaveText('{"1":{}}'); // control: from the cache
  await at.context().setOffline(false);
  await register(hosted, 'less', 'update', ['people.get', 'appdata.update']);
  await expect(frame.locator('h1')).toHaveText('Spy');
  await expect(frame.locator('#data')).toHaveText('NOT_GRANTED');
});

test('open pages show a card when the site pauses an app, and the app again when it resumes it', async ({
  show,
  hosted,
}) => {
  const at = await show(gadget('paused'));
  await choose(card(at), 'Allow');
  await expect(frameOf(at, 'paused').locator('#data')).toHaveText('{"1":{}}');
  await setPaused(hosted.stores, 'paused', true);
  await expect(at.locator('gantry-gadget [part="card"]')).toBeVisible();
  await setPaused(hosted.stores, 'paused', false);
  await expect(frameOf(at, 'paused').locator('#data')).toHaveText('{"1":{}}');
});
