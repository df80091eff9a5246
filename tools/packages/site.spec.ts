import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { choose } from '../../e2e/choose.ts';
import { oldestNode, root, run, site } from './harness.ts';
import { snippetWith } from './snippets.ts';

const vite = join(root, 'node_modules/vite/bin/vite.js');
const readme = join(root, 'README.md');

test.describe.configure({ mode: 'serial' });
const servers: ChildProcess[] = [];
test.afterAll(async () => {
  for (const server of servers.filter(({ exitCode }) => exitCode === null)) {
    server.kill();
    await once(server, 'exit');
  }
});

test('the ten lines of a gadget and the ten of a site, as the README has them, show a member’s friend', async ({
  page,
}) => {
  const gadget = join(site, 'friends');
  mkdirSync(gadget);
  writeFileSync(join(gadget, 'index.html'), snippetWith(readme, 'html', 'osapi.people'));
  writeFileSync(join(gadget, 'gadget.json'), manifestInReadme());
  writeFileSync(join(site, 'site.mjs'), snippetWith(readme, 'ts', 'runServer'));
  expect(await gantry('app', 'check', './friends')).not.toContain('warning');
  await gantry('app', 'add', './friends');

  const url = await serve('site.mjs');
  const script = await fetch(`${url}/gantry/container.js`);
  expect([script.status, script.headers.get('content-type')]).toEqual([
    200,
    expect.stringMatching(/^text\/javascript/),
  ]);
  expect(await friendsShown(page, url)).toBe('Bo');
});

if (existsSync(oldestNode)) {
  test('the same ten lines serve a page and the script on the oldest Node of `engines`', async () => {
    const url = await serve('site.mjs', oldestNode);
    const answers = await Promise.all(
      ['/', '/gantry/container.js', '/gantry/osapi.js', '/readyz'].map((path) => fetch(url + path)),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await answers[0]?.text()).toContain('<gantry-gadget app="friends">');
  });
}

test('a gadget that Vite built with @gantry/osapi runs in the same site', async ({ page }) => {
  const folder = await built('gadget');
  await gantry('app', 'check', join(folder, 'dist'));
  await gantry('app', 'add', join(folder, 'dist'), '--id', 'friends', '--replace', '--yes');
  expect(await friendsShown(page, await serve('site.mjs'))).toBe('Bo');
});

test('a page that Vite built with @gantry/container runs that gadget', async ({ page }) => {
  const folder = await built('page');
  cpSync(join(import.meta.dirname, 'consumer/bundled-site.mjs'), join(folder, 'bundled-site.mjs'));
  const url = await serve(join(folder, 'bundled-site.mjs'));
  expect(await friendsShown(page, url)).toBe('Bo');
  const scripts = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
  expect(scripts.join('\n')).toMatch(/\/assets\/.*\.js/);
  expect(scripts.filter((name) => name.endsWith('/gantry/container.js'))).toEqual([]); // its own, not the server's
});

/** Allows the app if it asks, and returns the text of its document. */
async function friendsShown(page: Page, url: string): Promise<string> {
  const calls = page.waitForResponse((response) => response.url() === `${url}/gantry/calls`);
  await page.goto(url);
  const gadget = page.locator('gantry-gadget');
  const card = gadget.getByRole('button', { name: 'Allow', exact: true });
  const frame = gadget.locator('iframe');
  const list = frame.contentFrame().locator('#friends');
  await expect(card.or(frame).first()).toBeVisible();
  if (await card.isVisible()) await choose(gadget, 'Allow');
  await expect(list).toHaveText('Bo');
  expect((await calls).status()).toBe(200);
  return (await list.innerText()).trim();
}

/** Copies a project beside this file into the site's folder and builds it with Vite's defaults. */
async function built(name: string): Promise<string> {
  const folder = join(site, name);
  cpSync(join(import.meta.dirname, 'consumer', name), folder, { recursive: true });
  const { code, text } = await run(process.execPath, [vite, 'build'], folder);
  expect(code, text).toBe(0);
  return folder;
}

async function gantry(...args: string[]): Promise<string> {
  const { code, text } = await run(process.execPath, [join(site, 'node_modules/.bin/gantry'), ...args]);
  expect(code, text).toBe(0);
  return text;
}

/** Starts a server of the site's folder and resolves with its address. */
async function serve(file: string, node = process.execPath): Promise<string> {
  const port = await freePort();
  const server = spawn(node, [file, '--port', String(port)], {
    cwd: site,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  servers.push(server);
  await Promise.race([once(server.stdout, 'data'), once(server, 'exit')]);
  expect(server.exitCode).toBeNull();
  return `http://localhost:${port}`;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}

function manifestInReadme(): string {
  const [, manifest] = /`gadget\.json`:\s`([^`]+)`/.exec(readFileSync(readme, 'utf8')) ?? [];
  if (manifest === undefined) throw new Error('The README has no gadget.json.');
  return manifest;
}
