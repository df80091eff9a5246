import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DevServer, type LabAnswer, startDevServer } from '@gantry/dev';
import type { LabEvent } from '@gantry/lab';
import { expect, type FrameLocator, type Page, test } from '@playwright/test';
import { inspect } from '../inspect.ts';

// The dev host's page: its address is its state, it works by keyboard, and an app's texts stay
// text.

const files = {
  'gadget.json': JSON.stringify({ name: 'Shout', page: 'index.html', uses: ['appdata.get', 'appdata.update'] }),
  'index.html': `<!doctype html><html lang="en"><meta charset="utf-8"><title>Shout</title>
    <style>:root { color-scheme: var(--gantry-scheme, light dark); color: var(--gantry-ink); background: var(--gantry-surface); }
    button { min-height: 2rem; }</style>
    <script src="/gantry/osapi.js"></script>
    <h3>Shout</h3>
    <button id="shout">Shout</button> <button id="listen">Listen</button>
    <p id="heard"></p> <p id="load"></p>
    <script>
      document.getElementById('load').textContent = Math.random();
      const say = (value) => { document.getElementById('heard').textContent = JSON.stringify(value); };
      shout.onclick = () => osapi.appdata.update({ userId: '@viewer', data: { word: 'ahoy' } }).execute(say);
      listen.onclick = () => osapi.appdata.get({ userId: '@viewer', groupId: '@friends', keys: ['word'] }).execute(say);
    </script>`,
};

let folder: string;
let dev: DevServer;

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gantry-page-spec-'));
  for (const app of ['shout', 'other']) {
    await mkdir(join(folder, app));
    for (const [name, content] of Object.entries(files)) await writeFile(join(folder, app, name), content);
  }
  dev = await startDevServer({ folders: [join(folder, 'shout'), join(folder, 'other')], port: 0 });
});
test.afterAll(async () => {
  await dev.close();
  await rm(folder, { recursive: true, force: true });
});

async function open(page: Page, search = ''): Promise<FrameLocator> {
  await page.goto(`${dev.url}/${search}`);
  const app = page.frameLocator('iframe').first();
  await expect(app.getByRole('button', { name: 'Listen' })).toBeVisible();
  return app;
}

const seat = (page: Page, name: string) => page.getByRole('region', { name: `As ${name} sees it` });
const grid = (page: Page) => page.getByRole('grid', { name: 'Calls' });

/** Adds entries to the record as this page's lab. */
async function record(page: Page, events: readonly (LabEvent & { readonly place?: string })[]): Promise<void> {
  await page.evaluate(async (all) => {
    const viewport = document.querySelector('gantry-viewport') as (Element & { readonly lab?: LabAnswer }) | null;
    const entries = all.map((one) => ({ lab: viewport?.lab?.lab, app: 'shout', place: 'm-1/1', ...one }));
    await fetch('/dev/record', { method: 'POST', body: JSON.stringify(entries) });
  }, events);
}

test('look and width are in the address and leave the document as it is; back, forward and a copied address lead there again', async ({
  page,
  context,
}) => {
  const app = await open(page, '?width=wide');
  await expect(page.getByText('width must be a whole number from 120 to 2560 pixels.')).toBeVisible();
  const load = await app.locator('#load').textContent();
  await page.getByRole('radio', { name: '360' }).check();
  await page.getByRole('radio', { name: 'Dark' }).check();
  expect(new URL(page.url()).search).toBe('?width=360&theme=dark');
  await expect.poll(async () => (await page.locator('.place').boundingBox())?.width).toBe(360);
  await expect(app.locator('html')).toHaveCSS('background-color', 'rgb(22, 29, 34)');
  expect(await app.locator('#load').textContent()).toBe(load);
  await page.goBack();
  await expect(page.getByRole('radio', { name: 'Auto' })).toBeChecked();
  await page.goForward();
  await expect(page.getByRole('radio', { name: 'Dark' })).toBeChecked();
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(other.getByRole('radio', { name: '360' })).toBeChecked();
  await expect(other.getByRole('radio', { name: 'Dark' })).toBeChecked();
  await page.getByRole('button', { name: 'Remove width' }).click();
  await page.getByRole('button', { name: 'Reset' }).click();
  expect(new URL(page.url()).search).toBe('');
  await expect(page.getByRole('radio', { name: 'Full' })).toBeChecked();
});

