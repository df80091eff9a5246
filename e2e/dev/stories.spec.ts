import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { type DevServer, startDevServer } from '@gantry/dev';
import { test as base, expect, type Page } from '@playwright/test';
import { writeGreeter } from './greeter.ts';

interface Site extends DevServer {
  readonly folder: string;
}

const test = base.extend<{ readonly grid: Page }, { readonly site: Site }>({
  site: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
    async ({}, use) => {
      const folder = writeGreeter({
        'broken.gadget.mjs': 'export const a = {\n  b: 1,\n  c = 2,\n};',
        'odd.gadget.mjs': `export const odd = { them: 'dark' };
          export const lost = { world() { throw new Error('no luck'); } };`,
        ...Object.fromEntries(['a', 'b'].map((name) => [`z-${name}.gadget.mjs`, manyStories(name)])),
      });
      const server = await startDevServer({ folders: [folder], port: 0 });
      await use({ ...server, folder });
      await server.close();
    },
    { scope: 'worker' },
  ],
  grid: async ({ page, site }, use) => {
    await page.goto(`${site.url}/stories`);
    await use(page);
  },
});

const card = (page: Page, name: string) => page.locator('gantry-story-card').filter({ hasText: `greeter/${name}` });

test('all stories stand in a grid as gadgets at their sizes, and what fails says why', async ({ grid }) => {
  // The server's first labs, on a machine that may be busy.
  await expect(card(grid, 'zoe').frameLocator('iframe').getByText('Hello Zoë Okafor')).toBeVisible({ timeout: 20_000 });
  expect((await card(grid, 'zoe').locator('iframe').boundingBox())?.width).toBe(300);
  await expect(grid.getByText('broken.gadget.mjs:3 Invalid shorthand property initializer')).toBeVisible();
  await expect(grid.getByText('There is no member "them" in a story. Did you mean "theme"?')).toBeVisible();
  const last = grid.locator('gantry-story-card').last();
  await expect(last.locator('iframe')).toHaveCount(0); // loaded when near the view
  await last.scrollIntoViewIfNeeded();
  await expect(last.locator('iframe')).toBeVisible();
  await card(grid, 'lost').scrollIntoViewIfNeeded();
  await expect(card(grid, 'lost').getByRole('alert')).toContainText('its world cannot be made: no luck');
  await grid.getByRole('link', { name: 'Somebody of its own world' }).click();
  await expect(grid).toHaveURL(/\/\?app=greeter&story=greeter%2Fzoe&width=300$/);
  await expect(grid.frameLocator('iframe').getByText('Hello Zoë Okafor')).toBeVisible();
});

test('search and looks are there for all at once, by keyboard, and axe finds nothing at 360 px', async ({ grid }) => {
  await expect(card(grid, 'plain').locator('iframe')).toBeVisible();
  await grid.getByRole('searchbox', { name: 'Search' }).press('d');
  await grid.getByRole('searchbox', { name: 'Search' }).fill('own world');
  await expect(grid.locator('gantry-story-card')).toHaveCount(1);
  await expect(grid.getByRole('status').first()).toHaveText(/^1 of \d+ stories$/);
  await grid.keyboard.press('Tab');
  await grid.keyboard.press('ArrowRight');
  await grid.keyboard.press('ArrowRight');
  await expect(grid.getByRole('radio', { name: 'Dark' })).toBeChecked();
  const app = card(grid, 'zoe').frameLocator('iframe');
  await expect(app.locator('html')).toHaveCSS('color-scheme', 'dark');
  await grid.keyboard.press('Tab');
  await grid.keyboard.press('ArrowRight');
  await grid.keyboard.press('ArrowRight');
  await expect(card(grid, 'zoe').locator('.place')).toHaveAttribute('dir', 'rtl');
  await expect(grid.getByRole('link', { name: 'Somebody' })).toHaveAttribute('href', /theme=dark&direction=rtl$/);
  await grid.setViewportSize({ width: 360, height: 800 });
  for (const colorScheme of ['light', 'dark'] as const) {
    await grid.emulateMedia({ colorScheme });
    expect((await new AxeBuilder({ page: grid }).exclude('iframe').analyze()).violations).toEqual([]);
  }
  expect(await grid.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
});

test('a story that is written while the grid is open appears in it', async ({ grid, site }) => {
  await expect(card(grid, 'plain').locator('iframe')).toBeVisible();
  await writeFile(join(site.folder, 'late.gadget.mjs'), `export const late = { title: 'Late arrival' };`);
  await expect(grid.getByRole('link', { name: 'Late arrival' })).toBeVisible();
  await writeFile(join(site.folder, 'late.gadget.mjs'), `export const late = { title: 'Later still' };`);
  await expect(grid.getByRole('link', { name: 'Later still' })).toBeVisible();
  await rm(join(site.folder, 'late.gadget.mjs'));
  await expect(grid.getByRole('link', { name: 'Later still' })).toHaveCount(0);
});

test('a grid without stories shows how to write the first', async ({ page }) => {
  const folder = writeGreeter();
  await rm(join(folder, 'greeter.gadget.ts'));
  const server = await startDevServer({ folders: [folder], port: 0 });
  await page.context().grantPermissions(['clipboard-write', 'clipboard-read']);
  await page.goto(`${server.url}/stories`);
  await page.getByRole('button', { name: 'Copy' }).click();
  await expect(page.getByText('Copied.')).toBeVisible();
  const code = await page.evaluate(() => navigator.clipboard.readText());
  expect(code).toContain("export const empty: Story = { world: 'empty' };");
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  await writeFile(join(folder, 'greeter.gadget.ts'), code.replace(/world: '\w+'/g, "view: 'home'"));
  await expect(page.getByRole('link', { name: 'Signed out in the dark' })).toBeVisible();
  await server.close();
});

function manyStories(name: string): string {
  return Array.from({ length: 6 }, (_, index) => `export const ${name}${index} = { width: 600 };`).join('\n');
}
