import type { Frame, Page } from '@playwright/test';
import { attacks } from './bridge/attacks.ts';
import { expect, test } from './bridge/fixtures.ts';

/** Every gain of an app from one attack beyond an error as data. */
async function breaches(page: Page, frame: Frame, attack: string): Promise<string[]> {
  const answers = await frame.evaluate((name) => window.raw.attack(name), attack);
  const { calls, uncaught, pollution, title } = await page.evaluate(() => ({
    calls: window.host.calls.length,
    uncaught: window.host.uncaught,
    pollution: window.host.pollution(),
    title: document.title,
  }));
  return [
    ...(calls > 0 ? ['reached the page'] : []),
    ...uncaught.map((message) => `threw in the page: ${message}`),
    ...pollution.map((name) => `wrote ${name} on a prototype`),
    ...(title === 'Bridge' ? [] : ['ran its own code']),
    ...answers.flatMap(({ ports }) => (ports > 0 ? ['got a port'] : [])),
    ...answers.flatMap(({ json }) => (/only the page knows/.test(json) ? ["read the page's secret"] : [])),
    ...answers.flatMap(({ json }) => (isRefusal(json) ? [] : [`was answered ${json.slice(0, 200)}`])),
  ];
}

function isRefusal(json: string): boolean {
  return /^\{"id":"attack","type":"RAW","value":\{"error":\{"code":(400|413),"message":"[^"/:]*","data":\{"reason":"\w+"\}\}\}\}$/.test(
    json,
  );
}

test('raw messages of a sandboxed app read, write, construct or throw nothing in the page (security rule 1)', async ({
  page,
  open,
}) => {
  for (const attack of Object.keys(attacks)) {
    const frame = await open({ document: '/raw' });
    await frame.evaluate(() => window.raw.hello());
    expect(await breaches(page, frame, attack), attack).toEqual([]);
  }
});

test('a message that holds more than a call closes the port, whatever it would have cost (security rule 25)', async ({
  page,
  open,
}) => {
  for (const members of [1, 300_000]) {
    const frame = await open({ document: '/raw' });
    await frame.evaluate(() => window.raw.hello());
    await frame.evaluate(() => window.raw.surplus(0)); // the positive control
    expect(await page.evaluate(() => window.host.events)).toEqual(['ready']);
    await frame.evaluate((count) => window.raw.surplus(count), members);
    expect(await page.evaluate(() => window.host.events)).toEqual(['ready', 'malformed']);
  }
});

test('positive control: with Comlink alone each of these messages does harm', async ({ page, open }) => {
  for (const attack of Object.keys(attacks)) {
    const frame = await open({ document: '/raw', plain: true });
    await frame.evaluate(() => window.raw.hello());
    expect(await breaches(page, frame, attack), attack).not.toEqual([]);
  }
});