test('a value that one member saves is visible to the other, and to the first after a change of persona', async ({
  page,
}) => {
  await open(page, '?beside=m-2');
  const [first, second] = ['Ada Lovell', 'Bo Sand'].map((name) => seat(page, name).frameLocator('iframe')) as [
    FrameLocator,
    FrameLocator,
  ];
  await first.getByRole('button', { name: 'Shout' }).click();
  await expect(first.locator('#heard')).not.toHaveText('');
  await second.getByRole('button', { name: 'Shout' }).click(); // a member who has the app sees what friends keep in it
  await expect(second.locator('#heard')).not.toHaveText('');
  await second.getByRole('button', { name: 'Listen' }).click();
  await expect(second.locator('#heard')).toContainText('ahoy');
  await page.getByRole('combobox', { name: 'Beside' }).selectOption('');
  await expect(page.locator('iframe')).toHaveCount(1);
  await page.getByRole('combobox', { name: 'Persona' }).selectOption('m-2');
  const switched = seat(page, 'Bo Sand').frameLocator('iframe');
  await switched.getByRole('button', { name: 'Listen' }).click();
  await expect(switched.locator('#heard')).toContainText('ahoy'); // the same world
  expect(new URL(page.url()).search).toBe('?persona=m-2');
});

test('the handle of the width is a separator for keys, and a drag of it is one step for the back button', async ({
  page,
}) => {
  await open(page, '?width=360');
  const handle = page.getByRole('separator', { name: 'Width of the gadget’s place' });
  await expect(handle).toHaveAttribute('aria-valuenow', '360');
  await handle.press('ArrowRight');
  await handle.press('Shift+ArrowRight');
  await expect(handle).toHaveAttribute('aria-valuenow', '371');
  await handle.press('Home');
  await expect(handle).toHaveAttribute('aria-valuenow', '120');
  await handle.press('End');
  expect(new URL(page.url()).search).toBe('');
  await page.getByRole('radio', { name: '360' }).check();
  const { x, y, height } = (await handle.boundingBox()) ?? { x: 0, y: 0, height: 0 };
  await page.mouse.move(x + 8, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x - 22, y + height / 2, { steps: 300 }); // more than a browser lets an address change
  await expect(handle).toHaveAttribute('aria-valuenow', '300');
  await page.mouse.up();
  expect(new URL(page.url()).search).toBe('?width=300');
  await page.goBack();
  expect(new URL(page.url()).search).toBe('?width=360'); // a drag is one step
});

test('every control is reached with the Tab key and works from there', async ({ page }) => {
  await open(page);
  const seen = new Set<string>();
  for (let step = 0; step < 40; step++) {
    await page.keyboard.press('Tab');
    seen.add(
      await page.evaluate(() => {
        const { activeElement: at } = document;
        return (at as HTMLInputElement | null)?.name || at?.getAttribute('aria-label') || at?.textContent?.trim() || '';
      }),
    );
    if (seen.has('Calls') && seen.has('Width of the gadget’s place') && seen.has('Clear')) break;
  }
  for (const name of ['Copy link', 'persona', 'beside', 'view', 'network', 'width', 'theme', '+30 s', 'More']) {
    expect([...seen].map((text) => text.replace(/\s/g, ' '))).toContain(name);
  }
  await page.getByRole('button', { name: 'More' }).press('Enter');
  await page.getByRole('combobox', { name: 'Direction' }).selectOption('rtl');
  await expect(page.locator('.place > .page')).toHaveAttribute('dir', 'rtl');
  await page.reload();
  await expect(page.getByRole('combobox', { name: 'Direction' })).toHaveValue('rtl'); // the drawer stays open
});

test('axe finds nothing, light and dark, and nothing is wider than 360 px', async ({ page }) => {
  await open(page, '?beside=m-2&width=wide&locale=de');
  await page.getByRole('button', { name: 'More' }).click();
  await record(page, conversation);
  await grid(page).getByText('appdata.update').click();
  await expect(page.getByRole('region', { name: 'Details of appdata.update' })).toBeVisible();
  await inspect(page, 'the dev host');
});

