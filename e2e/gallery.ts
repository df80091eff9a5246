import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Gantry, Osapi } from '@gantry/osapi';
import type { Page } from '@playwright/test';
import { expect, frameOf, test } from './hosted.ts';

// Takes a picture of each state of the container's chrome: `node scripts/gallery.mjs [name]`.

declare const gantry: Gantry;
declare const osapi: Osapi;

const folder = process.env.GANTRY_GALLERY ?? 'gallery';
const longTitle = 'Harbour and tide tables of the whole northern coast and Donaudampfschifffahrtsgesellschaft';

const card = (title: string) => `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title>
  <style>
    :root { color-scheme: var(--gantry-scheme, light dark); background: var(--gantry-surface); color: var(--gantry-ink); font: 1rem/1.5 system-ui; }
    body { margin: 0; padding: 1rem; } p { margin: 0 0 0.75rem; color: var(--gantry-muted); }
    button { min-height: 2.5rem; padding: 0 1rem; border: 0; border-radius: var(--gantry-radius); background: var(--gantry-accent); color: var(--gantry-on-accent); font: inherit; font-weight: 600; }
  </style><main><p>High water at 14:07, low water at 20:31. The wind turns to the west in the evening.</p><button id="act">Do it</button></main>
  <script src="/gantry/osapi.js"></script>`;
const app = (title: string, manifest: object = {}, script = '') => ({
  'index.html': `${card(title)}<script>${script}</script>`,
  'gadget.json': JSON.stringify({
    name: title,
    page: 'index.html',
    uses: ['people.get', 'appdata.get', 'appdata.update'],
    ...manifest,
  }),
});

test.use({
  mode: 'origin per app',
  apps: {
    tides: app('Tides', { views: { canvas: 'index.html' } }),
    long: app(longTitle),
    silent: {
      'index.html': '<title>Silent</title>',
      'gadget.json': JSON.stringify({ name: 'Tides', page: 'index.html', uses: [] }),
    },
    asks: app('Neighbours', {
      uses: ['people.get', 'activities.get', 'appdata.get', 'appdata.update'],
      fields: ['birthday'],
      optional: { uses: ['activities.create', 'albums.get'] },
    }),
    choosy: app('Diary', { uses: [], optional: { uses: ['activities.create', 'albums.get'] } }),
  },
  asking: ['asks', 'choosy'],
});

const style = `<style>body { margin: 0; padding: 1rem; font: 1rem/1.5 system-ui; background: light-dark(#f3f4f6, #0d0f13); } main { max-width: 40rem; margin: auto; display: grid; gap: 1.5rem; }</style>
  <meta name="viewport" content="width=device-width">`;
const page1 = (gadgets: string, attributes = '') => `${style}<main ${attributes}>${gadgets}</main>`;

const looks = [
  { name: '1 light 1280', colorScheme: 'light', forcedColors: 'none', viewport: { width: 1280, height: 640 } },
  { name: '2 dark 1280', colorScheme: 'dark', forcedColors: 'none', viewport: { width: 1280, height: 640 } },
  { name: '3 light 360', colorScheme: 'light', forcedColors: 'none', viewport: { width: 360, height: 640 } },
  { name: '4 dark 360', colorScheme: 'dark', forcedColors: 'none', viewport: { width: 360, height: 640 } },
  { name: '5 forced 360', colorScheme: 'dark', forcedColors: 'active', viewport: { width: 360, height: 640 } },
] as const;

async function takeAll(page: Page, state: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const { name, colorScheme, forcedColors, viewport } of looks) {
    await page.emulateMedia({ colorScheme, forcedColors, reducedMotion: 'reduce' });
    await page.setViewportSize(viewport);
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    await page.waitForTimeout(150); // the app hears of the scheme and paints
    await page.screenshot({ path: join(folder, `${state}~${name}.png`) });
  }
}

const tides = '<gantry-gadget app="tides" heading loading="eager"></gantry-gadget>';
const act = (page: Page, name: string) => frameOf(page, name).locator('#act');

