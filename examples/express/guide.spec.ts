import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@playwright/test';
import { allowAll } from '../../e2e/choose.ts';
import { freePort } from '../../packages/server/test/free-port.ts';
import { type RunningProcess, startProcess } from '../processes.ts';
import { optionsOf } from '../scenario.ts';

const guide = readFileSync(new URL('../../docs/guides/embed-express.md', import.meta.url), 'utf8');

let server: RunningProcess;
let url: string;

test.beforeAll(async () => {
  const { folder, env } = optionsOf('express');
  const site = join(folder, 'guide'); // finds the packages of the folder around it
  const files = guide.matchAll(/\*\*([\w./-]+\.(?:mjs|json|html))\*\*.*?```(?:js|json|html)\n(.*?)```/gs);
  for (const [, name = '', text = ''] of files) {
    mkdirSync(dirname(join(site, name)), { recursive: true });
    writeFileSync(join(site, name), text);
  }
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
  await notes.getByLabel('Your note').fill('Varnish the oars');
  await notes.getByRole('button', { name: 'Save' }).click();
  await expect(notes.getByRole('status')).toHaveText('Saved.');
  await page.reload();
  await expect(notes.getByLabel('Your note')).toHaveValue('Varnish the oars');
  await page.goto(`${url}/sign-in/bo`);
  await allowAll(page, 2);
  await expect(notes.getByLabel('Your note')).toHaveValue('');
});
