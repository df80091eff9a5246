import { expect, test } from './bridge/fixtures.ts';

test("an app may use Comlink's own wrap in its frame (ADR 11)", async ({ page, open }) => {
  const frame = await open({ document: '/raw' });
  await frame.evaluate(() => window.raw.hello());
  const answers = await frame.evaluate(() => window.raw.comlink());
  expect(answers).toEqual([
    [[1, null, { id: '1', displayName: 'Ann' }]],
    { ok: 2 },
    { error: { code: 501, message: 'This container has no such action.', data: { reason: 'NOT_IMPLEMENTED' } } },
  ]);
  expect(await page.evaluate(() => window.host.uncaught)).toEqual([]);
});

test("the SDK may talk to Comlink's own expose on the page (ADR 11)", async ({ page, open }) => {
  const frame = await open({ document: '/app', plain: true });
  const person = await frame.evaluate(
    () => new Promise((resolve) => Reflect.get(globalThis, 'osapi').people.getViewer().execute(resolve)),
  );
  expect(person).toEqual({ id: '1', displayName: 'Ann' });
  expect(await page.evaluate(() => window.host.uncaught)).toEqual([]);
});
