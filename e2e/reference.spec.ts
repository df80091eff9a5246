import AxeBuilder from '@axe-core/playwright';
import { rulesOfLook } from './inspect.ts';
import { expect, test } from './site.ts';

// One block of each kind: the page has hundreds of each.
const operations = ['activities.create', 'people.getAll'].map((id) => `[id="${id}"]`);
const blocks = ['header', '.contents', '#start', ...operations, '#Person', '#failures'];

test('the reference page passes axe and fits, 360 px light and 1280 px dark', async ({ visit, page }) => {
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  await visit('/reference');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Social API$/);
  for (const [colorScheme, width] of [
    ['light', 360],
    ['dark', 1280],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect(over, colorScheme).toBeLessThanOrEqual(0);
    const builder = blocks.reduce((axe, block) => axe.include(block), new AxeBuilder({ page }));
    if (colorScheme === 'light') builder.withRules([...rulesOfLook]);
    const { violations } = await builder.analyze();
    expect(violations.map(({ id, nodes }) => [id, nodes.length, nodes[0]?.target])).toEqual([]);
  }
  expect(complaints).toEqual([]);
});

test('the keyboard in the reference page skips the contents and reaches the target of a link', async ({
  visit,
  page,
}) => {
  await visit('/reference');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.locator('#content')).toBeFocused();
  const link = page.getByRole('navigation', { name: 'Contents' }).getByRole('link', { name: 'Post an activity' });
  await link.focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#activities\.create$/);
  await expect(page.locator('[id="activities.create"]')).toBeInViewport();
});
