import type { Gantry } from '@gantry/osapi';
import type { Page } from '@playwright/test';
import { expect, frameOf, inEachMode, test } from './hosted.ts';

declare const gantry: Gantry;

/** An app with two buttons and a field, which report their events. */
function app(name: string, script = ''): string {
  return `<!doctype html><html lang="en"><title>${name}</title><main><h1>${name}</h1>
    <button id="first">${name} first</button><input aria-label="Text of ${name}"><button id="last">${name} last</button></main>
    <script src="/gantry/osapi.js"></script><script>${script}</script>`;
}

const text = (name: string) =>
  `<!doctype html><html lang="en"><title>${name}</title><main><h1>${name}</h1><p>Only text.</p></main><script src="/gantry/osapi.js"></script>`;
const manifest = (name: string, more: object = {}) => JSON.stringify({ name, page: 'index.html', uses: [], ...more });

test.use({
  apps: {
    ann: { 'index.html': app('ann'), 'gadget.json': manifest('Ann', { views: { canvas: 'index.html' } }) },
    bo: {
      'index.html': app(
        'bo',
        `addEventListener('keydown', (event) => { if (event.key === 'F2') event.preventDefault(); });
         first.onkeydown = (event) => { if (event.key === 'F4') event.stopPropagation(); };`,
      ),
      'gadget.json': manifest('Bo'),
    },
    reader: { 'index.html': text('reader'), 'gadget.json': manifest('Reader') },
    trap: {
      'index.html': app(
        'trap',
        `addEventListener('keydown', (event) => {
           if (event.key !== 'Tab') return;
           event.preventDefault();
           gantry.focus.leave(event.shiftKey ? 'backward' : 'forward');
         });`,
      ),
      'gadget.json': manifest('Trap'),
    },
    asks: { 'index.html': app('asks'), 'gadget.json': manifest('Asks', { uses: ['people.get'] }) },
  },
  asking: ['asks'],
});

const around = (gadgets: string) =>
  `<main><h1>Home</h1><button id="before">before</button>${gadgets}<button id="after">after</button></main>`;

/** Returns the name of the focused element, in any frame or shadow tree. */
async function focused(page: Page): Promise<string> {
  for (const frame of [...page.frames()].reverse()) {
    const label = await frame
      .evaluate(() => {
        let element = document.activeElement;
        while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
        if (!element || !document.hasFocus() || element.localName === 'iframe') return '';
        if (element === document.body) return parent === self ? 'page' : 'app';
        return element.ariaLabel || element.textContent?.trim().replace(/\s+/g, ' ') || element.localName;
      })
      .catch(() => '');
    if (label && label !== 'page') return label;
  }
  return 'page';
}

/**
 * Presses Tab and checks the focus after each. Focus moves between processes asynchronously, so
 * each step is awaited.
 */
async function walk(page: Page, key: string, count: number): Promise<string[]> {
  const names = [await focused(page)];
  for (let index = 0; index < count; index += 1) {
    await page.keyboard.press(key);
    await expect(async () => {
      names[index + 1] = await focused(page);
      expect(['page', names[index]]).not.toContain(names[index + 1]);
    }).toPass({ timeout: 5_000 });
  }
  return names.slice(1);
}

/** Returns the name of the focused element inside a gadget. */
const partOf = (page: Page, app: string) =>
  page.locator(`[app=${app}]`).evaluate((it) => it.shadowRoot?.activeElement?.localName);

const keys = `<script>
  pressed = [];
  addEventListener('gantry-key', (event) => { pressed.push(event.detail.app + ' ' + event.detail.shortcut); });</script>`;

