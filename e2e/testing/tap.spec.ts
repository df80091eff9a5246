import { join } from 'node:path';
import type { Lab } from '@gantry/lab';
import type { Gantry, Osapi } from '@gantry/osapi';
import { expect, test as kit } from '@gantry/testing';
import type { Page } from '@playwright/test';
import { build, type Rolldown } from 'vite';
import { attachTap, type Tap } from '../../packages/testing/src/site-mode/attach-tap.ts';
import type { Sighting } from '../../packages/testing/src/site-mode/read-port.ts';
import { writeApp } from '../write-app.ts';

declare const osapi: Osapi;
declare const gantry: Gantry;

interface Session {
  readonly page: Page;
  readonly lab: Lab;
  /** Runs a function in the frame of a gadget, counted from 0. */
  within(index: number, run: string | (() => unknown)): Promise<void>;
  /** Adds a gadget. */
  show(app: string, options?: { readonly inShadow?: boolean }): Promise<void>;
  readonly tap: Tap;
  readonly sightings: Sighting[];
}

const folders = ['one', 'two'].map((name) =>
  writeApp(name, {
    'gadget.json': JSON.stringify({
      name,
      page: 'index.html',
      height: 90,
      uses: ['people.get', 'appdata.get', 'appdata.update', 'activities.create'],
    }),
    'index.html': '<!doctype html><title>App</title><script src="/gantry/osapi.js"></script><p>app',
  }),
);

const script = build({
  configFile: false,
  logLevel: 'silent',
  resolve: { conditions: ['@gantry/source'] },
  build: { write: false, minify: false, lib: { entry: join(import.meta.dirname, 'tap-page.ts'), formats: ['es'] } },
});

/** Waits until the call that an armed fault delays is at the site. */
const hasArrived = (lab: Lab) => expect.poll(() => lab.faults.unmet).toEqual([]);

const test = kit.extend<{ session: Session }>({
  apps: async ({ browserName: _ }, use) => use(folders),
  session: async ({ page, gantrySite: server, gantry }, use) => {
    const [built] = (await script) as Rolldown.RolldownOutput[];
    const chunks = built?.output.filter((one) => one.type === 'chunk') ?? [];
    const sightings: Sighting[] = [];
    const tap = await attachTap(page, { onSighting: (sighting) => sightings.push(sighting) });
    await page.route(`${server.url}/kit/test/**`, (route) => {
      const name = new URL(route.request().url()).pathname.split('/').at(-1);
      const chunk = chunks.find(({ fileName, isEntry }) =>
        name === 'page.js' ? isEntry : fileName.endsWith(String(name)),
      );
      return route.fulfill({ contentType: 'text/javascript', body: chunk?.code ?? '' });
    });
    await page.route(`${server.url}/site?*`, (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: '<!doctype html><script type="module" src="/kit/test/page.js"></script>',
      }),
    );
    await page.goto(`${server.url}/site?lab=${gantry.lab.name}`);
    await page.waitForFunction(() => 'tapPage' in window);
    await use({
      page,
      lab: gantry.lab,
      tap,
      sightings,
      async within(index, run) {
        const frame = await page.evaluateHandle((at) => window.tapPage.frame(at), index);
        await (await frame.asElement()?.contentFrame())?.evaluate(run);
      },
      show: (app, more) => page.evaluate(([id, options]) => window.tapPage.show(id, options), [app, more] as const),
    });
  },
});

/**
 * Sessions of apps with one page, which tap and observer must report alike. A session may reuse a
 * gadget of an earlier one.
 */
