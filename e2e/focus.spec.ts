import {
  active,
  holdClock,
  incidents,
  openSite,
  openTyping,
  releaseClock,
  secret,
  site,
  steal,
  stolen,
  thief,
  typeIn,
  typeOn,
} from './focus-thief.ts';
import { expect, frameOf, inEachMode, test } from './hosted.ts';

// Apps that try to capture the member's typing (security rule 28).

test.use({
  apps: {
    thief: { 'index.html': thief },
    other: { 'index.html': thief },
    asks: { 'index.html': thief },
    silent: {
      // Drawn, since a document that is not takes no focus.
      'index.html': `<!doctype html><input id="bait"><script>
        requestAnimationFrame(() => { window.focus(); bait.focus(); });
      </script>`,
    },
  },
  asking: ['asks'],
});

inEachMode(() => {
  test('the focus that an app takes from a member who types comes back (security rule 28)', async ({ show }) => {
    const page = await openTyping(show);
    await steal(page, 'once');
    await expect.poll(() => active(page)).toBe('secret');
    await typeOn(page);
    expect(await page.locator('#secret').inputValue()).toBe(secret);
    expect(await stolen(page)).toBe('');
    expect(await incidents(page)).toEqual([{ app: 'thief', kind: 'focus', detail: { times: 1 } }]);
  });

  test('an app that takes the focus again and again is stopped before much is typed (security rule 28)', async ({
    show,
  }) => {
    const page = await openTyping(show);
    await steal(page, 'always');
    await expect(page.getByText('It kept taking the keyboard from the page, so it was stopped.')).toBeVisible();
    await expect.poll(() => active(page)).toBe('secret');
    await typeOn(page);
    expect(await page.locator('#secret').inputValue()).toBe(secret);
    expect(await incidents(page)).toContainEqual({ app: 'thief', kind: 'focus', detail: {} });
  });
});

test('the second time a notice offers to stop the app (security rule 28)', async ({ show }) => {
  const page = await openTyping(show);
  await steal(page, 'twice');
  await expect
    .poll(() => incidents(page))
    .toEqual([1, 2].map((times) => ({ app: 'thief', kind: 'focus', detail: { times } })));
  await expect.poll(() => active(page)).toBe('secret');
  await typeOn(page);
  expect(await page.locator('#secret').inputValue()).toBe(secret);
  expect(await stolen(page)).toBe('');
  await releaseClock(page);
  const notice = page.locator('gantry-gadget[app=thief]').getByRole('alert');
  await expect(notice).toContainText('took the keyboard while you were typing elsewhere');
  const stop = notice.getByRole('button', { name: 'Stop' });
  await expect(stop).toHaveAttribute('aria-disabled', 'false');
  await stop.click();
  await expect(page.locator('gantry-gadget[app=thief]').getByText('Thief was stopped')).toBeVisible();
  expect(await incidents(page)).toContainEqual({ app: 'thief', kind: 'stopped', detail: { by: 'member' } });
});

test('positive control: without the rule an app steals all further typing', async ({ show, page }) => {
  // The rule hears of nothing.
  await page.addInitScript(() => {
    const listen = EventTarget.prototype.addEventListener;
    EventTarget.prototype.addEventListener = function (type, ...rest) {
      if (type !== 'blur' || this !== window) listen.call(this, type, ...rest);
    };
  });
  await openTyping(show);
  await steal(page, 'once');
  await typeOn(page);
  expect(await stolen(page)).toBe(secret.slice(1));
});

test('an app takes no focus before its hello either (security rule 28)', async ({ show }) => {
  const page = await openTyping(show);
  await page.evaluate(() =>
    document.body.insertAdjacentHTML('beforeend', '<gantry-gadget app="silent"></gantry-gadget>'),
  );
  await expect.poll(() => incidents(page)).toEqual([{ app: 'silent', kind: 'focus', detail: { times: 1 } }]);
  await expect.poll(() => active(page)).toBe('secret');
});

test('a question keeps the focus, and so does a text that is edited in place (security rule 28)', async ({ show }) => {
  const note = '<div id="note" contenteditable role="textbox" aria-label="Note">Old</div>';
  const page = await openSite(show, `${site.replace('other', 'asks')}${note}`);
  await typeIn(page, '#note');
  await steal(page, 'once');
  await expect.poll(() => active(page)).toBe('note');
  const later = page.getByRole('button', { name: 'Not now' });
  await later.focus();
  await page.keyboard.press('Shift+ArrowLeft');
  await steal(page, 'once');
  await expect.poll(() => active(page)).toBe('asks');
  expect(await incidents(page)).toHaveLength(2);
});

test('no incident: focus taken without typing, moved by Tab, or taken from another app', async ({ show }) => {
  const page = await openSite(show, `${site}<button id="plain">Plain</button>`);
  await steal(page, 'once'); // nothing had it, as when an app calls focus() at its start
  await expect.poll(() => active(page)).toBe('thief');
  await page.keyboard.type('x');
  await steal(page, 'once', 'other');
  await expect.poll(() => active(page)).toBe('other');
  await page.locator('#secret').focus(); // by a script of the page, or a screen reader: without a key or press there
  await steal(page, 'once');
  await expect.poll(() => active(page)).toBe('thief');
  await page.locator('#plain').click();
  await steal(page, 'once'); // from an element that takes no text
  await expect.poll(() => active(page)).toBe('thief');
  await typeIn(page, '#secret');
  for (let tabs = 0; (await active(page)) !== 'thief' || !(await isInBait()); tabs += 1) {
    expect(tabs).toBeLessThan(6);
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Shift+Tab');
  expect(await incidents(page)).toEqual([]);

  async function isInBait(): Promise<boolean> {
    return frameOf(page, 'thief')
      .locator('html')
      .evaluate(() => document.hasFocus());
  }
});

test('no incident: a second after the last key, as when a screen reader goes there', async ({ show }) => {
  const page = await openTyping(show);
  await holdClock(page, { afterMs: 1_000 });
  await steal(page, 'once');
  await expect.poll(() => active(page)).toBe('thief');
  expect(await incidents(page)).toEqual([]);
});

test.describe('on a touch screen', () => {
  test.use({ hasTouch: true });

  test('no incident: a touch into an app just after typing', async ({ show }) => {
    const page = await openSite(show);
    await page.locator('#secret').tap();
    await page.keyboard.type('c');
    await frameOf(page, 'thief').locator('#bait').tap();
    await expect.poll(() => active(page)).toBe('thief');
    await page.keyboard.type('x');
    expect(await stolen(page)).toBe('x');
    expect(await incidents(page)).toEqual([]);
  });
});