/** Runs an action of the app after a click in it, without waiting for the member's decision. */
async function ask(page: Page, name: string, what: () => unknown): Promise<void> {
  await act(page, name).click();
  await frameOf(page, name).locator('html').evaluate(`void (${what})()`);
}

test('skeleton', async ({ show }) => {
  const page = await show(page1('<gantry-gadget app="silent" heading loading="eager"></gantry-gadget>'));
  await expect(page.locator('[part=skeleton]')).toBeVisible();
  await takeAll(page, '01 skeleton');
});

test('ready', async ({ show }) => {
  const page = await show(
    page1(
      `${tides}<gantry-gadget app="long" heading loading="eager"></gantry-gadget><gantry-gadget app="tides" loading="eager"></gantry-gadget>`,
    ),
  );
  await expect(page.getByRole('button', { name: /^Skip/ })).toHaveCount(3);
  await page.waitForTimeout(500);
  await takeAll(page, '02 ready, with a long heading, without a heading');
  await page.getByRole('button', { name: 'Options for Tides' }).first().click();
  await takeAll(page, '03 menu');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  await takeAll(page, '04 skip link');
  await page.keyboard.press('Enter');
  await takeAll(page, '05 end of the app');
  await page.getByRole('button', { name: /^Options for Harbour/ }).focus();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Tab');
  await takeAll(page, '06 focus on options');
  await page.getByRole('button', { name: 'Skip Harbour' }).focus();
  await takeAll(page, '07 skip link, long');
});

test('stopped and failed', async ({ show }) => {
  const page = await show(
    page1(
      `${tides}<gantry-gadget app="nobody" heading="Weather"></gantry-gadget><gantry-gadget app="long" loading="eager"></gantry-gadget>`,
    ),
  );
  await expect(page.getByRole('button', { name: /^Skip/ })).toHaveCount(2);
  for (const name of ['tides', 'long'])
    await page.locator(`[app=${name}]`).evaluate((it) => (it as unknown as { stop(): void }).stop());
  await expect(page.locator('[part=card]')).toHaveCount(3);
  await takeAll(page, '08 stopped, failed, stopped with a long title');
  await page.keyboard.press('Tab');
  await takeAll(page, '09 focus on start again');
});

test('unresponsive', async ({ show }) => {
  const page = await show(
    page1(
      `<gantry-gadget app="tides" heading loading="eager" budgets='{"responseMs":700,"restartMs":0}'></gantry-gadget>`,
    ),
  );
  await expect(page.getByRole('button', { name: /^Skip/ })).toHaveCount(1);
  await frameOf(page, 'tides')
    .locator('html')
    .evaluate(() => {
      MessagePort.prototype.postMessage = () => {}; // it becomes silent
    });
  await expect(page.locator('[part=notice]')).toBeVisible({ timeout: 15_000 });
  await takeAll(page, '10 not responding');
});

test('consent', async ({ show }) => {
  const page = await show(
    page1('<gantry-gadget app="asks" heading></gantry-gadget><gantry-gadget app="choosy" heading></gantry-gadget>'),
  );
  await expect(page.getByRole('button', { name: 'Allow' })).toHaveAttribute('aria-disabled', 'false');
  await takeAll(page, '11 consent card');
  await page.getByRole('button', { name: 'Allow' }).focus();
  await takeAll(page, '12 consent card, focus');
  await expect(page.getByRole('button', { name: 'Not now' })).toHaveAttribute('aria-disabled', 'false');
  await page.getByRole('button', { name: 'Not now' }).click();
  await expect(page.getByRole('button', { name: 'Review' })).toBeVisible();
  await takeAll(page, '13 consent waits');
  await page.evaluate(() => scrollTo(0, 9_000));
  await ask(page, 'choosy', () => gantry.permissions.request(['activities.post', 'albums']));
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Allow' })).toHaveAttribute(
    'aria-disabled',
    'false',
  );
  await takeAll(page, '14 optional permissions');
  await expect(page.getByRole('dialog').getByRole('button').first()).toHaveAttribute('aria-disabled', 'false');
  await page.getByRole('dialog').getByRole('button', { name: 'Allow' }).click();
  await page.getByRole('button', { name: 'Options for Diary' }).click();
  await page.getByRole('button', { name: 'Permissions…' }).click();
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Save' })).toHaveAttribute(
    'aria-disabled',
    'false',
  );
  await takeAll(page, '15 permissions');
});