inEachMode(() => {
  test('focus enters an app at the near end and goes on behind it, both ways (accessibility contract)', async ({
    show,
  }) => {
    const page = await show(
      around(
        '<gantry-gadget app="ann" menu="none"></gantry-gadget><gantry-gadget app="bo" menu="none"></gantry-gadget>',
      ),
    );
    await expect(page.getByRole('button', { name: /^Skip/ })).toHaveCount(2);
    await page.locator('#before').focus();
    const order = [
      'Skip Ann',
      'ann first',
      'Text of ann',
      'ann last',
      'Skip Bo',
      'bo first',
      'Text of bo',
      'bo last',
      'after',
    ];
    expect(await walk(page, 'Tab', 9)).toEqual(order);
    expect(await walk(page, 'Shift+Tab', 9)).toEqual([...order.slice(0, -1).reverse(), 'before']);
  });

  test('an app that keeps Tab for itself gives the focus back, and cannot take it (accessibility contract)', async ({
    show,
  }) => {
    const page = await show(around('<gantry-gadget app="trap" menu="none"></gantry-gadget>'));
    await expect(page.getByRole('button', { name: 'Skip Trap' })).toHaveCount(1);
    await frameOf(page, 'trap').locator('#first').focus();
    await page.keyboard.press('Tab');
    await expect.poll(() => focused(page)).toBe('End of Trap');
    expect(await walk(page, 'Tab', 1)).toEqual(['after']);
    const leave = () => gantry.focus.leave('backward');
    expect(await frameOf(page, 'trap').locator('html').evaluate(leave)).toBe(false);
    expect(await focused(page)).toBe('after');
  });

  test('focus comes back into an app that was loaded anew, and stays where it was for others (accessibility contract)', async ({
    show,
  }) => {
    const page = await show(
      around('<gantry-gadget app="ann"></gantry-gadget><gantry-gadget app="bo"></gantry-gadget>'),
    );
    await expect(page.getByRole('button', { name: /^Skip/ })).toHaveCount(2);
    const ready = (name: string) => expect(frameOf(page, name).locator('#first')).toBeVisible();
    const first = frameOf(page, 'ann').locator('#first');
    const leave = () => first.evaluate((it) => it.classList.add('old'));
    const isAnew = () => expect(first).not.toHaveClass(/old/);
    await frameOf(page, 'ann').locator('#last').focus();
    await leave();
    await page.locator('[app=ann]').evaluate((it) => (it as unknown as { reload(): void }).reload());
    await isAnew();
    await expect.poll(() => partOf(page, 'ann')).toBe('iframe');
    expect(await walk(page, 'Tab', 1)).toEqual(['ann first']);
    await leave();
    await frameOf(page, 'ann')
      .locator('html')
      .evaluate(() => location.reload());
    await isAnew();
    await expect.poll(() => partOf(page, 'ann')).toBe('iframe');
    await page.locator('#before').focus();
    await page.locator('[app=bo]').evaluate((it) => (it as unknown as { reload(): void }).reload());
    await ready('bo');
    expect(await focused(page)).toBe('before');
  });
});

test('a member who uses the keyboard can skip an app (accessibility contract)', async ({ show }) => {
  const page = await show(around('<gantry-gadget app="ann" menu="none"></gantry-gadget>'));
  const skip = page.getByRole('button', { name: 'Skip Ann' });
  await expect(skip).toHaveCount(1);
  expect((await skip.boundingBox())?.width).toBeLessThan(3);
  await page.locator('#before').focus();
  await page.keyboard.press('Tab');
  await expect(skip).toBeFocused();
  expect((await skip.boundingBox())?.width).toBeGreaterThan(60);
  await page.keyboard.press('Enter');
  await expect.poll(() => focused(page)).toBe('End of Ann');
  expect(await walk(page, 'Tab', 1)).toEqual(['after']);
});

test('the page receives keys that the site registered and the app did not handle, no others (accessibility contract)', async ({
  show,
}) => {
  const page = await show(
    `${keys}<div data-gantry-shortcuts="? F2 F4 F6 Control+k">${around('<gantry-gadget app="bo"></gantry-gadget>')}</div>`,
  );
  await expect(page.getByRole('button', { name: 'Skip Bo' })).toHaveCount(1);
  const bo = frameOf(page, 'bo');
  await bo.locator('#first').focus();
  for (const key of ['F2', 'F4', 'F7', 'a', 'F6', '?', 'Control+k', 'Escape']) await page.keyboard.press(key);
  await bo.getByRole('textbox').focus();
  for (const key of ['?', 'Escape', 'Control+k']) await page.keyboard.press(key);
  await expect
    .poll(() => page.evaluate('pressed'))
    .toEqual(['bo F6', 'bo ?', 'bo Control+k', 'bo Escape', 'bo Control+k']);
  await expect(bo.getByRole('textbox')).toHaveValue('?');
});