const sessions: readonly (readonly [name: string, run: (session: Session) => Promise<void>])[] = [
  ['a handshake', async ({ show }) => void (await show('one'))],
  [
    'a call and its result',
    ({ within }) => within(0, async () => void (await osapi.people.get({ userId: '@viewer' }))),
  ],
  [
    'a batch of cached and asked calls',
    ({ within }) =>
      within(0, async () => {
        const batch = osapi.newBatch();
        batch.add('cached', osapi.people.get({ userId: '@viewer' }));
        batch.add('asked', osapi.people.get({ userId: '@viewer', groupId: '@friends' }));
        await new Promise((resolve) => batch.execute(resolve));
      }),
  ],
  [
    'six hundred cached calls in one tick, which are two messages',
    ({ within }) =>
      within(0, async () => {
        const calls = Array.from({ length: 600 }, () => osapi.people.get({ userId: '@viewer' }));
        await Promise.all(calls);
      }),
  ],
  [
    'a call that the site refuses, and one that the page refuses',
    ({ within }) =>
      within(0, async () => {
        const lost = osapi.people.get({ userId: 'nobody-here' });
        const wrong = osapi.people.get({ userId: '@viewer', groupId: '@friends', count: -1 });
        await Promise.allSettled([lost, wrong]);
      }),
  ],
  [
    'a subscriber that gets a write, and unsubscribes',
    ({ within }) =>
      within(0, async () => {
        let onResult = (_: unknown): void => {};
        const first = new Promise((resolve) => {
          onResult = resolve;
        });
        const end = osapi.appdata.get({ userId: '@viewer' }).subscribe((result) => onResult(result));
        await first;
        const second = new Promise((resolve) => {
          onResult = resolve;
        });
        await osapi.appdata.update({ userId: '@viewer', data: { count: '1' } });
        await second;
        end();
      }),
  ],
  [
    'a call that its app gave up',
    async ({ within, lab }) => {
      lab.faults.once('people.getFriends').delay(60_000);
      await within(0, () => {
        const giving = new AbortController();
        const request = osapi.people.get(
          { userId: '@owner', groupId: '@friends', count: 3 },
          { signal: giving.signal },
        );
        Object.assign(globalThis, { giving, settled: Promise.allSettled([request]) });
      });
      await hasArrived(lab);
      await within(0, async () => {
        const { giving, settled } = globalThis as unknown as { giving: AbortController; settled: Promise<unknown> };
        giving.abort();
        await settled;
        await osapi.people.get({ userId: '@viewer' });
      });
    },
  ],
  [
    'actions, of which one fails',
    ({ within }) =>
      within(0, async () => {
        await gantry.setTitle('A title');
        await gantry.state.set({ at: 1 });
        await Promise.allSettled([gantry.views.navigate('nowhere')]);
      }),
  ],
  [
    'an error of the app, which is an incident',
    async ({ within, page }) => {
      const incident = page.evaluate(() =>
        new Promise((resolve) => addEventListener('gantry-incident', resolve, { once: true })).then(() => {}),
      );
      await within(
        0,
        () =>
          void setTimeout(() => {
            throw new Error('of the app');
          }),
      );
      await incident;
    },
  ],
  [
    'two more gadgets, of the same app in a shadow root and of another one',
    async ({ show, within }) => {
      await show('one', { inShadow: true });
      await show('two');
      for (const index of [1, 2]) await within(index, async () => void (await osapi.people.get({ userId: '@viewer' })));
    },
  ],
  [
    'a page that changes its language',
    ({ page }) =>
      page.evaluate(() => {
        document.documentElement.dir = 'rtl';
        document.dispatchEvent(new Event('gantry-refresh'));
      }),
  ],
  [
    'a reload of a gadget with a call open',
    async ({ page, within, lab }) => {
      lab.faults.once('people.getFriends').delay(60_000);
      await within(2, () => void osapi.people.get({ userId: '@owner', groupId: '@friends', count: 5 }).execute());
      await hasArrived(lab);
      await page.evaluate(async () => {
        const gadget = window.tapPage.gadget(2);
        const ready = new Promise((resolve) => gadget.addEventListener('gantry-ready', resolve, { once: true }));
        gadget.reload();
        await ready;
      });
      await within(2, async () => void (await osapi.people.get({ userId: '@viewer' })));
    },
  ],
  [
    'a gadget that is taken away while a call is open',
    async ({ page, within, lab }) => {
      lab.faults.once('people.getFriends').delay(60_000);
      await within(1, async () => {
        osapi.people.get({ userId: '@owner', groupId: '@friends', count: 7 }).execute();
        await osapi.people.get({ userId: '@viewer' });
      });
      await hasArrived(lab);
      await page.evaluate(() => window.tapPage.gadget(1).remove());
    },
  ],
];

