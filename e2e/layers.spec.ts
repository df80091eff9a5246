import type { Gantry } from '@gantry/osapi';
import type { Locator, Page } from '@playwright/test';
import { expect, frameOf, test } from './hosted.ts';
import { type Layers, readLayers, windows } from './layers.ts';

// Each layer of an app beside each question, notice and menu of the container, in windows of three
// sizes, two directions and at 200 % zoom (security rule 26).

declare const gantry: Gantry;
declare function keep(answer: unknown): void;

const app = (name: string) => ({
  'index.html': `<!doctype html><html lang="en"><title>${name}</title><button id="act">Act</button>
    <script src="/gantry/osapi.js"></script>
    <script>window.results = []; const keep = (answer) => results.push(answer);</script>`,
  'gadget.json': JSON.stringify({
    name,
    page: 'index.html',
    height: 60,
    sizing: 'fixed',
    uses: name === 'Asks' ? ['people.get', 'activities.get'] : [],
    optional: { uses: name === 'Asks' ? [] : ['activities.create'] },
    views: { home: 'index.html', canvas: 'index.html' },
  }),
});

test.use({
  mode: 'origin per app',
  apps: { says: app('Says'), asks: app('Asks'), busy: app('Busy'), later: app('Later') },
  asking: ['asks', 'says'],
});

const body = `<meta name="viewport" content="width=device-width">
  <style>:root { color-scheme: light dark; } body { margin: 0; font: 1rem/1.5 system-ui; } main { display: grid; gap: 1rem; padding: 1rem; } .space { block-size: 150vh; }</style>
  <main><gantry-gadget app="says" heading loading="eager"></gantry-gadget><div class="space"></div>
  <gantry-gadget app="asks" heading loading="eager"></gantry-gadget>
  <gantry-gadget app="busy" heading loading="eager" budgets='{"responseMs": 300, "restartMs": 0}'></gantry-gadget>
  <gantry-gadget app="later" heading loading="eager"></gantry-gadget><div class="space"></div></main>`;

const gadget = (page: Page, name: string) => page.locator(`gantry-gadget[app=${name}]`);
const html = (page: Page, name = 'says') => frameOf(page, name).locator('html');
const results = (page: Page) => html(page).evaluate(() => Reflect.get(window, 'results'));

async function open(show: (body: string) => Promise<Page>): Promise<Page> {
  const page = await show(body);
  await expect(page.getByRole('button', { name: 'Allow' })).toHaveAttribute('aria-disabled', 'false');
  await expect(page.getByRole('button', { name: 'Skip Later' })).toHaveCount(1);
  await page.evaluate(() => Reflect.deleteProperty(Navigator.prototype, 'share'));
  return page;
}

/** Shows a long toast of an app whose frame is in view. */
async function toast(page: Page, text = 'A long story about the tide. '.repeat(9)): Promise<void> {
  await gadget(page, 'says').scrollIntoViewIfNeeded();
  await html(page).evaluate((_, said) => {
    void gantry.ui.toast(said, { durationMs: 20_000, action: 'Continue' }).then(keep);
  }, text);
  await expect(page.locator('gantry-toasts .toast').last()).toBeVisible();
}

/** Runs in all windows, with the question where toasts usually stand. */
async function lookEverywhere(page: Page, question: Locator): Promise<readonly (Layers & { readonly name: string })[]> {
  const seen: (Layers & { name: string })[] = [];
  for (const { name, viewport, direction } of windows) {
    await page.setViewportSize(viewport);
    await question.evaluate((element, dir) => {
      document.documentElement.dir = dir;
      element.scrollIntoView({ block: 'end' });
    }, direction);
    seen.push({ name, ...(await readLayers(question)) });
  }
  await page.setViewportSize({ width: 1280, height: 720 });
  return seen;
}

function expectClear(seen: readonly (Layers & { readonly name: string })[], what: string): void {
  const wrong = seen.filter(({ covered, through }) => covered.length + through.length > 0);
  expect(wrong, what).toEqual([]);
}

/** Ends every toast. */
async function clearToasts(page: Page): Promise<void> {
  await page.evaluate(() => {
    const buttons = document.querySelector('gantry-toasts')?.shadowRoot?.querySelectorAll<HTMLElement>('.close') ?? [];
    for (const button of buttons) button.click();
  });
}

test('no toast covers a question, a notice, a card or a menu that stands in view (security rule 26)', async ({
  show,
}) => {
  const page = await open(show);
  await html(page, 'busy').evaluate(() => {
    setTimeout(() => {
      for (const endMs = performance.now() + 20_000; performance.now() < endMs; );
    });
  });
  await gadget(page, 'busy').scrollIntoViewIfNeeded();
  const places: [string, () => Promise<Locator>][] = [
    ['consent card', async () => gadget(page, 'asks').locator('.consent')],
    ['notice', async () => gadget(page, 'busy').locator('.notice')],
    [
      'menu',
      async () => {
        await page.getByRole('button', { name: 'Options for Later' }).press('Enter');
        return gadget(page, 'later').locator('[part=menu]');
      },
    ],
    [
      'card',
      async () => {
        await gadget(page, 'later').evaluate((element) => Reflect.get(element, 'stop').call(element));
        return gadget(page, 'later').locator('.card');
      },
    ],
  ];
  for (const [name, place] of places) {
    await toast(page);
    const question = await place();
    await expect(question).toBeVisible();
    const seen = await lookEverywhere(page, question);
    expectClear(seen, name);
    if (name === 'card') break; // notice and card leave no room beside it
    expect(seen[0]?.toasts, `${name}: there is room for toasts beside it`).toBe(1);
    await page.locator('gantry-toasts .action').click();
    await expect.poll(() => results(page)).toEqual(['action']);
    if (name !== 'menu') await expect(question).toBeVisible(); // a menu closes
    await html(page).evaluate(() => Reflect.set(window, 'results', []));
  }
});