test('when a focused gadget is removed, the focus goes to the next element, or to the previous one (accessibility contract)', async ({
  show,
}) => {
  const page = await show(
    around('<section><gantry-gadget app="ann"></gantry-gadget></section><gantry-gadget app="bo"></gantry-gadget>'),
  );
  await expect(page.getByRole('button', { name: /^Skip/ })).toHaveCount(2);
  const enter = (app: string) => frameOf(page, app).locator('#last').focus();
  await enter('bo');
  await page.evaluate(() => document.querySelector('section')?.remove()); // control: another one
  expect(await focused(page)).toBe('bo last');
  await page.locator('[app=bo]').evaluate((it) => it.remove());
  await expect.poll(() => focused(page)).toBe('after');

  await page.reload();
  await expect(page.getByRole('button', { name: /^Skip/ })).toHaveCount(2);
  await enter('ann');
  await page.evaluate(() => document.querySelector('section')?.remove());
  await expect.poll(() => focused(page)).toBe('Skip Bo');
  await page.evaluate(() => document.querySelector('#after')?.remove());
  await enter('bo');
  await page.locator('[app=bo]').evaluate((it) => it.remove());
  await expect.poll(() => focused(page)).toBe('before');
});

test('a gadget that is moved keeps the focus in it (accessibility contract)', async ({ show }) => {
  const page = await show(`${around('<gantry-gadget app="ann"></gantry-gadget>')}<section></section>`);
  await expect(page.getByRole('button', { name: 'Skip Ann' })).toHaveCount(1);
  await frameOf(page, 'ann').locator('#first').focus();
  await page.evaluate(() => document.querySelector('section')?.append(document.querySelector('gantry-gadget') as Node));
  await expect.poll(() => partOf(page, 'ann')).toBe('iframe');
});

test('stopping and starting by keyboard leaves the focus in the gadget (accessibility contract)', async ({ show }) => {
  const page = await show(around('<gantry-gadget app="ann"></gantry-gadget>'));
  const options = page.getByRole('button', { name: 'Options for Ann' });
  await options.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Stop' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Ann was stopped')).toBeVisible();
  expect(await walk(page, 'Tab', 1)).toEqual(['Start again']);
  await page.keyboard.press('Enter');
  await expect(frameOf(page, 'ann').locator('#first')).toBeVisible();
  await expect.poll(() => partOf(page, 'ann')).toBe('iframe');
  expect(await walk(page, 'Tab', 1)).toEqual(['ann first']);
});

test('allowing by keyboard leads into the app (accessibility contract)', async ({ show }) => {
  const page = await show(around('<gantry-gadget app="asks" menu="none"></gantry-gadget>'));
  const allow = page.getByRole('button', { name: 'Allow' });
  await expect(allow).toHaveAttribute('aria-disabled', 'false');
  await allow.focus();
  await page.keyboard.press('Enter');
  await expect(frameOf(page, 'asks').locator('#first')).toBeVisible();
  await expect.poll(() => partOf(page, 'asks')).toBe('iframe');
  expect(await walk(page, 'Tab', 1)).toEqual(['asks first']);
});

test('an app of text alone, all of it in view, is no tab stop (native)', async ({ show }) => {
  const page = await show(around('<gantry-gadget app="reader" menu="none"></gantry-gadget>'));
  await expect(page.getByRole('button', { name: 'Skip Reader' })).toHaveCount(1);
  await page.locator('#before').focus();
  expect(await walk(page, 'Tab', 2)).toEqual(['Skip Reader', 'after']);
});

test('Escape in an app leaves its large view, unless the site prevents it (accessibility contract)', async ({
  show,
}) => {
  const page = await show(around('<gantry-gadget app="ann"></gantry-gadget>'));
  const ann = frameOf(page, 'ann');
  await ann.locator('#first').click();
  await ann.locator('html').evaluate(() => gantry.views.navigate('canvas'));
  await expect(page.locator('gantry-gadget')).toHaveAttribute('maximised');
  await ann.locator('#first').focus();
  await page.evaluate(() => addEventListener('gantry-key', (event) => event.preventDefault(), { once: true }));
  await page.keyboard.press('Escape');
  await expect(page.locator('gantry-gadget')).toHaveAttribute('maximised');
  await page.keyboard.press('Escape');
  await expect(page.locator('gantry-gadget')).not.toHaveAttribute('maximised');
});