const conversation: readonly LabEvent[] = [
  { kind: 'call', call: 1, operation: 'appdata.get', params: { userId: '@viewer' } },
  { kind: 'decision', call: 1, decision: 'fresh' },
  { kind: 'reply', call: 1, ok: { 'm-1': { word: '<img src=x onerror="document.title=1">' } }, tookMs: 2, size: 60 },
  { kind: 'call', call: 2, operation: 'appdata.update', params: { data: { word: 'ahoy' } } },
  {
    kind: 'reply',
    call: 2,
    error: { code: 403, message: 'Not declared.', data: { reason: 'NOT_DECLARED' } },
    tookMs: 1,
    size: 9,
  },
  { kind: 'console', level: 'log', text: '<b id="smuggled">markup</b>' },
];

test('the list of calls is searched and read by keyboard, and texts of an app stay text', async ({ page }) => {
  await open(page);
  await record(page, conversation);
  await expect(grid(page).getByText('<b id="smuggled">markup</b>')).toBeVisible();
  await expect(page.locator('#smuggled')).toHaveCount(0);
  await page.getByRole('button', { name: 'Copy link' }).focus();
  await page.keyboard.press('/');
  await expect(page.getByRole('searchbox')).toBeFocused();
  await page.keyboard.type('ahoy');
  await expect(grid(page).locator('.row')).toHaveCount(1);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const detail = page.getByRole('region', { name: 'Details of appdata.update' });
  await expect(detail).toContainText('NOT_DECLARED');
  await page.keyboard.press('Escape');
  await expect(detail).toHaveCount(0);
  await page.getByRole('searchbox').fill('');
  await page.getByRole('group', { name: 'Show only' }).getByRole('button', { name: 'refusals' }).click();
  await expect(grid(page).locator('.row')).toHaveCount(1);
  await page.getByRole('group', { name: 'Show only' }).getByRole('button', { name: 'refusals' }).click();
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('button', { name: 'Clear' }).click();
  await expect(grid(page).locator('.row')).toHaveCount(0);
});

test('the document holds only visible calls of thousands (security rule 25)', async ({ page }) => {
  await open(page);
  const many = Array.from(
    { length: 5_000 },
    (_, index): LabEvent => ({
      ...{ kind: 'call', call: 100 + index, operation: 'people.get', params: { index } },
    }),
  );
  for (let from = 0; from < many.length; from += 1_000) await record(page, many.slice(from, from + 1_000));
  await page.getByRole('group', { name: 'Show only' }).getByRole('button', { name: 'calls' }).click();
  await expect(grid(page)).toHaveAttribute('aria-rowcount', '5000');
  expect(await grid(page).locator('.row').count()).toBeLessThan(60);
  await page.getByRole('searchbox').fill('4321');
  await expect(grid(page).locator('.row')).toHaveCount(1);
});

test('the page reports a lost server, and recovers with it', async ({ page }) => {
  const options = { folders: [join(folder, 'shout')] };
  const first = await startDevServer({ ...options, port: 0 });
  await page.goto(first.url);
  const app = page.frameLocator('iframe');
  await expect(app.getByRole('button', { name: 'Listen' })).toBeVisible();
  await first.close();
  await expect(page.getByText('gantry dev has stopped.')).toBeVisible();
  const again = await startDevServer({ ...options, port: Number(new URL(first.url).port) });
  await expect(page.getByText('gantry dev has stopped.')).toHaveCount(0);
  await app.getByRole('button', { name: 'Listen' }).click();
  await expect(app.locator('#heard')).not.toHaveText('');
  await again.close();
});

test('a lab that cannot be made says why, with the server’s own sentence as text', async ({ page }) => {
  await page.route('**/dev/labs', (route) =>
    route.fulfill({ status: 400, json: { error: { message: 'members[3]: <i>no id</i>' } } }),
  );
  await page.goto(dev.url);
  const alert = page.getByRole('alert').filter({ hasText: 'The lab could not be made' });
  await expect(alert).toContainText('members[3]: <i>no id</i>');
  await page.unroute('**/dev/labs');
  await alert.getByRole('button', { name: 'Try again' }).click();
  await expect(page.locator('iframe')).toHaveCount(1);
});
