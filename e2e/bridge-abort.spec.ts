import { expect, type Gadget, test } from '@gantry/testing';
import { appPage, writeApp } from './write-app.ts';

test.use({ apps: [writeApp('idle', { 'index.html': appPage('<p>Idle</p>') })], world: 'friendly' });
test.beforeEach(({ gadget }) => gadget.mount());

/** Calls that an app aborts, and the reason of each outcome. */
const ways = {
  'an awaited call': {
    code: `osapi.people.get({ userId: 'm-3' }, { signal }).then(() => 'answered', ({ data }) => data.reason)`,
    end: 'ABORTED',
  },
  'every call of a batch': {
    code: `osapi.newBatch()
      .add('a', osapi.people.get({ userId: 'm-3' }, { signal }))
      .add('b', osapi.people.get({ userId: 'm-4' }, { signal }))
      .then(({ a, b }) => a.error.data.reason + ' ' + b.error.data.reason)`,
    end: 'ABORTED ABORTED',
  },
  'a subscription': {
    code: `new Promise((resolve) => {
      const stop = osapi.people.get({ userId: 'm-3' }).subscribe(() => resolve('answered'));
      signal.addEventListener('abort', () => { stop(); resolve('stopped'); });
    })`,
    end: 'stopped',
  },
};

/** Starts a call and resolves with a function that aborts it and resolves with the outcome. */
async function ask({ frame }: Gadget, code: string): Promise<() => Promise<unknown>> {
  const body = frame.locator('body');
  await body.evaluate((_body, text) => {
    const controller = new AbortController();
    const outcome = new Function('signal', `return ${text}`)(controller.signal);
    Object.assign(globalThis, { controller, outcome });
  }, code);
  return async () => {
    await body.evaluate(() => Reflect.get(globalThis, 'controller').abort());
    return body.evaluate(() => Reflect.get(globalThis, 'outcome'));
  };
}

for (const [way, { code, end }] of Object.entries(ways)) {
  test(`an app that gives up ${way} ends its HTTP request (app surface: AbortSignal)`, async ({
    gadget,
    gantry,
    page,
  }) => {
    gantry.calls.hold('people.get', { optional: true }); // the second one of a batch
    const first = gantry.calls.hold('people.get');
    const failed = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/gantry/calls'));
    const giveUp = await ask(gadget, code);
    await first.arrived;
    expect(await giveUp()).toBe(end);
    expect((await failed).failure()?.errorText).toBe('net::ERR_ABORTED');
  });
}

test('control: while one of several still waits, the request goes on and answers it', async ({ gadget, gantry }) => {
  const held = [gantry.calls.hold('people.get'), gantry.calls.hold('people.get')];
  const giveUp = await ask(
    gadget,
    `Promise.all([osapi.people.get({ userId: 'm-3' }, { signal }), osapi.people.get({ userId: 'm-4' })]
      .map((call) => call.then((person) => person.id, ({ data }) => data.reason)))`,
  );
  await Promise.all(held.map(({ arrived }) => arrived));
  const outcome = giveUp();
  await expect.poll(() => gadget.calls[0]?.isSettled).toBe(true); // given up before the site answers
  for (const { release } of held) release();
  expect(await outcome).toEqual(['ABORTED', 'm-4']);
});
