import { execFileSync } from 'node:child_process';
import type { Page } from '@playwright/test';
import { expect, frameOf, inEachMode, test } from './hosted.ts';
import { attacker, impostor, victim } from './hostile/attacker.ts';

// An app that attacks the page, other apps and the site's members.

test.use({ apps: { attacker, impostor, victim, busy: attacker } });

// Both may have one process, which an attack keeps busy for longer on a slow machine.
const patience = '"responseMs": 900000';
const patient = `<gantry-gadget app="victim" budgets='{${patience}}'></gantry-gadget>`;
const both = `${patient}<gantry-gadget app="attacker" budgets='{${patience}}'></gantry-gadget>`;
const knocking = { 'Content-Type': 'application/json', 'Gantry-Container': '1' };
const naivePage = '<script>naive = []; addEventListener("message", ({ data }) => naive.push(data.gantry));</script>';

async function ready(page: Page): Promise<void> {
  await expect(frameOf(page, 'victim').locator('#out')).toHaveText('Ann Oyster');
  await expect.poll(() => stateOf(page, 'attacker')).toBe('ready');
}
const run = (page: Page, attack: string, app = 'attacker') =>
  frameOf(page, app)
    .locator(':root')
    .evaluate((_, name) => Reflect.get(window, 'attacks')[name](), attack);
const stateOf = (page: Page, app: string) =>
  page.locator(`gantry-gadget[app="${app}"]`).evaluate((element) => Reflect.get(element, 'state'));
const heardByVictim = (page: Page) =>
  frameOf(page, 'victim')
    .locator(':root')
    .evaluate(() => Reflect.get(window, 'naive'));
const viewerOf = (page: Page, app: string) =>
  frameOf(page, app)
    .locator(':root')
    .evaluate(async () => (await Reflect.get(window, 'osapi').people.getViewer()).displayName);
/** Returns megabytes of memory of each renderer process by its id. */
async function memoryOf(page: Page): Promise<ReadonlyMap<number, number>> {
  const session = await page.context().browser()?.newBrowserCDPSession();
  const { processInfo } = (await session?.send('SystemInfo.getProcessInfo')) ?? { processInfo: [] };
  await session?.detach();
  const ids = processInfo.flatMap(({ type, id }) => (type === 'renderer' ? [id] : []));
  const lines = execFileSync('ps', ['-o', 'pid=,rss=', '-p', ids.join()], { encoding: 'utf8' }).trim().split('\n');
  return new Map(
    lines.map((line) => {
      const [id = 0, kilobytes = 0] = line.trim().split(/\s+/).map(Number);
      return [id, kilobytes / 1024];
    }),
  );
}

/** Returns the growth of processes that existed `before`, without those that have ended. */
async function grownSince(before: ReadonlyMap<number, number>, page: Page): Promise<number> {
  const now = await memoryOf(page);
  return [...before].reduce((sum, [id, megabytes]) => sum + (now.get(id) ?? megabytes) - megabytes, 0);
}

/** Collects garbage in an app's process. The page must not hold its leftovers. */
async function collectGarbage(page: Page, app: string): Promise<void> {
  const frame = await page.locator(`gantry-gadget[app="${app}"] iframe`).elementHandle();
  const content = await frame?.contentFrame();
  if (!content) throw new Error(`${app} has no frame.`);
  const session = await page.context().newCDPSession(content);
  await session.send('HeapProfiler.collectGarbage');
  await session.detach();
}