test('toasts', async ({ show }) => {
  const page = await show(page1(tides));
  await expect(page.getByRole('button', { name: /^Skip/ })).toHaveCount(1);
  await ask(page, 'tides', () => {
    void gantry.ui.toast('Album deleted.', { kind: 'success', action: 'Undo', durationMs: 20_000 });
    void gantry.ui.toast('The tide is unusually low today, so the slip may be out of reach until the evening.', {
      kind: 'warning',
      durationMs: 20_000,
    });
    void gantry.ui.toast('That did not work.', {
      kind: 'error',
      durationMs: 20_000,
      action: 'Try it again with everything',
    });
  });
  await expect(page.getByRole('log')).toContainText('did not work');
  await takeAll(page, '16 toasts');
  await page.getByRole('log').getByRole('button', { name: 'Undo' }).focus();
  await takeAll(page, '17 toast, focus');
});

test('dialogs', async ({ show, context }) => {
  await context.grantPermissions(['clipboard-write']);
  const page = await show(page1(tides));
  await page.evaluate(() => Reflect.deleteProperty(Navigator.prototype, 'share'));
  await expect(page.getByRole('button', { name: /^Skip/ })).toHaveCount(1);
  const dialogs: [string, () => unknown][] = [
    [
      '18 dialog',
      () =>
        gantry.ui.dialog({
          title: 'Which tide table do you want to keep for the summer?',
          text: 'There are two of the same name.\n\nThe newer one has 40 entries more, but lacks the moorings that you wrote down yourself.',
          buttons: ['Neither', 'Keep the older one', 'Keep the newer one'],
        }),
    ],
    ['19 confirm', () => gantry.ui.confirm('Delete this album?')],
    [
      '20 share',
      () =>
        gantry.ui.share({
          title: 'Low tide today',
          text: 'The slip is dry until six.',
          url: 'https://tides.example/slip',
        }),
    ],
    [
      '21 open link',
      () => gantry.ui.openLink('https://bücher.example/a/very/long/path/that/goes/on/and/on?with=parameters&and=more'),
    ],
    [
      '22 dialog, much text',
      () =>
        gantry.ui.dialog({
          title: 'Rules of the harbour',
          text: 'Keep to the right, and sound the horn when you leave. '.repeat(18),
          buttons: ['Close'],
        }),
    ],
  ];
  for (const [name, open] of dialogs) {
    await ask(page, 'tides', open);
    await expect(page.getByRole('dialog').getByRole('button').first()).toHaveAttribute('aria-disabled', 'false');
    await takeAll(page, name);
    await expect(page.getByRole('dialog').getByRole('button').first()).toHaveAttribute('aria-disabled', 'false');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  }
  await ask(page, 'tides', () => gantry.ui.confirm('Delete this album?'));
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.screenshot({ path: join(folder, '23 dialog while held~light.png') });
});

test('canvas', async ({ show }) => {
  const page = await show(page1(tides));
  await expect(page.getByRole('button', { name: /^Skip/ })).toHaveCount(1);
  await ask(page, 'tides', () => gantry.views.navigate('canvas'));
  await expect(page.getByRole('button', { name: 'Back' })).toBeVisible();
  await takeAll(page, '24 canvas');
  await page.getByRole('button', { name: 'Options for Tides' }).click();
  await takeAll(page, '25 canvas, menu');
});

