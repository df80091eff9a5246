import type { Gadgets, Gantry, Osapi } from '@gantry/osapi';
import type { Locator, Page } from '@playwright/test';
import { drawnFrameOf, expect, frameOf, inEachMode, isDrawn, test } from './hosted.ts';

declare const gantry: Gantry;
declare const gadgets: Gadgets;
declare const osapi: Osapi;

/** A page with a button for each action, which shows the results. */
function lab(buttons: Readonly<Record<string, string>>, script = ''): string {
  const rows = Object.entries(buttons).map(
    ([id, code]) => `<button id="${id}" onclick="Promise.resolve(${code}).then(say, say)">${id}</button>`,
  );
  return `<!doctype html><html lang="en"><title>Lab</title>
    <style>:root { color-scheme: var(--gantry-scheme, light dark); background: var(--gantry-surface); color: var(--gantry-ink); }</style>
    <h1 id="view"></h1><div>${rows.join('')}</div><p id="out"></p><ol id="heard"></ol>
    <script src="/gantry/osapi.js"></script>
    <script>
      const say = (value) => { out.textContent = value instanceof Error ? value.code + ' ' + value.data.reason : String(value); };
      const hear = (text) => { heard.append(Object.assign(document.createElement('li'), { textContent: text })); };
      const show = ({ view, params }) => { document.getElementById('view').textContent = view + ' ' + JSON.stringify(params); };
      osapi.ready.then(show);
      gantry.on('context', show);
      ${script}
    </script>`;
}

const asks = {
  canvas: "gantry.views.navigate('canvas', { tab: '2' })",
  map: "gantry.views.navigate('canvas.map')",
  lobby: "gantry.views.navigate('lobby')",
  toast: "gantry.ui.toast('Saved <b>all</b>', { kind: 'success', action: 'Undo' })",
  confirm: "gantry.ui.confirm('Delete <i>everything</i>?')",
  dialog: "gantry.ui.dialog({ title: 'Which?', text: 'Choose one.', buttons: ['Left', 'Right'] })",
  share: "gantry.ui.share({ title: 'Look', text: 'At this', url: 'https://shop.example/1' })",
  link: "gantry.ui.openLink('https://bücher.example/a?b=c')",
  script: "gantry.ui.openLink('javascript:alert(1)')",
  bank: "gantry.ui.openLink('https://bank.example@evil.example/')",
  title: "gantry.setTitle('  Three <b>new</b>\\nletters ')",
};

const pages = JSON.stringify({
  name: 'Pages',
  page: 'index.html',
  uses: ['activities.get', 'activities.create'],
  views: { home: 'index.html', canvas: 'large.html', 'canvas.map': 'large.html' },
});
const saving = "gantry.on('teardown', () => osapi.activities.create({ activity: { title: 'kept' } }));";
const looping = `addEventListener('resize', () => gadgets.window.adjustHeight(innerHeight + 1)); osapi.ready.then(() => gadgets.window.adjustHeight(301));`;

test.use({
  apps: {
    lab: {
      'index.html': lab(asks, "gantry.on('visibility', ({ state }) => hear(state)); window.kept = 0;"),
      'gadget.json': JSON.stringify({ name: 'Lab', page: 'index.html', height: 320 }),
    },
    pages: {
      'index.html': lab({ canvas: asks.canvas }, saving),
      'large.html': lab({ home: "gantry.views.navigate('home')" }),
      'gadget.json': pages,
    },
    tuned: {
      'index.html': lab({}),
      'tune.html': lab({ home: "gantry.views.navigate('home')" }),
      'gadget.json': JSON.stringify({
        name: 'Tuned',
        page: 'index.html',
        views: { home: 'index.html', preferences: 'tune.html' },
      }),
    },
    growing: { 'index.html': lab({}, looping) },
    tall: {
      'index.html': lab({
        grow: "document.body.append(Object.assign(document.createElement('div'), { style: 'height: 700px' }))",
      }),
      'gadget.json': JSON.stringify({ name: 'Tall', page: 'index.html', height: 100, sizing: 'automatic' }),
    },
    whole: {
      'index.html': lab({ shrink: 'gadgets.window.adjustHeight(100)' }),
      'gadget.json': JSON.stringify({ name: 'Whole', page: 'index.html', height: 150, sizing: 'maximal' }),
    },
    still: {
      'index.html': lab({ grow: 'gadgets.window.adjustHeight(900)' }),
      'gadget.json': JSON.stringify({ name: 'Still', page: 'index.html', height: 150, sizing: 'fixed' }),
    },
  },
});

