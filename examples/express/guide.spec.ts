import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { allowAll } from '../../e2e/choose.ts';
import { freePort } from '../../packages/server/test/free-port.ts';
import { writeGuide } from '../guide-file.ts';
import { type RunningProcess, startProcess } from '../processes.ts';
import { optionsOf } from '../scenario.ts';

let server: RunningProcess;
let url: string;

test.beforeAll(async () => {
  const { folder, env } = optionsOf('express');
  const site = join(folder, 'guide'); // finds the packages of the folder around it
  for (const guide of ['embed.md', 'embed-express.md']) writeGuide(guide, site);
  const port = await freePort();
  url = `http://localhost:${port}`;
  server = await startProcess({
    command: process.execPath,
    args: ['server.mjs'],
    folder: site,
    env: { ...env, PORT: String(port) },
    ready: /Open http/,
  });
});
test.afterAll(() => server?.stop());

test('the guide’s files are a page with two gadgets, one of which keeps data', async ({ page }) => {
  await page.goto(url);
  await page.getByRole('link', { name: 'Sign in as Ada' }).click();
  await allowAll(page, 2);
  await expect(page.frameLocator('gantry-gadget[app=friends] iframe').locator('li')).toHaveText(['Bo']);
  const notes = page.frameLocator('gantry-gadget[app=notes] iframe');
  await notes.getByLabel('New note').fill('Varnish the oars');
  await notes.getByRole('button', { name: 'Add' }).click();
  await expect(notes.locator('li')).toHaveText(['Varnish the oars']);
  await page.reload();
  await expect(notes.locator('li')).toHaveText(['Varnish the oars']);
  await page.goto(`${url}/sign-in/bo`);
  await allowAll(page, 2);
  await expect(notes.getByLabel('New note')).toBeVisible();
  await expect(notes.locator('li')).toHaveCount(0);
});
