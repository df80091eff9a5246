import config from '../playwright.config.ts';
import { active, incidents, openTyping, steal, stolen, thief } from './focus-thief.ts';
import { expect, frameOf, test } from './hosted.ts';

// In a frame of another process, a test's click fires no pointer event in the page, unlike a
// person's. So apps share the page's process here.

const { launchOptions } = config.use ?? {};
const args = (launchOptions?.args ?? []).map((arg) =>
  arg.replace('--disable-features=', '--disable-features=IsolateSandboxedIframes,'),
);

test.use({
  apps: { thief: { 'index.html': thief }, other: { 'index.html': thief } },
  launchOptions: { ...launchOptions, args },
});

test('a click into an app just after typing does not count as taking the focus (security rule 28)', async ({
  show,
}) => {
  const page = await openTyping(show);
  await frameOf(page, 'thief').locator('#bait').click();
  await page.keyboard.type('x');
  expect(await stolen(page)).toBe('x');
  expect(await incidents(page)).toEqual([]);
});

test('control: without the click the focus returns to the page (security rule 28)', async ({ show }) => {
  const page = await openTyping(show);
  await steal(page, 'once');
  await expect.poll(() => active(page)).toBe('secret');
  expect(await incidents(page)).toHaveLength(1);
});
