import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { expect, test } from '@playwright/test';
import { freePort } from '../packages/server/test/free-port.ts';
import { copyDemoData } from './demo.ts';

let data: string;
test.beforeEach(async () => {
  data = await copyDemoData();
});
test.afterEach(() => rm(data, { recursive: true }));

/** Runs the command of `npm start` until its server responds. */
async function start(...args: string[]): Promise<{ starter: ChildProcess; url: string }> {
  const starter = spawn(process.execPath, ['scripts/start.mjs', '--data', data, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  for await (const chunk of starter.stdout.setEncoding('utf8')) {
    text += chunk;
    const url = /^Gantry ready at (\S+)$/m.exec(text)?.[1];
    if (url) return { starter, url };
  }
  throw new Error(`It ended before it was ready:\n${text}`);
}

/** Returns processes with this test's data folder among their arguments. */
function left(): string[] {
  const lines = execFileSync('ps', ['-eo', 'pid,args'], { encoding: 'utf8' }).split('\n');
  return lines.filter((line) => line.includes(data));
}

for (const signal of ['SIGTERM', 'SIGINT', 'SIGKILL'] as const) {
  test(`${signal} to npm start leaves nothing running`, async () => {
    const { starter, url } = await start('--port', '0');
    expect((await fetch(url)).status).toBe(200);
    expect(left()).toHaveLength(2); // control: the starter and its server
    starter.kill(signal);
    await expect.poll(left).toEqual([]);
  });
}

test('a taken port is one clear line, and the first server goes on', async () => {
  const { starter, url } = await start('--port', '0');
  const { port } = new URL(url);
  const second = spawn(process.execPath, ['scripts/start.mjs', '--data', data, '--port', port], { stdio: 'pipe' });
  let text = '';
  second.stderr.setEncoding('utf8').on('data', (chunk) => {
    text += chunk;
  });
  expect(await once(second, 'exit')).toEqual([2, null]);
  expect(text).toBe(
    `Port ${port} is taken. Stop the program that uses it, or choose another port with PORT or --port.\n`,
  );
  expect((await fetch(url)).status).toBe(200);
  starter.kill('SIGTERM');
  await once(starter, 'exit');
});

for (const [mode, appsHost] of [
  ['one sandbox origin', 'sandbox.localhost'],
  ['an origin for each app', '*.apps.localhost'],
] as const) {
  test(`gadgets show their data with ${mode} (security rule 4)`, async ({ page }) => {
    const port = await freePort(); // the apps' host needs it beforehand
    const { starter, url } = await start('--port', String(port), '--apps-host', `${appsHost}:${port}`);
    await page.goto(url);
    const friends = page.frameLocator('gantry-gadget[app="friends"] iframe');
    await expect(friends.getByRole('listitem').first()).toBeVisible();
    const addresses = () =>
      page.frames().flatMap((frame) => (frame.url().includes('/gantry/apps/') ? [frame.url()] : []));
    await expect.poll(() => addresses().length).toBe(4); // the fifth waits to be allowed
    const hosts = addresses().map((address) => new URL(address).hostname);
    expect(new Set(hosts).size).toBe(appsHost.startsWith('*') ? 4 : 1);
    expect(hosts).not.toContain('localhost');
    starter.kill('SIGTERM');
    await once(starter, 'exit');
  });
}
