import type { Page } from '@playwright/test';
import { expect, frameOf, test } from './hosted.ts';

const idle = '<!doctype html><html lang="en"><title>Idle</title><script src="/gantry/osapi.js"></script>';

test.use({ apps: { idle: { 'index.html': idle } } });

/** What an app does in three ways, and gives up when it is told to. It answers what it was told of the end. */
const ways: Readonly<Record<string, string>> = {
  'an awaited call': `osapi.people.get({ userId: '3' }, { signal }).then(() => 'answered', ({ data }) => data.reason)`,
  'every call of a batch': `osapi.newBatch()
    .add('a', osapi.people.get({ userId: '3' }, { signal }))
    .add('b', osapi.people.get({ userId: '4' }, { signal }))
    .then(({ a, b }) => a.error.data.reason + ' ' + b.error.data.reason)`,
  'a subscription': `new Promise((resolve) => {
    const stop = osapi.people.get({ userId: '3' }).subscribe(() => resolve('answered'));
    signal.addEventListener('abort', () => { stop(); resolve('stopped'); });
  })`,
};
const ends: Readonly<Record<string, string>> = {
  'an awaited call': 'ABORTED',
  'every call of a batch': 'ABORTED ABORTED',
  'a subscription': 'stopped',
};

/** Calls that wait for the welcome would leave together with those of the page's start. */
async function ready(page: Page): Promise<void> {
  const body = frameOf(page, 'idle').locator('body');
  await body.evaluate(async () => void (await Reflect.get(globalThis, 'osapi').ready));
}

/** Begins; the function that it resolves to gives up, and answers how that ended. */
async function ask(page: Page, way: string): Promise<() => Promise<unknown>> {
  const body = frameOf(page, 'idle').locator('body');
  await body.evaluate((_body, code) => {
    const scope = globalThis as unknown as { controller: AbortController; outcome: unknown };
    scope.controller = new AbortController();
    scope.outcome = new Function('signal', `return ${code}`)(scope.controller.signal);
  }, ways[way]);
  return async () => {
    await body.evaluate(() => Reflect.get(globalThis, 'controller').abort());
    return body.evaluate(() => Reflect.get(globalThis, 'outcome'));
  };
}

for (const way of Object.keys(ways)) {
  test(`an app that gives up ${way} ends its HTTP request (app surface: AbortSignal)`, async ({ page, show }) => {
    await show('<gantry-gadget app="idle"></gantry-gadget>');
    await ready(page);
    const held = Promise.withResolvers<void>();
    await page.route('**/gantry/calls', () => held.resolve(), { times: 1 }); // neither answered nor let through
    const failed = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/gantry/calls'));
    const giveUp = await ask(page, way);
    await held.promise;
    expect(await giveUp()).toBe(ends[way]);
    expect((await failed).failure()?.errorText).toBe('net::ERR_ABORTED');
  });
}

test('control: while one of several still waits, the request goes on and answers it', async ({ page, show }) => {
  await show('<gantry-gadget app="idle"></gantry-gadget>');
  await ready(page);
  const held = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  await page.route(
    '**/gantry/calls',
    async (route) => {
      held.resolve();
      await release.promise;
      await route.continue();
    },
    { times: 1 },
  );
  const body = frameOf(page, 'idle').locator('body');
  await body.evaluate(() => {
    const { osapi } = globalThis as unknown as { osapi: { people: { get(...args: object[]): PromiseLike<unknown> } } };
    const controller = new AbortController();
    const both = [
      osapi.people.get({ userId: '3' }, { signal: controller.signal }),
      osapi.people.get({ userId: '4' }),
    ].map((call) =>
      call.then(
        (person) => Reflect.get(person as object, 'displayName'),
        ({ data }) => data.reason,
      ),
    );
    Object.assign(globalThis, { controller, outcome: Promise.all(both) });
  });
  await held.promise;
  await body.evaluate(() => Reflect.get(globalThis, 'controller').abort());
  release.resolve();
  expect(await body.evaluate(() => Reflect.get(globalThis, 'outcome'))).toEqual(['ABORTED', 'Di Mussel']);
});
