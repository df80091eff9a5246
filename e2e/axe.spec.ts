import type { Gantry } from '@gantry/osapi';
import type { Page } from '@playwright/test';
import { drawnFrameOf, expect, frameOf, test } from './hosted.ts';
import { expectAccessible, inspect } from './inspect.ts';

// axe on every state of the container's chrome, frames included.

declare const gantry: Gantry;

const look = `<style>:root { color-scheme: var(--gantry-scheme, light dark); background: var(--gantry-surface); color: var(--gantry-ink); }
  button { min-height: 2rem; }</style>`;
const app = (title: string, body = '') =>
  `<!doctype html><html lang="en"><title>${title}</title>${look}<h2>${title}</h2><p>Some text.</p><button id="act">Do it</button>${body}<script src="/gantry/osapi.js"></script>`;
const manifest = (name: string, more: object = {}) => JSON.stringify({ name, page: 'index.html', uses: [], ...more });

test.use({
  apps: {
    tides: {
      'index.html': app('Tides'),
      'gadget.json': manifest('Tides', { views: { canvas: 'index.html' }, optional: { uses: ['activities.create'] } }),
    },
    nameless: { 'index.html': app('Nameless', '<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">') },
    asks: { 'index.html': app('Asks'), 'gadget.json': manifest('Asks', { uses: ['people.get'] }) },
    silent: { 'index.html': '<!doctype html><html lang="en"><title>Silent</title>' },
  },
  asking: ['asks', 'tides'],
});

const around = (gadgets: string) =>
  `<meta name="viewport" content="width=device-width"><style>body { background: light-dark(#fff, #111); }</style><main><h1>Home</h1>${gadgets}</main>`;

// An app that never starts keeps loading during the checks.
const patient = `budgets='{"startMs":600000}'`;

async function ask(page: Page, what: () => unknown): Promise<void> {
  const app = await drawnFrameOf(page, 'tides');
  await app.locator('#act').click();
  await app.locator('html').evaluate(`void (${what})()`);
}

test('axe looks into frames: what is wrong inside one is found (control), and nothing is wrong around them', async ({
  show,
}) => {
  const page = await show(around('<gantry-gadget app="tides" heading></gantry-gadget>'));
  await expect(page.getByRole('button', { name: 'Skip Tides' })).toHaveCount(1);
  await expectAccessible(page, 'a gadget');
  const bad = await show(around('<gantry-gadget app="nameless" heading></gantry-gadget>'));
  await expect(frameOf(bad, 'nameless').locator('#act')).toBeVisible();
  await expect(expectAccessible(bad, 'a gadget')).rejects.toThrow(/image-alt[\s\S]*iframe/);
});

test('every state of a gadget passes axe, light and dark, and fits 320 px', async ({ show }) => {
  const page = await show(
    around(
      ['tides', 'asks', 'silent', 'nobody']
        .map((name) => `<gantry-gadget app="${name}" heading="The ${name}" loading="eager" ${patient}></gantry-gadget>`)
        .join(''),
    ),
  );
  await expect(page.getByRole('button', { name: 'Allow' })).toHaveAttribute('aria-disabled', 'false');
  await expect(page.locator('[part=card]')).toHaveCount(1);
  await inspect(page, 'ready, asking, loading, failed');
  await page.getByRole('button', { name: 'Not now' }).click();
  await page.getByRole('button', { name: 'Skip The tides' }).focus();
  await inspect(page, 'skip link, waiting for permission');
  await page.getByRole('button', { name: 'Options for The tides' }).click();
  await inspect(page, 'menu');
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(page.getByRole('group', { name: 'The tides was stopped' })).toBeVisible();
  await inspect(page, 'stopped');
});

test('every dialog and toast passes axe, light and dark, and fits 320 px', async ({ show }) => {
  const page = await show(around('<gantry-gadget app="tides"></gantry-gadget>'));
  await page.evaluate(() => Reflect.deleteProperty(Navigator.prototype, 'share'));
  await expect(page.getByRole('button', { name: 'Skip Tides' })).toHaveCount(1);
  const questions: [string, () => unknown][] = [
    ['confirm', () => gantry.ui.confirm('Delete this album?')],
    ['dialog', () => gantry.ui.dialog({ title: 'Which?', text: 'There are two.', buttons: ['One', 'Other', 'Both'] })],
    ['share', () => gantry.ui.share({ text: 'Low tide', url: 'https://tides.example/slip' })],
    ['link', () => gantry.ui.openLink('https://tides.example/slip')],
    ['permission', () => gantry.permissions.request(['activities.post'])],
  ];
  for (const [name, open] of questions) {
    await ask(page, open);
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByRole('button').first()).toHaveAttribute('aria-disabled', 'false');
    await inspect(page, name);
    // After the resize the question takes no key for half a second.
    await expect(async () => {
      await page.keyboard.press('Escape');
      await expect(dialog).toHaveCount(0, { timeout: 1_000 });
    }).toPass();
    await expect.poll(() => page.evaluate(() => document.activeElement?.localName), name).toBe('gantry-gadget');
  }
  await ask(page, () => {
    for (const kind of ['success', 'warning', 'error'] as const) {
      void gantry.ui.toast(`This is ${kind}`, { kind, durationMs: 20_000, action: 'Undo' });
    }
  });
  await expect(page.getByRole('log')).toContainText('error');
  await page.getByRole('button', { name: 'Undo' }).first().focus(); // the clock is paused
  await expectAccessible(page, 'toasts');
  await ask(page, () => gantry.views.navigate('canvas'));
  await expect(page.getByRole('button', { name: 'Back' })).toBeVisible();
  await inspect(page, 'large view');
});
