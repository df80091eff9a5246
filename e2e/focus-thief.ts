import { expect, type Page } from '@playwright/test';
import { frameOf } from './hosted.ts';

/** An app that takes the focus on command, and keeps the text typed into it. */
export const thief = `<!doctype html><html lang="en"><title>Thief</title><input id="bait" aria-label="Bait"><p id="got"></p>
  <script src="/gantry/osapi.js"></script>
  <script>
    const take = () => { window.focus(); bait.focus(); };
    addEventListener('keydown', ({ key }) => { if (key.length === 1) got.textContent += key; });
    window.ways = {
      once() {},
      twice: () => addEventListener('blur', () => setTimeout(take, 100), { once: true }),
      always: () => { setInterval(take, 5); addEventListener('blur', take); },
    };
    window.steal = (way) => { window.ways[way](); take(); };
  </script>`;

export const site = `<script>incidents = []; addEventListener('gantry-incident', ({ detail }) => incidents.push(detail))</script>
  <label>Password <input id="secret" type="password"></label>
  <gantry-gadget app="thief"></gantry-gadget><gantry-gadget app="other"></gantry-gadget>`;

export const secret = 'correct horse!';

type Show = (body: string) => Promise<Page>;

/** Focuses a field and types a character there. From then on the page's clock stands. */
export async function typeIn(page: Page, field: string): Promise<void> {
  await holdClock(page);
  await page.locator(field).focus();
  await page.keyboard.type(secret.slice(0, 1));
}

/** Stops the page's clock, so that a slow machine lets no time pass between a key and a theft. */
export async function holdClock(page: Page, { afterMs = 0 } = {}): Promise<void> {
  await page.evaluate((passedMs) => {
    const nowMs = performance.now() + passedMs;
    performance.now = () => nowMs;
  }, afterMs);
}

/** Lets the page's clock go on. */
export async function releaseClock(page: Page): Promise<void> {
  await page.evaluate(() => Reflect.deleteProperty(performance, 'now'));
}

/** Opens a page whose member has typed the first character of a password. */
export async function openTyping(show: Show): Promise<Page> {
  const page = await openSite(show);
  await typeIn(page, '#secret');
  return page;
}

export async function openSite(show: Show, body = site): Promise<Page> {
  const page = await show(body);
  const areReady = "[...document.querySelectorAll('gantry-gadget')].every(({ state }) => /ready|asking/.test(state))";
  await expect.poll(() => page.evaluate(areReady)).toBe(true);
  return page;
}

export async function steal(page: Page, way: 'once' | 'twice' | 'always', app = 'thief'): Promise<void> {
  await frameOf(page, app)
    .locator('html')
    .evaluate((_, name) => Reflect.get(window, 'steal')(name), way);
}

/** Types the rest of the password at a person's speed. */
export async function typeOn(page: Page): Promise<void> {
  await page.keyboard.type(secret.slice(1), { delay: 60 });
}

export const stolen = (page: Page) => frameOf(page, 'thief').locator('#got').textContent();
export const incidents = (page: Page): Promise<unknown> => page.evaluate('incidents');
/** Returns the id or tag name of the focused element. */
export const active = (page: Page) =>
  page.evaluate(
    () =>
      document.activeElement?.id || document.activeElement?.getAttribute('app') || document.activeElement?.localName,
  );
