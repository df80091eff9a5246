import type { Page } from '@playwright/test';
import { expect, test } from './bridge/fixtures.ts';

const heights = (page: Page) => page.evaluate(() => window.host.heights);

test('osapi and gadgets exist while the document is parsed; handlers run later, each for itself (app surface)', async ({
  open,
}) => {
  const frame = await open({ document: '/app' });
  const seen = () => frame.evaluate(() => Reflect.get(globalThis, 'seen'));
  await expect.poll(async () => (await seen()).length).toBe(6);
  expect((await seen()).slice(0, 3)).toEqual(['function', 'function', '']);
  const [readyState, ...later] = (await seen()).slice(3);
  expect(['interactive', 'complete', { id: '1', displayName: 'Ann' }]).toContainEqual(readyState);
  expect([readyState, ...later]).toContainEqual({ id: '1', displayName: 'Ann' });
  expect([readyState, ...later]).toContain('second handler');
});

test('an SDK that is loaded twice is one SDK with one port (app surface)', async ({ page, open, server }) => {
  const frame = await open({ document: '/app' });
  const same = await frame.evaluate(async (source) => {
    const { osapi, gadgets } = globalThis as unknown as Record<string, unknown>;
    const script = Object.assign(document.createElement('script'), { src: source });
    await new Promise((resolve) => {
      script.addEventListener('load', resolve);
      document.head.append(script);
    });
    return osapi === Reflect.get(globalThis, 'osapi') && gadgets === Reflect.get(globalThis, 'gadgets');
  }, `${server.origin}/osapi.js`);
  expect(same).toBe(true);
  expect(await page.evaluate(() => window.host.events)).toEqual(['ready']);
});

for (const document of ['/app', '/quirks', '/full-height']) {
  test(`adjustHeight measures a document that grows and shrinks: ${document} (app surface)`, async ({ page, open }) => {
    const frame = await open({ document });
    const adjust = (content: number) =>
      frame.evaluate((height) => {
        const main = window.document.getElementById('content') as HTMLElement;
        main.style.cssText = `display: block; height: ${height}px`;
        Reflect.get(globalThis, 'gadgets').window.adjustHeight();
      }, content);
    await adjust(600); // taller than the frame, which is 150
    await adjust(40); // shorter
    await expect.poll(async () => (await heights(page)).length).toBe(2);
    const margins = document === '/full-height' ? 0 : 16;
    expect(await heights(page)).toEqual([600 + margins, 40 + margins]);
    expect(await frame.evaluate(() => window.document.documentElement.style.height)).toBe(''); // as it was
  });
}
