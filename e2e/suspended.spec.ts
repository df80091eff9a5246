import type { Page } from '@playwright/test';
import { expect, inEachMode, test } from './hosted.ts';

// Events of an app and its page when the app is hidden for long, or the page is in the back/forward
// cache.

// The app's title lists its events: scenarios cannot inspect frames restored from that cache.
const listening = `<!doctype html><html lang="en"><title>Lab</title><script src="/gantry/osapi.js"></script><script>
  const heard = [];
  const hear = (text) => { heard.push(text); gantry.setTitle(heard.join(' ')); };
  // Until then the browser would not cache the page.
  addEventListener('load', () => setTimeout(() => {
    gantry.on('visibility', ({ state }) => hear(state));
    gantry.on('teardown', () => hear('teardown'));
  }));
</script>`;

test.use({
  apps: { lab: { 'index.html': listening } },
  launchOptions: async ({ launchOptions }, use) =>
    use({ ...launchOptions, ignoreDefaultArgs: ['--disable-back-forward-cache'] }),
});

const gadget = `<script>changes = []; addEventListener('gantry-visibility', ({ detail }) => changes.push(detail.app + ' ' + detail.state));</script>
  <gantry-gadget app="lab" heading budgets='{"responseMs": 900000}'></gantry-gadget>`; // a minute goes by at once

/** Returns `kept`, or the browser's reason for a reload. */
function howItCame(): string {
  return 'kept' in window ? 'kept' : JSON.stringify(performance.getEntriesByType('navigation'));
}

const heardBy = (page: Page) =>
  page.locator('gantry-gadget').evaluate((element) => element.shadowRoot?.querySelector('iframe')?.title);

test('an app that was hidden for a minute is suspended until it is visible; its page gets an event for both', async ({
  show,
  page,
}) => {
  await page.clock.install();
  await show(`${gadget}<div style="height: 9000px"></div>`);
  const element = page.locator('gantry-gadget');
  await expect.poll(() => heardBy(page)).toBe('visible');
  await page.evaluate(() => scrollTo(0, 8000));
  await expect.poll(() => heardBy(page)).toBe('visible hidden');
  await page.clock.fastForward(59_000);
  await expect(element).not.toHaveAttribute('suspended');
  await page.clock.fastForward(1_000);
  await expect(element).toHaveAttribute('suspended');
  await expect.poll(() => heardBy(page)).toBe('visible hidden suspended');
  expect(await element.evaluate((gadget) => Reflect.get(gadget, 'state'))).toBe('ready');
  await page.evaluate(() => scrollTo(0, 0));
  await expect.poll(() => heardBy(page)).toBe('visible hidden suspended visible');
  await expect(element).not.toHaveAttribute('suspended');
  expect(await page.evaluate('changes')).toEqual(['lab visible', 'lab hidden', 'lab suspended', 'lab visible']);
});

inEachMode(() => {
  test('an app whose page the browser keeps for the back button is suspended, not ended', async ({
    show,
    page,
    hosted,
  }) => {
    // A browser may refuse to cache a page for undisclosed reasons: then the test tries once
    // more.
    for (let visit = 1, came = ''; came !== 'kept'; visit += 1) {
      expect(visit, came).toBeLessThan(4);
      await show(gadget);
      await expect.poll(() => heardBy(page)).toBe('visible');
      await page.evaluate('kept = true');
      await page.goto(`${hosted.url}/?body=Elsewhere`);
      await page.evaluate(() => setTimeout(() => history.back()));
      await page.locator('gantry-gadget').waitFor();
      came = await page.evaluate(howItCame);
    }
    await expect.poll(() => heardBy(page)).toBe('visible suspended visible');
    await expect(page.locator('gantry-gadget')).not.toHaveAttribute('suspended');
    expect(await page.evaluate('changes')).toEqual(['lab visible', 'lab suspended', 'lab visible']);
  });
});