inEachMode(() => {
  test('the back button of the browser leads back from a view, without a reload (ADR 18)', async ({ show }) => {
    const page = await show('<gantry-gadget app="lab"></gantry-gadget>');
    const app = await drawnFrameOf(page, 'lab');
    await expect(app.locator('#view')).toHaveText('home {}');
    await app.locator('html').evaluate(() => Object.assign(window, { kept: 1 }));
    await app.getByRole('button', { name: 'canvas' }).click();
    await expect(app.locator('#view')).toHaveText('canvas {"tab":"2"}');
    await expect(page).toHaveURL(/#gantry\.lab=canvas%3Ftab%3D2$/);
    await expect(page.locator('gantry-gadget')).toHaveAttribute('maximised');
    expect(
      await app.locator('html').evaluate(() => [gadgets.views.getCurrentView().getName(), gadgets.views.getParams()]),
    ).toEqual(['canvas', { tab: '2' }]);
    await page.goBack();
    await expect(app.locator('#view')).toHaveText('home {}');
    await expect(page.locator('gantry-gadget')).not.toHaveAttribute('maximised');
    await page.goForward();
    await expect(app.locator('#view')).toHaveText('canvas {"tab":"2"}');
    await page.getByRole('button', { name: 'Back' }).click();
    await expect(app.locator('#view')).toHaveText('home {}');
    await expect(page).not.toHaveURL(/gantry\.lab/);
    expect(await app.locator('html').evaluate(() => (window as unknown as { kept: number }).kept)).toBe(1);
  });

  test('a view with a page of its own is loaded, after the app has saved (ADR 18)', async ({ show }) => {
    const page = await show('<gantry-gadget app="pages"></gantry-gadget>');
    const app = await drawnFrameOf(page, 'pages');
    await app.getByRole('button', { name: 'canvas' }).click();
    await expect(app.getByRole('button', { name: 'home' })).toBeVisible();
    await expect(app.locator('#view')).toHaveText('canvas {"tab":"2"}');
    const { list } = await app.locator('html').evaluate(() => osapi.activities.get());
    expect(list.map(({ title }) => title)).toEqual(['kept']);
    await page.goBack();
    await expect(app.getByRole('button', { name: 'canvas' })).toBeVisible();
  });
});

test('an app follows the site’s theme and its changes (ADR 18)', async ({ show }) => {
  const page = await show(`<style>:root { color-scheme: light; --gantry-surface: #fdf6e3 }
    :root.dark { color-scheme: dark; --gantry-surface: #002b36; --gantry-radius: 4px }</style><gantry-gadget app="lab"></gantry-gadget>`);
  const root = frameOf(page, 'lab').locator('html');
  await expect(root).toHaveCSS('background-color', 'rgb(253, 246, 227)');
  await expect(root).toHaveCSS('color-scheme', 'light');
  await page.evaluate(() => document.documentElement.classList.add('dark'));
  await expect(root).toHaveCSS('background-color', 'rgb(0, 43, 54)');
  await expect(root).toHaveCSS('color-scheme', 'dark');
  await expect.poll(() => root.evaluate(() => gantry.context?.theme.radius)).toBe('4px');
  await page.evaluate(() => {
    document.documentElement.lang = 'de-CH';
    document.documentElement.dir = 'rtl';
  });
  await expect.poll(() => root.evaluate(() => gantry.context?.locale)).toBe('de-CH');
  await expect.poll(() => root.evaluate(() => gantry.context?.theme.direction)).toBe('rtl');
});

test.describe('in a time zone with two names', () => {
  test.use({ timezoneId: 'Asia/Kolkata' });
  for (const [how, script] of [
    ['as the browser names it', ''],
    ['where there is no Temporal', 'delete globalThis.Temporal'],
  ] as const) {
    test(`apps get the time zone ${how} (ADR 14)`, async ({ show, page }) => {
      await page.addInitScript(script);
      await show('<gantry-gadget app="lab"></gantry-gadget>');
      const root = frameOf(page, 'lab').locator('html');
      await expect.poll(() => root.evaluate(() => gantry.context?.timeZone)).toBe('Asia/Calcutta');
    });
  }
});

test('a dialog says which app asks, and takes no click for half a second (security rule 7)', async ({ show }) => {
  const page = await show('<gantry-gadget app="lab"></gantry-gadget>');
  const app = await drawnFrameOf(page, 'lab');
  await app.getByRole('button', { name: 'confirm' }).click();
  const dialog = page.getByRole('dialog', { name: 'The app “Lab” asks' });
  await dialog.getByRole('button', { name: 'OK' }).dispatchEvent('click');
  await expect(dialog).toContainText('Delete <i>everything</i>?');
  await expect(dialog.getByRole('button', { name: 'OK' })).toHaveAttribute('aria-disabled', 'false');
  await dialog.getByRole('button', { name: 'OK' }).click();
  await expect(app.locator('#out')).toHaveText('true');
  await expect(dialog).toHaveCount(0);
  await app.getByRole('button', { name: 'dialog' }).click();
  await expect(page.getByRole('button', { name: 'Left' })).toHaveAttribute('aria-disabled', 'false');
  await page.keyboard.press('Escape');
  await expect(app.locator('#out')).toHaveText('undefined');
  await expect.poll(() => page.evaluate(() => document.activeElement?.localName)).toBe('gantry-gadget');
});

test('after the dialog of one app another one may ask: the click in it counts as its own (security rule 7)', async ({
  show,
}) => {
  const page = await show('<gantry-gadget app="lab"></gantry-gadget><gantry-gadget app="lab"></gantry-gadget>');
  for (const index of [0, 1, 0]) {
    const gadget = page.locator('gantry-gadget').nth(index);
    await isDrawn(gadget);
    const app = gadget.frameLocator('iframe');
    await app.getByRole('button', { name: 'confirm' }).click();
    const ok = page.getByRole('dialog').getByRole('button', { name: 'OK' });
    await expect(ok).toHaveAttribute('aria-disabled', 'false');
    await ok.click();
    await expect(app.locator('#out')).toHaveText('true');
    await app.locator('#out').evaluate((out) => out.replaceChildren());
  }
});

test('an app that resizes in a loop is limited, and the page gets one event (ADR 18)', async ({ show }) => {
  const page =
    await show(`<script>incidents = []; addEventListener('gantry-incident', ({ detail }) => incidents.push(detail))</script>
    <gantry-gadget app="growing"></gantry-gadget>`);
  await expect
    .poll(() => page.evaluate('incidents'))
    .toEqual([
      {
        app: 'growing',
        kind: 'resize-loop',
        detail: { message: 'It changed its height again and again, so it is held at one.' },
      },
    ]);
  await expect.poll(async () => (await page.locator('iframe').boundingBox())?.height).toBeLessThan(400);
});

test('a dialog gives the focus back at once, and not from an element that the page focuses then', async ({ show }) => {
  const page = await show('<input aria-label="Elsewhere"><gantry-gadget app="lab"></gantry-gadget>');
  const app = await drawnFrameOf(page, 'lab');
  await app.getByRole('button', { name: 'confirm' }).click();
  const ok = page.getByRole('dialog').getByRole('button', { name: 'OK' });
  await expect(ok).toHaveAttribute('aria-disabled', 'false');
  const focused = page.evaluate(async () => {
    await new Promise((clicked) => document.addEventListener('click', clicked, { once: true }));
    const gotBack = document.activeElement?.localName;
    document.querySelector('input')?.focus();
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
    return [gotBack, document.activeElement?.localName];
  });
  await ok.click();
  await expect(app.locator('#out')).toHaveText('true');
  expect(await focused).toEqual(['gantry-gadget', 'input']);
});

test('an address that names a view opens it, and one that names none does nothing (ADR 18)', async ({
  show,
  hosted,
}) => {
  const page = await show('<gantry-gadget app="lab"></gantry-gadget>');
  await page.goto(`${page.url()}#a&gantry.lab=${encodeURIComponent('canvas.map?x=1&y=ö')}`);
  await page.reload();
  const app = frameOf(page, 'lab');
  await expect(app.locator('#view')).toHaveText('canvas.map {"x":"1","y":"ö"}');
  await expect(page.locator('gantry-gadget')).toHaveAttribute('maximised');
  await page.getByRole('button', { name: 'Back' }).click(); // nothing to go back to
  await expect(app.locator('#view')).toHaveText('home {}');
  expect(new URL(page.url()).hash).toBe('#a');
  await page.goto(`${hosted.url}/?${new URL(page.url()).searchParams}#gantry.lab=lobby`);
  await page.reload();
  await expect(app.locator('#view')).toHaveText('home {}');
});

test('preferences of an app are in its menu, in the address, and one press of Back or Escape away from it', async ({
  show,
}) => {
  const page = await show(
    '<gantry-gadget app="tuned" heading></gantry-gadget><gantry-gadget app="lab"></gantry-gadget>',
  );
  const app = frameOf(page, 'tuned');
  await expect(app.locator('#view')).toHaveText('home {}');
  await page.getByRole('button', { name: 'Options for Tuned' }).press('Enter');
  await page.getByRole('button', { name: 'Preferences' }).press('Enter');
  await expect(app.locator('#view')).toHaveText('preferences {}');
  await expect(page).toHaveURL(/#gantry\.tuned=preferences$/);
  await expect(page.locator('[app=tuned] [part=frame]')).toBeFocused();
  await expect(page.locator('[app=tuned]')).not.toHaveAttribute('maximised');
  await expect(page.getByText('Preferences', { exact: true }).filter({ visible: true })).toBeVisible();
  await page.goBack();
  await expect(app.locator('#view')).toHaveText('home {}');
  await expect(page.getByRole('button', { name: 'Back' })).toHaveCount(0);
  await page.goForward();
  await expect(app.locator('#view')).toHaveText('preferences {}');
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(app.locator('#view')).toHaveText('home {}');
  await page.goto(`${page.url()}#gantry.tuned=preferences`);
  await page.reload(); // a deep link
  await expect(app.locator('#view')).toHaveText('preferences {}');
  // Not awaited: the view has a page of its own, and the keyup event can be lost with the old
  // frame.
  void app
    .getByRole('button', { name: 'home' })
    .press('Escape')
    .catch(() => {});
  await expect(app.locator('#view')).toHaveText('home {}');
  await expect(page).not.toHaveURL(/gantry\.tuned/);
  await page.getByRole('button', { name: 'Options for Lab' }).press('Enter'); // control: an app without such a view
  await expect(page.getByRole('button', { name: 'Reload' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Preferences' })).toHaveCount(0);
});

test('a site may handle navigation itself, and a view that the app lacks is refused', async ({ show }) => {
  const page =
    await show(`<script>addEventListener('gantry-navigate', (event) => { event.preventDefault(); document.title = event.detail.view; })</script>
    <gantry-gadget app="lab"></gantry-gadget>`);
  const app = await drawnFrameOf(page, 'lab');
  await app.getByRole('button', { name: 'map' }).click();
  await expect(app.locator('#out')).toHaveText('false');
  await expect(page).toHaveTitle('canvas.map');
  await app.getByRole('button', { name: 'lobby' }).click();
  await expect(app.locator('#out')).toHaveText('400 BAD_REQUEST');
  await expect(app.locator('#view')).toHaveText('home {}');
});

test('without a click an app gets neither navigation nor dialogs of the page', async ({ show }) => {
  const page = await show('<gantry-gadget app="lab"></gantry-gadget>');
  const root = frameOf(page, 'lab').locator('html');
  await expect(root.locator('#view')).toHaveText('home {}');
  const tried = await root.evaluate(async () => {
    const reason = (error: { code: number }) => error.code;
    return [
      await gantry.ui.confirm('Now?').catch(reason),
      await gantry.ui.openLink('https://evil.example/').catch(reason),
      await gantry.ui.share({ text: 'x' }).catch(reason),
      await gantry.views.navigate('canvas').catch(reason),
      await gantry.views.navigate('home.empty').catch(reason),
    ];
  });
  expect(tried).toEqual([403, 403, 403, 403, true]);
  expect(await page.evaluate(() => history.length)).toBe(2); // the blank page and this one
});

test('toasts are text, say whose they are, are at most three, and wait while they are looked at', async ({ show }) => {
  const page = await show('<gantry-gadget app="lab"></gantry-gadget>');
  const app = await drawnFrameOf(page, 'lab');
  await app.getByRole('button', { name: 'toast' }).click();
  const toasts = page.getByRole('log', { name: 'Notices of apps' });
  await expect(toasts).toContainText('LabSaved <b>all</b>');
  await toasts.getByRole('button', { name: 'Undo' }).click();
  await expect(app.locator('#out')).toHaveText('action');
  await expect(toasts).toHaveCount(0);
  const first = app.locator('html').evaluate(() => gantry.ui.toast('first'));
  await expect(toasts).toContainText('first');
  await app.locator('html').evaluate(() => {
    for (const text of ['second', 'third', 'fourth']) void gantry.ui.toast(text);
  });
  await expect(toasts).toContainText('fourth');
  expect(await first).toBe('closed');
  await expect(toasts.getByRole('button', { name: 'Close' })).toHaveCount(3);
  const refused = await app.locator('html').evaluateHandle(() => {
    const codes: number[] = [];
    for (let more = 0; more < 8; more += 1) gantry.ui.toast('more').catch(({ code }) => codes.push(code));
    return codes;
  });
  await expect.poll(() => refused.jsonValue()).toEqual([429, 429, 429]);
});

for (const [how, hold, letGo] of [
  ['points at it', (toast: Locator) => toast.hover(), (page: Page) => page.mouse.move(0, 0)],
  [
    'has the focus in it',
    (toast: Locator) => toast.getByRole('button', { name: 'Close' }).focus(),
    (page: Page) => page.evaluate(() => (document.activeElement as HTMLElement).blur()),
  ],
] as const) {
  test(`a toast stays while a member ${how}, and goes when its time is over after that`, async ({ show, page }) => {
    await page.clock.install();
    await show(`<gantry-gadget app="lab" budgets='{"responseMs": 900000}'></gantry-gadget>`); // a minute goes by at once
    const root = frameOf(page, 'lab').locator('html');
    const toast = page.getByRole('log').locator('.toast');
    const says = (text: string) => root.evaluate((_, said) => gantry.ui.toast(said, { durationMs: 3_000 }), text);
    await expect(frameOf(page, 'lab').locator('#view')).toHaveText('home {}');
    const unheeded = says('Nobody looks');
    await expect(toast).toHaveCount(1);
    await page.clock.runFor(3_000); // control
    expect(await unheeded).toBe('closed');
    const held = says('Somebody looks');
    await hold(toast);
    await page.clock.runFor(60_000);
    await expect(toast).toHaveCount(1);
    await letGo(page);
    await page.clock.runFor(2_000);
    await expect(toast).toHaveCount(1);
    await page.clock.runFor(1_000);
    expect(await held).toBe('closed');
    await expect(toast).toHaveCount(0);
  });
}

test('a link away from the site is asked about with its real host, and opens without a way back to the page', async ({
  show,
  context,
}) => {
  await context.route('https://**', (route) =>
    route.fulfill({ body: '<title>Books</title>', contentType: 'text/html' }),
  );
  const page = await show('<gantry-gadget app="lab"></gantry-gadget>');
  const app = await drawnFrameOf(page, 'lab');
  await app.getByRole('button', { name: 'link' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('heading')).toHaveText('Leave this site?');
  await expect(dialog).toContainText('xn--bcher-kva.example');
  const open = dialog.getByRole('button', { name: 'Open' });
  await expect(open).toHaveAttribute('aria-disabled', 'false');
  const [opened] = await Promise.all([context.waitForEvent('page'), open.click()]);
  expect(await opened.evaluate(() => [window.opener, document.referrer])).toEqual([null, '']);
  await page.bringToFront();
  for (const name of ['script', 'bank']) {
    await app.getByRole('button', { name }).click();
    await expect(app.locator('#out')).toHaveText('400 BAD_REQUEST');
    await expect(dialog).toHaveCount(0);
  }
});

test('shared text can be copied in a browser without sharing', async ({ show, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const page = await show('<gantry-gadget app="lab"></gantry-gadget>');
  await page.evaluate(() => Reflect.deleteProperty(Navigator.prototype, 'share'));
  const app = await drawnFrameOf(page, 'lab');
  await app.getByRole('button', { name: 'share' }).click();
  const copy = page.getByRole('dialog').getByRole('button', { name: 'Copy' });
  await expect(copy).toHaveAttribute('aria-disabled', 'false');
  await copy.click();
  await expect(app.locator('#out')).toHaveText('copied');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('At this\nhttps://shop.example/1');
});

test('a title is text in the heading and the name of the frame, until the app is loaded anew', async ({ show }) => {
  const page = await show('<gantry-gadget app="lab" heading></gantry-gadget>');
  const app = await drawnFrameOf(page, 'lab');
  await app.getByRole('button', { name: 'title' }).click();
  await expect(page.getByRole('heading', { name: 'Three <b>new</b> letters' })).toBeVisible();
  await expect(page.locator('iframe')).toHaveAttribute('title', 'Three <b>new</b> letters');
  await app.locator('html').evaluate(() => location.reload());
  await expect(page.getByRole('heading', { name: 'Lab', exact: true })).toBeVisible();
  await expect(page.locator('iframe')).toHaveAttribute('title', 'Lab');
});

test('sizing is the manifest’s: automatic follows the content, fixed stays (ADR 18)', async ({ show }) => {
  const page = await show('<gantry-gadget app="tall"></gantry-gadget><gantry-gadget app="still"></gantry-gadget>');
  await (await drawnFrameOf(page, 'tall')).getByRole('button', { name: 'grow' }).click();
  await expect.poll(async () => (await page.locator('[app=tall] iframe').boundingBox())?.height).toBeGreaterThan(700);
  await (await drawnFrameOf(page, 'still')).getByRole('button', { name: 'grow' }).click();
  await expect(frameOf(page, 'still').locator('#out')).toHaveText('undefined');
  expect((await page.locator('[app=still] iframe').boundingBox())?.height).toBe(150);
});

test('maximal sizing is the height of the window, whatever the app asks for', async ({ show, page }) => {
  await page.setViewportSize({ width: 900, height: 700 });
  await show('<gantry-gadget app="whole"></gantry-gadget>');
  const height = async () => (await page.locator('[app=whole] iframe').boundingBox())?.height;
  await expect.poll(height).toBe(700);
  await (await drawnFrameOf(page, 'whole')).getByRole('button', { name: 'shrink' }).click();
  await expect(frameOf(page, 'whole').locator('#out')).toHaveText('undefined');
  expect(await height()).toBe(700);
  await page.setViewportSize({ width: 900, height: 480 });
  await expect.poll(height).toBe(480);
});

test('on a page that is written from right to left the chrome is mirrored', async ({ show }) => {
  const page = await show(`<script>document.documentElement.dir = 'rtl';</script>
    <gantry-gadget app="tuned" heading></gantry-gadget><gantry-gadget app="lab"></gantry-gadget>`);
  const isLeftOf = async (one: Locator, other: Locator) =>
    ((await one.boundingBox())?.x ?? 0) < ((await other.boundingBox())?.x ?? 0);
  const app = await drawnFrameOf(page, 'lab');
  await app.getByRole('button', { name: 'toast' }).click();
  const toast = page.getByRole('log');
  expect(await isLeftOf(toast.getByRole('button', { name: 'Close' }), toast.getByText('Lab'))).toBe(true);
  await app.getByRole('button', { name: 'confirm' }).click();
  const dialog = page.getByRole('dialog');
  const [ok, cancel] = ['OK', 'Cancel'].map((name) => dialog.getByRole('button', { name })) as [Locator, Locator];
  await expect(ok).toHaveAttribute('aria-disabled', 'false');
  expect(await isLeftOf(ok, cancel)).toBe(true);
  await expect(dialog.getByRole('heading')).toHaveCSS('unicode-bidi', 'plaintext'); // “Are you sure?” keeps its “?” last
  await cancel.click();
  const options = page.getByRole('button', { name: 'Options for Tuned' });
  expect(await isLeftOf(options, page.getByRole('heading', { name: 'Tuned' }))).toBe(true);
  await options.click();
  await expect(page.getByRole('button', { name: 'Reload' })).toHaveCSS('text-align', /right/);
  await page.getByRole('button', { name: 'Preferences' }).click();
  await expect(frameOf(page, 'tuned').locator('#view')).toHaveText('preferences {}');
  expect(await isLeftOf(page.locator('.canvas-bar span'), page.getByRole('button', { name: 'Back' }))).toBe(true);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
});

test('an app gets events when it becomes visible or hidden (ADR 18)', async ({ show }) => {
  const page = await show('<gantry-gadget app="lab"></gantry-gadget><div style="height: 9000px"></div>');
  const heard = frameOf(page, 'lab').locator('#heard li');
  await expect(heard).toHaveText(['visible']);
  await page.evaluate(() => scrollTo(0, 8000));
  await expect(heard).toHaveText(['visible', 'hidden']);
  await page.evaluate(() => scrollTo(0, 0));
  await expect(heard).toHaveText(['visible', 'hidden', 'visible']);
});