const questions: [string, (page: Page) => Promise<unknown>][] = [
  ['confirm', (page) => html(page).evaluate(() => void gantry.ui.confirm('Delete this album?').then(keep))],
  [
    'dialog',
    (page) =>
      html(page).evaluate(
        () =>
          void gantry.ui.dialog({ title: 'Which?', text: 'Both. '.repeat(150), buttons: ['A', 'B', 'C'] }).then(keep),
      ),
  ],
  [
    'share',
    (page) =>
      html(page).evaluate(
        () => void gantry.ui.share({ title: 'Tide', text: 'Low', url: 'https://a.example/' }).then(keep),
      ),
  ],
  [
    'link',
    (page) => html(page).evaluate(() => void gantry.ui.openLink('https://evil.example/?all=that-it-knows').then(keep)),
  ],
  ['permission', (page) => html(page).evaluate(() => void gantry.permissions.request(['activities.post']).then(keep))],
];

test('no toast is shown over a modal question, and a tap where it was answers nothing (security rule 26)', async ({
  show,
}) => {
  const page = await open(show);
  for (const [name, ask] of questions) {
    await toast(page, 'Your photos are ready.');
    const lure = await page.locator('gantry-toasts .action').boundingBox();
    await frameOf(page, 'says').locator('#act').click();
    await ask(page);
    const question = page.locator('dialog[open]');
    await expect(question).toBeVisible();
    if (lure) await page.mouse.click(lure.x + lure.width / 2, lure.y + lure.height / 2);
    const seen = await lookEverywhere(page, question);
    expectClear(seen, name);
    expect(
      seen.map(({ toasts }) => toasts),
      name,
    ).toEqual(windows.map(() => 0));
    expect(await results(page), name).toEqual([]); // neither the toast nor the question has an answer
    await expect(question.getByRole('button').first()).toHaveAttribute('aria-disabled', 'false');
    await question.getByRole('button').first().click();
    await expect(page.locator('gantry-toasts .toast')).toHaveCount(1); // the toast waited
    await clearToasts(page);
    await expect.poll(() => results(page)).toContain('closed');
    await html(page).evaluate(() => Reflect.set(window, 'results', []));
  }
});

test('a large view that comes by the history while a question is open waits until that has closed (security rule 26)', async ({
  show,
}) => {
  const page = await open(show);
  await frameOf(page, 'says').locator('#act').click();
  await html(page).evaluate(() => void gantry.views.navigate('canvas'));
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(gadget(page, 'says')).not.toHaveAttribute('maximised');
  await frameOf(page, 'says').locator('#act').click();
  await html(page).evaluate(() => void gantry.ui.confirm('Delete this album?').then(keep));
  const question = page.locator('dialog[open]');
  await expect(question).toBeVisible();
  await page.goForward();
  await expect(page).toHaveURL(/#gantry\.says=canvas/);
  expectClear(await lookEverywhere(page, question), 'large view');
  await expect(gadget(page, 'says')).not.toHaveAttribute('maximised');
  await expect(question.getByRole('button').first()).toHaveAttribute('aria-disabled', 'false');
  await question.getByRole('button').first().click();
  await expect(gadget(page, 'says')).toHaveAttribute('maximised'); // control: the view opened
});

test('positive control: an element raised above a question is visible, and a press goes through it', async ({
  show,
}) => {
  const page = await open(show);
  await frameOf(page, 'says').locator('#act').click();
  await html(page).evaluate(() => void gantry.ui.confirm('Delete this album?').then(keep));
  const question = page.locator('dialog[open]');
  await expect(question.getByRole('button').last()).toHaveAttribute('aria-disabled', 'false');
  await question.evaluate((element) => {
    const button = element.querySelector('button')?.getBoundingClientRect();
    const naive = Object.assign(document.createElement('naive-toast'), { popover: 'manual' });
    naive.innerHTML = '<div class="toast"><button>Continue</button></div>';
    naive.style.cssText = `position: fixed; margin: 0; z-index: 9999; inset: ${button?.top}px auto auto ${button?.left}px`;
    document.body.append(naive);
    naive.showPopover();
  });
  expect(await readLayers(question, 'naive-toast')).toMatchObject({ through: ['Continue'], toasts: 1 });
  await gadget(page, 'asks').evaluate((element) => {
    const naive = Object.assign(document.createElement('naive-card'), { popover: 'manual' });
    naive.style.cssText = 'position: fixed; margin: 0; inset: 0; inline-size: 100vw; block-size: 100vh';
    document.querySelector('gantry-dialog')?.remove();
    element.after(naive);
    naive.showPopover();
  });
  const card = gadget(page, 'asks').locator('.consent');
  await card.scrollIntoViewIfNeeded();
  expect(await readLayers(card)).toMatchObject({ covered: ['Not now', 'Allow'] });
});
