import type { Page } from '@playwright/test';
import { expect, frameOf, test } from './hosted.ts';

// Each document of the app shows the state that it starts with.
const notes = `<!doctype html><html lang="en"><title>Notes</title><p id="found"></p>
  <script src="/gantry/osapi.js"></script>
  <script>osapi.ready.then(() => gantry.state.get()).then((state) => { found.textContent = 'found ' + JSON.stringify(state); });</script>`;

test.use({ apps: { notes: { 'index.html': notes }, other: { 'index.html': notes } } });

const gadgets = '<gantry-gadget app="notes"></gantry-gadget><gantry-gadget app="other"></gantry-gadget><main></main>';

async function set(page: Page, value: unknown): Promise<unknown> {
  return frameOf(page, 'notes')
    .locator('body')
    .evaluate(
      (_body, value) =>
        Reflect.get(globalThis, 'gantry')
          .state.set(value === 'proto' ? JSON.parse('{"__proto__":{"polluted":1}}') : value)
          .then(
            () => 'set',
            (error: Error) => ({ ...error }),
          ),
      value,
    );
}

const output = (page: Page, app = 'notes') => frameOf(page, app).locator('#found');
const reload = (page: Page) =>
  frameOf(page, 'notes')
    .locator('body')
    .evaluate(() => setTimeout(() => location.reload()));

test("an app's state survives its reload, a move of its gadget and a reload of the page (app surface: instance state)", async ({
  show,
}) => {
  const page = await show(gadgets);
  await expect(output(page)).toHaveText('found undefined');
  expect(await set(page, { step: 2 })).toBe('set');
  await reload(page);
  await expect(output(page)).toHaveText('found {"step":2}');

  await page.evaluate(() => document.querySelector('main')?.append(document.querySelector('gantry-gadget') ?? ''));
  await expect(output(page)).toHaveText('found {"step":2}');

  await page.reload();
  await expect(output(page)).toHaveText('found {"step":2}');
  await expect(output(page, 'other')).toHaveText('found undefined');
});

test('another viewer has no state, and the first one’s is deleted from the tab (security rule 14)', async ({
  show,
}) => {
  const page = await show(gadgets);
  await expect(output(page)).toHaveText('found undefined');
  await set(page, 'of Ann');
  const count = () => page.evaluate(() => Object.entries(sessionStorage).filter(([, text]) => /of/.test(text)).length);
  expect(await count()).toBe(1); // control: a state exists
  await show(gadgets, { viewer: '2' });
  await expect(output(page)).toHaveText('found undefined');
  expect(await count()).toBe(0);
  await set(page, 'of Bo');
  await show(gadgets, { viewer: '1' });
  await expect(output(page)).toHaveText('found undefined');
});

test('the page of another owner has its own state (security rule 14)', async ({ show }) => {
  const page = await show('<gantry-gadget app="notes" owner="2"></gantry-gadget>');
  await expect(output(page)).toHaveText('found undefined');
  await set(page, 'at Bo');
  await show('<gantry-gadget app="notes" owner="3"></gantry-gadget>');
  await expect(output(page)).toHaveText('found undefined');
  await show('<gantry-gadget app="notes" owner="2"></gantry-gadget>');
  await expect(output(page)).toHaveText('found "at Bo"');
});

test('more than 64 KiB of state is TOO_LARGE, and the earlier state stays (security rule 1: size)', async ({
  show,
}) => {
  const page = await show(gadgets);
  await expect(output(page)).toHaveText('found undefined');
  const full = 'é'.repeat(32_767); // with its quotes 65,536 bytes
  expect(await set(page, full)).toBe('set');
  expect(await set(page, `${full}.`)).toMatchObject({ code: 413, data: { reason: 'TOO_LARGE' } });
  await reload(page);
  await expect(output(page)).toHaveText(`found "${full}"`);
});

test('a key __proto__ in a state is data, on the page and back in the app (security rule 19)', async ({ show }) => {
  const page = await show(gadgets);
  await expect(output(page)).toHaveText('found undefined');
  expect(await set(page, 'proto')).toBe('set');
  await reload(page);
  await expect(output(page)).toHaveText('found {"__proto__":{"polluted":1}}');
  expect(await page.evaluate(() => Reflect.get({}, 'polluted'))).toBeUndefined();
});

test('without browser storage a state lives as long as its gadget', async ({ page, show }) => {
  await page.addInitScript(() => {
    if (window.parent !== window) return;
    Object.defineProperty(window, 'sessionStorage', {
      get() {
        throw new DOMException('denied', 'SecurityError');
      },
    });
  });
  await show(gadgets);
  await expect(output(page)).toHaveText('found undefined');
  expect(await set(page, 1)).toBe('set');
  await reload(page);
  await expect(output(page)).toHaveText('found 1');
});