test('offline', async ({ show, context }) => {
  const page = await show(page1(tides));
  await expect(page.getByRole('button', { name: /^Skip/ })).toHaveCount(1);
  await context.setOffline(true);
  await frameOf(page, 'tides')
    .locator('html')
    .evaluate(() => {
      osapi.appdata.update({ data: { a: '1' } }).execute();
      osapi.appdata.update({ data: { b: '2' } }).execute();
    });
  await expect(page.locator('[part=outbox]')).toBeVisible();
  await page.evaluate(() =>
    document.querySelector('main')?.insertAdjacentHTML('beforeend', '<gantry-gadget app="long"></gantry-gadget>'),
  );
  await expect(page.locator('[part=card]')).toBeVisible();
  await takeAll(page, '26 offline: what waits, and a gadget that cannot start');
});

test('German', async ({ show }) => {
  const page = await show(
    `<script>document.documentElement.lang = 'de'</script>${page1(`${tides}<gantry-gadget app="asks" heading></gantry-gadget><gantry-gadget app="nobody" heading="Wetter"></gantry-gadget>`)}`,
  );
  await expect(page.getByRole('button', { name: 'Tides überspringen' })).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'Erlauben' })).toHaveAttribute('aria-disabled', 'false');
  await takeAll(page, '27 German');
  await ask(page, 'tides', () => gantry.ui.openLink('https://books.example/'));
  await expect(page.getByRole('dialog').getByRole('button').first()).toHaveAttribute('aria-disabled', 'false');
  await takeAll(page, '28 German, link');
});

test('French', async ({ show, context }) => {
  const page = await show(
    `<script>document.documentElement.lang = 'fr'</script>${page1(`<gantry-gadget app="long" heading loading="eager"></gantry-gadget><gantry-gadget app="asks" heading></gantry-gadget><gantry-gadget app="nobody" heading="Agenda"></gantry-gadget>`)}`,
  );
  await expect(page.getByRole('button', { name: 'Autoriser' })).toHaveAttribute('aria-disabled', 'false');
  await takeAll(page, '32 French');
  await page.locator('gantry-gadget').last().scrollIntoViewIfNeeded();
  await takeAll(page, '32 French, end');
  await ask(page, 'long', () => gantry.ui.openLink('https://books.example/'));
  await expect(page.getByRole('dialog').getByRole('button').first()).toHaveAttribute('aria-disabled', 'false');
  await takeAll(page, '33 French, link');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Autoriser' }).scrollIntoViewIfNeeded();
  await page.waitForTimeout(700); // the button takes no input yet
  await page.getByRole('button', { name: 'Autoriser' }).click();
  await page.getByRole('button', { name: 'Options de Neighbours' }).press('Enter');
  await takeAll(page, '34 French, menu');
  await page.getByRole('button', { name: 'Autorisations…' }).click();
  await expect(page.getByRole('dialog').getByRole('button').first()).toHaveAttribute('aria-disabled', 'false');
  await takeAll(page, '35 French, permissions');
  await page.keyboard.press('Escape');
  await context.setOffline(true);
  await frameOf(page, 'long')
    .locator('html')
    .evaluate(() => {
      osapi.appdata.update({ data: { a: '1' } }).execute();
      osapi.appdata.update({ data: { b: '2' } }).execute();
    });
  await expect(page.locator('[part=outbox]')).toBeVisible();
  await takeAll(page, '36 French, offline');
});

test('right to left', async ({ show }) => {
  const page = await show(
    `<script>document.documentElement.dir = 'rtl'</script>${page1(`${tides}<gantry-gadget app="asks" heading></gantry-gadget>`)}`,
  );
  await page.getByRole('button', { name: 'Options for Tides' }).click();
  await takeAll(page, '29 right to left, menu');
  await page.keyboard.press('Escape');
  await ask(page, 'tides', () => {
    void gantry.ui.toast('Saved.', { action: 'Undo', durationMs: 20_000 });
    void gantry.views.navigate('canvas');
  });
  await expect(page.getByRole('button', { name: 'Back' })).toBeVisible();
  await takeAll(page, '30 right to left, canvas and toast');
});