inEachMode((mode) => {
  test('an app reaches nothing of the page, and finds no app beside it (security rule 4)', async ({ show, page }) => {
    await show(both);
    await ready(page);
    expect(await run(page, 'reach')).toEqual({
      document: 'SecurityError',
      element: 'nothing',
      address: 'SecurityError',
      code: 'SecurityError',
      sibling: '',
      variables: '',
      cookies: 'SecurityError',
      storage: 'SecurityError',
      session: 'SecurityError',
      worker: 'SecurityError',
      popup: 'nothing',
    });
    expect(await run(page, 'steer')).toBe('');
  });

  test('forged welcomes, answers, hellos and grants change nothing (security rule 2)', async ({ show, page }) => {
    await show(naivePage + both);
    await ready(page);
    expect(await run(page, 'forge')).toEqual([]);
    expect(await heardByVictim(page)).toEqual([]);
    expect(await page.evaluate('naive')).toEqual([
      'hello',
      'hello',
      ...Array(4).fill('hello'),
      'grant',
      'granted',
      'welcome',
    ]);
    expect(await viewerOf(page, 'victim')).toBe('Ann Oyster');
    expect(await viewerOf(page, 'attacker')).toBe('Ann Oyster');
    expect(await page.evaluate("[...document.querySelectorAll('gantry-gadget')].map(({ state }) => state)")).toEqual([
      'ready',
      'ready',
    ]);
  });

  test('positive control: frames in the open are found, and a listener that trusts all messages accepts forged ones', async ({
    show,
    page,
  }) => {
    await show(both);
    await ready(page);
    await page.evaluate(async () => {
      for (const gadget of document.querySelectorAll('gantry-gadget')) {
        const frame = document.createElement('iframe');
        frame.src = `${gadget.shadowRoot?.querySelector('iframe')?.src.replace(/#.*/, '')}#gantry=1.x.${encodeURIComponent(origin)}`;
        const loaded = new Promise((resolve) => {
          frame.onload = resolve;
        });
        document.body.append(frame);
        await loaded;
      }
    });
    const [, , forged, forger] = page.frames().slice(-4).length === 4 ? page.frames().slice(-4) : [];
    await forger?.evaluate(() => {
      void Reflect.get(window, 'attacks').forge();
    });
    await expect
      .poll(() => forged?.evaluate(() => Reflect.get(window, 'naive')))
      .toEqual(['welcome', 'replies', 'event', 'closed', 'welcome']);
    expect(await forged?.evaluate(() => document.querySelector('#out')?.textContent)).toBe(''); // the SDK ignored it
  });

  test('claims of identity in parameters, keys and messages have no effect (security rules 3 and 11)', async ({
    show,
    page,
  }) => {
    await show(`${both}<gantry-gadget app="impostor"></gantry-gadget>`);
    await ready(page);
    expect(await run(page, 'pose')).toEqual({
      'activity for another': 'FORBIDDEN',
      'AppData of another': 'FORBIDDEN',
      'requestor as a parameter': 'FORBIDDEN',
      'requestor in other letters': 'FORBIDDEN',
      'OAuth as a parameter': 'FORBIDDEN',
      'encoded requestor': 'FORBIDDEN',
      'viewer in the parameters': 'FORBIDDEN',
      'look-alike viewer': 'NOT_FOUND',
      'viewer with a path': 'NOT_FOUND',
      'several with another': 'BAD_REQUEST',
      kept: '{"1":{"xoauth_requestor_id":"2"}}',
      batch: '2 Ann Oyster,__proto__ Ann Oyster',
      polluted: 'undefined',
    });
    await expect.poll(() => stateOf(page, 'impostor')).toBe('ready');
    expect(await run(page, 'pose', 'impostor')).toEqual(Array(4).fill('Ann Oyster'));
    await run(page, 'boast', 'impostor');
    await expect.poll(() => stateOf(page, 'impostor')).toBe('failed');
    await show('<gantry-gadget app="victim"></gantry-gadget>', { viewer: '2' });
    await expect(frameOf(page, 'victim').locator('#out')).toHaveText('Bo Whelk');
    expect(
      await frameOf(page, 'victim')
        .locator('#out')
        .evaluate(() => Reflect.get(window, 'osapi').appdata.get({ keys: 'note' })),
    ).toEqual({ 2: {} });
  });

  test('addresses for the page only refuse a frame (security rule 10)', async ({ show, page }) => {
    await show(both);
    await ready(page);
    expect(await run(page, 'knock')).toBe('refused,no picture,no script');
    expect(await viewerOf(page, 'victim')).toBe('Ann Oyster');
    const status = await page.evaluate(async (headers) => {
      const body = JSON.stringify([{ app: 'victim' }]);
      return (await fetch('/gantry/instances', { method: 'POST', headers, body })).status;
    }, knocking);
    expect(status).toBe(200); // positive control: the same request from the page itself
  });

  test('a flood of hellos and calls leaves the page and the app beside it alone (security rule 6)', async ({
    show,
    page,
  }) => {
    await show(both);
    await ready(page);
    expect(await run(page, 'flood')).toBe('sent');
    expect(await viewerOf(page, 'victim')).toBe('Ann Oyster');
    expect([await stateOf(page, 'victim'), await page.title()]).toEqual(['ready', 'Home']);
  });

  test('an app over its message limit is refused, then stopped; a busy one below it is neither (security rule 6)', async ({
    show,
    page,
  }) => {
    await show(`<script>incidents = []; addEventListener('gantry-incident', ({ detail }) => incidents.push(detail));</script>
      <gantry-gadget app="busy" budgets='{${patience}}'></gantry-gadget>${patient}
      <gantry-gadget app="attacker" budgets='{${patience}, "messagesPerSecond": 100}'></gantry-gadget>`);
    await ready(page);
    await expect.poll(() => stateOf(page, 'busy')).toBe('ready');
    expect(await run(page, 'insist', 'busy')).toEqual({ answered: 3000, RATE_LIMITED: 0 }); // positive control
    const { answered, RATE_LIMITED } = await run(page, 'insist');
    expect(answered).toBeGreaterThanOrEqual(1900); // some of its burst of 2,000 were used before
    expect(answered).toBeLessThan(2900);
    expect(answered + RATE_LIMITED).toBe(3000);
    expect(await stateOf(page, 'attacker')).toBe('ready');
    await run(page, 'insist').catch(() => undefined); // removed before it could reply
    await expect.poll(() => stateOf(page, 'attacker')).toBe('failed');
    const card = page.locator('gantry-gadget[app="attacker"] [part=card]');
    await expect(card).toContainText('It kept the page too busy, so it was stopped.');
    expect(await page.evaluate('incidents')).toEqual([{ app: 'attacker', kind: 'flood', detail: {} }]);
    expect(await viewerOf(page, 'victim')).toBe('Ann Oyster');
    expect(await run(page, 'insist', 'busy')).toEqual({ answered: 3000, RATE_LIMITED: 0 });
    expect(await stateOf(page, 'busy')).toBe('ready');
  });

  for (const attack of ['drum', 'drumWithin']) {
    test(`an app that floods the window of the page is stopped like one that floods its port: ${attack} (security rule 6)`, async ({
      show,
      page,
    }) => {
      await show(
        `<script>incidents = []; addEventListener('gantry-incident', ({ detail }) => incidents.push(detail));</script>${both}`,
      );
      await ready(page);
      await run(page, attack).catch(() => undefined); // it may be removed before it can reply
      await expect.poll(() => stateOf(page, 'attacker')).toBe('failed');
      const card = page.locator('gantry-gadget[app="attacker"] [part=card]');
      await expect(card).toContainText('It kept the page too busy, so it was stopped.');
      expect(await page.evaluate('incidents')).toEqual([{ app: 'attacker', kind: 'flood', detail: {} }]);
      expect([await viewerOf(page, 'victim'), await stateOf(page, 'victim')]).toEqual(['Ann Oyster', 'ready']);
    });
  }

  test('an app that grows is stopped, and its memory with it (security rule 6)', async ({ show, page }) => {
    await show(`${patient}<gantry-gadget app="attacker" heading="Growing"></gantry-gadget>`);
    await ready(page);
    const before = await memoryOf(page);
    expect(await run(page, 'grow')).toBe('growing');
    await expect.poll(() => grownSince(before, page)).toBeGreaterThan(300); // of 400
    expect(await viewerOf(page, 'victim')).toBe('Ann Oyster');
    expect(await grownSince(before, page)).toBeGreaterThan(300); // positive control: the memory stays otherwise
    const gadget = page.locator('gantry-gadget[app="attacker"]');
    await gadget.getByRole('button', { name: /^Options/ }).click();
    await gadget.getByRole('button', { name: 'Stop' }).click();
    await expect.poll(() => stateOf(page, 'attacker')).toBe('stopped');
    await expect(gadget.locator('iframe')).toHaveCount(0);
    if (mode !== 'origin per app') await collectGarbage(page, 'victim'); // otherwise its process has ended
    await expect.poll(() => grownSince(before, page)).toBeLessThan(150);
    expect(await viewerOf(page, 'victim')).toBe('Ann Oyster');
  });
});

test('400 writes of an app that watches 200 reads cost their sum, not their product (security rule 25)', async ({
  show,
  page,
}) => {
  // Counts stringified text: how often results were compared.
  await page.addInitScript(() => {
    const { stringify } = JSON;
    Object.assign(window, { written: 0 });
    JSON.stringify = (...args: unknown[]) => {
      Object.assign(window, { written: Reflect.get(window, 'written') + 1 });
      return Reflect.apply(stringify, JSON, args);
    };
  });
  await show(both);
  await ready(page);
  expect(await run(page, 'write')).toBe(400);
  expect(await viewerOf(page, 'victim')).toBe('Ann Oyster');
  const written = Number(await page.evaluate('written'));
  expect(written).toBeGreaterThan(600); // positive control: it is counted
  expect(written).toBeLessThan(100_000); // each write over each read, twice, is 160,000
  expect([await stateOf(page, 'attacker'), await stateOf(page, 'victim')]).toEqual(['ready', 'ready']);
});