const failing = test.extend({ expectedErrors: [['of the app'], { scope: 'test' }] });
failing("the tap reports the same as the page's own observer", async ({ session }) => {
  let counts = { observed: 0, tapped: 0 };
  for (const [name, run] of sessions)
    await test.step(name, async () => {
      await run(session);
      const [observed, tapped] = await both(session);
      expect(tapped.slice(counts.tapped)).toEqual(observed.slice(counts.observed));
      expect(observed.length).toBeGreaterThan(counts.observed);
      counts = { observed: observed.length, tapped: tapped.length };
    });
});

test('no entry is lost when the page navigates', async ({ session: { page, show, within, sightings, tap } }) => {
  await show('one');
  // Waits for the reply: a call still unsent is gone with the frame.
  await within(0, async () => void (await osapi.people.get({ userId: '@viewer' })));
  await page.reload();
  await tap.pull();
  expect(sightings.filter(({ kind }) => kind === 'call')).toHaveLength(1);
  await page.waitForFunction(() => 'tapPage' in window);
  await show('one');
  await within(0, async () => void (await osapi.people.get({ userId: '@viewer' })));
  await tap.pull();
  const calls = sightings.flatMap((one) => (one.kind === 'call' ? `${one.place} ${one.call}` : []));
  expect(calls).toEqual(['one#1 1', 'one#1 2']);
});

test('an app finds no function of the tap, and what it sends under its name is dropped', async ({ session }) => {
  const { page, show, within, tap, sightings } = session;
  const added = page.evaluate(() =>
    Object.getOwnPropertyNames(window).filter((name) => /^gantry[0-9a-f]{24}$/.test(name)),
  );
  expect(await added).toEqual([]);
  await show('one');
  const { name } = tap;
  const before = sightings.length;
  const forged = JSON.stringify({
    document: 'x',
    count: 1,
    leftOut: 0,
    tapped: [{ kind: 'incident', app: 'one', place: 'one#1', atMs: 0, name: 'forged', detail: {} }],
  });
  const send = `(${String(sendAs)})(${JSON.stringify([name, forged])})`;
  await within(0, send);
  await page.evaluate(send); // control: the page receives it
  await tap.pull();
  expect(sightings.slice(before).filter(({ kind }) => kind === 'incident')).toHaveLength(1);
});

/** Calls a binding as Playwright's own script does. */
function sendAs([name, text]: readonly [string, string]): boolean {
  const controller: unknown = Reflect.get(globalThis, '__playwright__binding__controller__');
  void (controller as { callBinding(name: string, text: string): Promise<void> }).callBinding(name, text);
  return name in globalThis;
}

test('a page that replaces and freezes what the tap needs works as before', async ({ session }) => {
  const { page, show, within, tap, sightings } = session;
  await page.evaluate(() => {
    const post = MessagePort.prototype.postMessage;
    MessagePort.prototype.postMessage = function (this: MessagePort, ...args: unknown[]) {
      return Reflect.apply(post, this, args);
    };
    EventTarget.prototype.addEventListener = new Proxy(EventTarget.prototype.addEventListener, {});
    Object.freeze(MessagePort.prototype);
    JSON.stringify = new Proxy(JSON.stringify, {});
    performance.now = () => 0;
  });
  await show('one');
  await within(0, async () => void (await osapi.people.get({ userId: '@viewer' })));
  await tap.pull();
  const call = sightings.find(({ kind }) => kind === 'reply');
  expect(call).toMatchObject({ call: 1, ok: { id: 'm-1' } });
});

/** Returns the entries of both, without data that only a page has. */
async function both({ page, tap, sightings }: Session): Promise<readonly [readonly unknown[], readonly unknown[]]> {
  await tap.pull();
  const heard = (await page.evaluate(() => window.tapPage.heard)).map((text) => JSON.parse(text) as Sighting);
  return [canonical(heard), canonical(sightings)];
}

/**
 * Removes duplicates: a pushed first result crosses the port once, but `observe` reports both push
 * and reply.
 */
function canonical(entries: readonly Sighting[]): readonly unknown[] {
  const replied = new Set<string>();
  return entries.flatMap((entry) => {
    const { atMs: _, tookMs: __, ...rest } = { tookMs: 0, ...entry };
    const key = 'call' in entry ? `${entry.place} ${entry.call}` : '';
    if (entry.kind === 'decision' || entry.kind === 'load') return [];
    if (entry.kind === 'push' && !replied.has(key)) return [];
    if (entry.kind === 'reply') replied.add(key);
    return [rest];
  });
}