test('an app speaks through one region of the page, as text, with its name, and not too much (accessibility contract)', async ({
  show,
}) => {
  const page = await show(around('<gantry-gadget app="ann"></gantry-gadget><gantry-gadget app="bo"></gantry-gadget>'));
  await expect(page.getByRole('button', { name: /^Skip/ })).toHaveCount(2);
  const ann = frameOf(page, 'ann').locator('html');
  const polite = page.locator('gantry-voice [aria-live=polite]');
  const assertive = page.locator('gantry-voice [aria-live=assertive]');
  await page.locator('#before').focus();
  await ann.evaluate(() => gantry.announce('3 <b>new</b> letters', 'assertive'));
  await expect(polite).toHaveText('Ann: 3 <b>new</b> letters'); // the focus is elsewhere: no interruption
  await expect(assertive).toHaveText('');
  await frameOf(page, 'ann').locator('#first').focus();
  await ann.evaluate(() => gantry.announce('Sent', 'assertive'));
  await expect(assertive).toHaveText('Sent');
  await frameOf(page, 'bo')
    .locator('html')
    .evaluate(() => gantry.announce('x'.repeat(1_000)));
  await expect(polite.locator('p').last()).toHaveText(`Bo: ${'x'.repeat(300)}`);
  await expect(page.locator('gantry-voice')).toHaveCount(1);
  const codes = await ann.evaluate(() =>
    Promise.all(
      Array.from({ length: 12 }, () =>
        gantry.announce('more').then(
          () => 0,
          ({ code }) => code,
        ),
      ),
    ),
  );
  expect(codes.filter((code) => code === 429)).toHaveLength(4);
  expect(await polite.locator('p').count()).toBeLessThanOrEqual(5);
});

test('ten gadgets are announced to screen readers in one sentence (accessibility contract)', async ({ show }) => {
  const many = Array.from(
    { length: 10 },
    (_, index) => `<gantry-gadget app="nobody${index}" heading="App ${index}"></gantry-gadget>`,
  );
  const page = await show(around(`${many.join('')}<gantry-gadget app="ann"></gantry-gadget>`));
  const polite = page.locator('gantry-voice [aria-live=polite] p');
  await expect(polite).toHaveText(['10 apps are not available: App 0, App 1, App 2, App 3, App 4 …']);
  await expect(page.getByRole('alert')).toHaveCount(0);
  await page.locator('[app=ann]').evaluate((it) => (it as unknown as { stop(): void }).stop());
  await expect(polite.last()).toHaveText('Ann was stopped');
  await page.getByRole('button', { name: 'Start again' }).click();
  await expect(polite.last()).toHaveText('Ann is ready');
});

test('a frame keeps its gadget’s name when the page renames it (accessibility contract)', async ({ show }) => {
  const page = await show('<gantry-gadget app="ann" heading="Letters"></gantry-gadget>');
  await expect(page.locator('iframe')).toHaveAttribute('title', 'Letters');
  await page.locator('gantry-gadget').evaluate((it) => it.setAttribute('heading', 'Mail'));
  await expect(page.locator('iframe')).toHaveAttribute('title', 'Mail');
});

test('the container’s words say their language where the page has another (accessibility contract)', async ({
  show,
}) => {
  const page = await show(
    '<script>document.documentElement.lang = "fi"</script><gantry-gadget app="ann"></gantry-gadget>',
  );
  await expect(page.getByRole('button', { name: 'Skip Ann' })).toHaveAttribute('lang', 'en');
  const french = await show(
    '<script>document.documentElement.lang = "fr-CA"</script><gantry-gadget app="ann"></gantry-gadget>',
  );
  await expect(french.getByRole('button', { name: 'Passer Ann' })).toHaveAttribute('lang', 'fr');
  const german = await show(
    '<script>document.documentElement.lang = "de"</script><gantry-gadget app="ann"></gantry-gadget>',
  );
  await expect(german.getByRole('button', { name: 'Ann überspringen' })).toHaveAttribute('lang', 'de');
});
