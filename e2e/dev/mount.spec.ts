import { join } from 'node:path';
import { startDevServer } from '@gantry/dev';
import { test as base, expect, type Locator, type Page } from '@playwright/test';
import { writeGreeter } from './greeter.ts';

// The same setup as an author's project: plain Playwright, and `gantry dev` at its baseURL.
const test = base.extend<object, { readonly devUrl: string }>({
  devUrl: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
    async ({}, use) => {
      const greeter = writeGreeter();
      const friends = join(import.meta.dirname, '../../demo/apps/friends');
      const server = await startDevServer({ folders: [friends, greeter], port: 0 });
      await use(server.url);
      await server.close();
    },
    { scope: 'worker' },
  ],
  baseURL: ({ devUrl }, use) => use(devUrl),
});

test('mount shows a gadget of the demo without a story, by its id', async ({ mount }) => {
  const component = await mount('friends');
  await expect(component.frameLocator('iframe').getByRole('button', { name: 'Bo Sand' })).toBeVisible();
  await component.getByRole('button', { name: 'Options for Friends' }).press('Enter');
  await expect(component.getByRole('button', { name: 'Reload' })).toBeVisible();
});

test('a story brings its own world, and props replace its members', async ({ mount, page }) => {
  const component = await mount('greeter/zoe');
  await expect(component.frameLocator('iframe').getByText('Hello Zoë Okafor')).toBeVisible();
  expect((await component.locator('iframe').boundingBox())?.width).toBe(300);
  const stranger = await mount('greeter/zoe', { persona: 'nobody', width: 420 });
  await expect(page.frameLocator('iframe').getByText('Hello stranger')).toBeVisible();
  expect((await stranger.locator('iframe').boundingBox())?.width).toBe(420);
});

test('update shows other props and keeps the app as it is', async ({ mount }) => {
  const component = await mount('greeter/plain', { width: 300 });
  const app = component.frameLocator('iframe');
  await app.getByRole('button').click();
  await component.update({ width: 400, theme: 'dark' });
  await expect(app.locator('html')).toHaveCSS('color-scheme', 'dark');
  await expect(app.getByRole('button', { name: 'Pressed 1 times' })).toBeVisible();
  expect((await component.locator('iframe').boundingBox())?.width).toBe(400);
});

test('a gadget has the same colours in a test, in the grid of stories and in gantry dev', async ({ mount, page }) => {
  const coloursIn = (place: Page | Locator) =>
    place
      .frameLocator('iframe')
      .locator('html')
      .evaluate((html) =>
        ['surface', 'ink'].map((name) => getComputedStyle(html).getPropertyValue(`--gantry-${name}`)),
      );
  const dark = ['rgb(22, 29, 34)', 'rgb(230, 237, 241)'];
  expect(await coloursIn(await mount('greeter/dark'))).toEqual(dark);
  await page.goto('/stories');
  const card = page.locator('gantry-story-card').filter({ hasText: 'greeter/dark' });
  await expect.poll(() => coloursIn(card)).toEqual(dark);
  await page.goto('/?app=greeter&theme=dark');
  await expect.poll(() => coloursIn(page)).toEqual(dark);
});

test('callbacks run in the test, and props hold what the app starts with', async ({ mount }) => {
  const heard: string[] = [];
  const component = await mount('greeter/plain', {
    params: { tab: '2' },
    state: 'half written',
    onReady: () => heard.push('ready'),
    onCall: ({ operation }: { readonly operation: string }) => heard.push(operation),
    onEvent: ({ name }: { readonly name: string }) => heard.push(name),
  });
  await expect(component.frameLocator('iframe').getByText('Tab 2, draft half written')).toBeVisible();
  await expect.poll(() => heard).toEqual(expect.arrayContaining(['ready', 'people.get', 'visibility']));
});

test('a first state is of one mount, and not of the next', async ({ mount }) => {
  await mount('greeter/plain', { state: 'half written' });
  const component = await mount('greeter/plain');
  await expect(component.frameLocator('iframe').getByText('draft none')).toBeVisible();
});

test('unmount takes the gadget away', async ({ mount, page }) => {
  const component = await mount('greeter/dark');
  await component.unmount();
  await expect(page.locator('iframe')).toHaveCount(0);
  await expect(component).toBeEmpty();
});

test('a gadget that cannot be mounted fails the test with a list of those that can', async ({ mount }) => {
  await expect(mount('greeter/plian')).rejects.toThrow(
    'No story "greeter/plian". Did you mean "greeter/plain"? Stories: ',
  );
  await expect(mount('nowhere')).rejects.toThrow('greeter/plain, greeter/zoe, greeter/dark. Apps: friends, greeter.');
  await expect(mount('greeter/plain', { them: 'dark' })).rejects.toThrow('Did you mean "theme"?');
  await expect(mount('greeter/plain', { onClick: () => {} })).rejects.toThrow(
    'Callbacks are onReady, onCall, onEvent.',
  );
});

test('each mount has a world of its own, also side by side', async ({ mount, page, context, baseURL }) => {
  const first = await mount('greeter/plain');
  const other = await context.newPage();
  await other.goto(baseURL ?? '');
  await other.evaluate(() =>
    (window as unknown as { mount(params: object): Promise<void> }).mount({ story: 'greeter/zoe' }),
  );
  await expect(other.frameLocator('iframe').getByText('Hello Zoë Okafor')).toBeVisible();
  await expect(first.frameLocator('iframe').getByText('Hello Ada Lovell')).toBeVisible();
  await page.bringToFront();
});

test('stories and tests beside an app are not sent to its frame', async ({ request, mount, page }) => {
  await mount('greeter/plain');
  const folder = new URL('.', (await page.locator('iframe').getAttribute('src')) ?? '').href;
  expect((await request.get(`${folder}greeter.js`)).status()).toBe(200);
  expect((await request.get(`${folder}greeter.gadget.ts`)).status()).toBe(404);
});
