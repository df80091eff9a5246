import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';

// The agent alone in a page: it reports to the surrounding page, here the page itself.

const agentFile = join(import.meta.dirname, '../../packages/dev/dist/agent/agent.js');

declare const agentEvents: readonly { readonly kind: string; readonly count?: number }[];

async function openPage(page: Page, settings: object): Promise<void> {
  const agent = await readFile(agentFile, 'utf8');
  await page.addInitScript(`
    agentEvents = []; agentPort = undefined;
    addEventListener('message', ({ ports: [port] }) => {
      if (!port) return;
      agentPort = port;
      port.onmessage = ({ data }) => data.type === 'seen' && agentEvents.push(data.event);
    });
    gantryAgent = ${JSON.stringify({ origin: '', app: 'hello', clock: { aheadMs: 0 }, ...settings })};
    ${agent}`);
  await page.goto('data:text/html,<!doctype html><title>Hello</title>');
  await expect.poll(() => page.evaluate('agentPort !== undefined')).toBe(true);
}

test('the clock and the local time of a frame are those of the scenario, and jump with it', async ({ page }) => {
  await openPage(page, { clock: { aheadMs: 3_600_000 }, timeZone: 'Australia/Eucla' });
  const seen = await page.evaluate(() => ({
    ahead: Math.round((Date.now() - performance.timeOrigin - performance.now()) / 1_000),
    hours: new Date(Date.UTC(2026, 10, 22, 12)).getHours(),
    text: new Date(Date.UTC(2026, 10, 22, 12)).toString().slice(0, 33),
    zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  }));
  expect(seen).toEqual({ ahead: 3600, hours: 20, text: 'Sun Nov 22 2026 20:45:00 GMT+0845', zone: 'Australia/Eucla' });
  const fired = page.evaluate(() => new Promise((resolve) => setTimeout(() => resolve(Date.now()), 30_000)));
  await page.evaluate("agentPort.postMessage({ type: 'clock', clock: { aheadMs: 3630000 }, turn: 1 })");
  expect(Number(await fired) - Date.now()).toBeGreaterThan(3_620_000);
});

test('a gadget that throws 20,000 errors costs few reports, and the rest is counted (security rule 25)', async ({
  page,
}) => {
  await openPage(page, {});
  const took = await page.evaluate(() => {
    const start = performance.now();
    for (let index = 0; index < 20_000; index++) {
      dispatchEvent(new ErrorEvent('error', { message: 'no', error: new Error(`no ${index}`) }));
    }
    return performance.now() - start;
  });
  await expect.poll(() => page.evaluate(() => agentEvents.some(({ kind }) => kind === 'left-out'))).toBe(true);
  const reports = await page.evaluate(() => agentEvents);
  const errors = reports.filter(({ kind }) => kind === 'script-error').length;
  expect(errors).toBeLessThan(60 + (took / 1_000 + 1) * 20);
  expect(errors + (reports.find(({ kind }) => kind === 'left-out')?.count ?? 0)).toBeGreaterThanOrEqual(20_000); // a long task too
  test.info().annotations.push({ type: 'took', description: `${Math.round(took)} ms` });
});

test('the console of a gadget still works, and a summary of what it writes is reported', async ({ page }) => {
  await openPage(page, {});
  const written = page.waitForEvent('console');
  await page.evaluate("console.info('Hello', { list: [1, 2] })");
  expect((await written).text()).toContain('Hello');
  await expect
    .poll(() => page.evaluate(() => agentEvents))
    .toContainEqual(expect.objectContaining({ kind: 'console', level: 'info', text: 'Hello { list: [1, 2] }' }));
});

test('sharing and a download of an app that catches errors are reported once', async ({ page }) => {
  await page.addInitScript('Navigator.prototype.share = async () => {}'); // Chromium for Linux has none
  await openPage(page, {});
  await page.evaluate(async () => {
    const save = Object.assign(document.createElement('a'), { href: 'data:,a', download: 'a' });
    for (const run of [
      () => navigator.share({}),
      () => save.click(),
      () => save.dispatchEvent(new MouseEvent('click')),
    ])
      await run();
    document.body.append(save);
    await navigator.share({});
  });
  const sandbox = () => page.evaluate(() => agentEvents.filter(({ kind }) => kind === 'sandbox'));
  await expect.poll(sandbox).toEqual([
    { kind: 'sandbox', name: 'navigator.share' },
    { kind: 'sandbox', name: 'download' },
  ]);
});
