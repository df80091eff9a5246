import { expect, test } from '@playwright/test';
import { password, type RunningExample } from '../example.ts';
import { describeExample, optionsOf } from '../scenario.ts';
import { start, startDev } from './start.ts';

describeExample({ name: 'next', start });

test.describe('in development', () => {
  let site: RunningExample;
  test.beforeAll(async () => {
    test.setTimeout(120_000);
    site = await startDev(optionsOf('next'));
  });
  test.afterAll(() => site?.stop());

  test('React hydrates the page without a complaint, and the socket of its hot reload opens', async ({ page }) => {
    test.setTimeout(120_000);
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    const heard: string[] = [];
    page.on('websocket', (socket) => socket.on('framereceived', () => heard.push(socket.url())));
    await page.goto(`${site.url}/sign-in`);
    await expect.poll(() => heard.join()).toContain('hmr');
    await page.getByLabel('Name').fill('ada');
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page.getByRole('button', { name: 'Sign out' })).toBeVisible({ timeout: 30_000 }); // compiled first
    for (let load = 0; load < 3; load += 1) {
      await page.reload(); // now a server rendered the tags, and the element may come before React
      for (const app of ['friends', 'notes']) {
        await expect(page.locator(`gantry-gadget[app=${app}]`)).toHaveJSProperty('state', 'asking');
      }
      await page.waitForFunction(() =>
        Object.keys(document.querySelector('gantry-gadget') ?? {}).some((name) => name.startsWith('__reactFiber')),
      );
    }
    expect(complaints).toEqual([]);
  });
});
