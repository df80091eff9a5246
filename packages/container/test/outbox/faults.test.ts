import type { WriteReport } from '@gantry/bridge';
import { type Reply, SocialError } from '@gantry/wire';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { createStillClock } from '../../../bridge/test/still-clock.ts';
import { outboxLimits } from '../../src/outbox/new-entry.ts';
import { ann, createBrowser, type Fate, offline, post, save, sessionOf, states, turn, write } from './browser.ts';

// Faults of storage, clock and other tabs (ADR 21).

const denied = () => Promise.reject(new DOMException('Denied.', 'SecurityError'));

/** A browser in which an earlier page left a write that waits, `a`. */
async function createBrowserWithWrite() {
  const browser = createBrowser({ fates: ['before'] });
  const tab = await browser.openTab();
  void write(tab, 'a');
  await vi.waitFor(() => expect(states(tab)).toEqual(['a waiting']));
  tab.kill();
  return browser;
}

for (const { hasMark, order } of [
  { hasMark: true, order: ['a', 'b'] },
  { hasMark: false, order: ['b', 'a'] }, // control: nothing says that there are earlier ones
]) {
  test(`an earlier write that a slow storage brings late is sent before new ones: ${hasMark}`, async () => {
    const browser = await createBrowserWithWrite();
    browser.hasMark = hasMark;
    const slow = Promise.withResolvers<void>();
    browser.fault = (operation) => (operation === 'all' ? slow.promise : undefined);
    const tab = await browser.openTab(); // after a second
    browser.nowMs += 1;
    const reply = write(tab, 'b');
    for (let n = 0; n < 5; n += 1) await turn();
    expect(browser.done()).toEqual(hasMark ? [] : ['b']);
    slow.resolve();
    expect(await reply).toEqual({ ok: {} });
    await vi.waitFor(() => expect(browser.done()).toEqual(order));
  });
}

test('of 300 writes that come late an app hears of the newest 20, as of those that are there in time (security rule 25)', async () => {
  const browser = await createBrowserWithWrite();
  const [[key, entry] = ['', undefined]] = browser.stored;
  for (let n = 1; n < 300; n += 1) {
    const next = `${key}-${String(n).padStart(3, '0')}`;
    browser.stored.set(next, { ...(entry as object), key: next, id: `a${n}` });
  }
  browser.fates = Array.from({ length: 10 }, () => 'before');
  const inTime = await browser.openTab();
  const slow = Promise.withResolvers<void>();
  browser.fault = (operation) => (operation === 'all' ? slow.promise : undefined);
  const reports: WriteReport[] = [];
  const tab = await browser.openTab(reports);
  expect(reports).toEqual([]);
  slow.resolve();
  await vi.waitFor(() => expect(tab.waiting(ann).reports).toHaveLength(300));
  expect(reports).toEqual(inTime.reports(ann));
  expect(reports).toHaveLength(20);
});

test('a storage that never answers holds new writes back for ten seconds, and one that fails not at all', async () => {
  const clock = createStillClock();
  const browser = createBrowser({ clock });
  browser.stored.set('x', 'of an earlier page');
  browser.fault = (operation) => (operation === 'all' ? new Promise(() => undefined) : undefined);
  const tab = await browser.openTab();
  void write(tab, 'a');
  clock.jump(9_999);
  await turn();
  expect(browser.attempts).toEqual([]);
  clock.jump(1);
  await vi.waitFor(() => expect(browser.done()).toEqual(['a']));
  browser.fault = denied;
  void write(await browser.openTab(), 'b');
  await vi.waitFor(() => expect(browser.done()).toEqual(['a', 'b']));
});

test('a storage that failed at first is read at the next occasion', async () => {
  const browser = await createBrowserWithWrite();
  browser.fault = denied;
  const tab = await browser.openTab();
  expect(states(tab)).toEqual([]);
  browser.fault = undefined;
  tab.wake();
  await vi.waitFor(() => expect(states(tab)).toEqual(['a done']));
});

test('writes that a storage refuses are said to be lost with the page, until it takes another', async () => {
  const browser = createBrowser();
  const tab = await browser.openTab();
  browser.fates = Array.from({ length: 10 }, () => 'before');
  browser.fault = denied;
  for (const id of ['a', 'b', 'c']) {
    void write(tab, id);
    browser.nowMs += 1;
  }
  await vi.waitFor(() => expect(tab.waiting(ann)).toMatchObject({ reports: [{}, {}, {}], areKept: false }));
  expect(tab.hasUnkept()).toBe(true);
  browser.fault = undefined;
  const before = browser.keptChanges;
  void write(tab, 'd');
  await vi.waitFor(() => expect(tab.waiting(ann)).toMatchObject({ reports: [{}, {}, {}, {}], areKept: true }));
  expect([tab.hasUnkept(), browser.stored.size, browser.keptChanges - before]).toEqual([false, 4, 3]);
});

test('a write that the storage refused and the site did is no loss', async () => {
  const browser = createBrowser();
  browser.fault = denied;
  const tab = await browser.openTab();
  expect(await write(tab, 'a')).toEqual({ ok: {} });
  await turn();
  expect([tab.hasUnkept(), tab.waiting(ann).areKept]).toEqual([false, true]);
});

test('a storage that is full when a write is done forgets it, and no later page sends it again', async () => {
  const browser = await createBrowserWithWrite();
  browser.fault = (operation) => (operation === 'put' ? denied() : undefined);
  const tab = await browser.openTab();
  await vi.waitFor(() => expect(states(tab)).toEqual(['a done']));
  await vi.waitFor(() => expect(browser.stored.size).toBe(0));
});

test('a storage that was deleted gets what waits again, but nothing of an app that wants no waiting', async () => {
  const browser = createBrowser();
  const tab = await browser.openTab();
  browser.fates = Array.from({ length: 3 }, () => 'before');
  void write(tab, 'a');
  await vi.waitFor(() => expect(states(tab)).toEqual(['a waiting']));
  browser.nowMs += 1;
  void write(tab, 'b', save('b'), { offline: 'fail' });
  browser.stored.clear();
  tab.keepAgain();
  await turn();
  expect([...browser.stored.values()]).toMatchObject([{ id: 'a' }]);
});

test('a sign-out while a slow storage is read leaves nothing of it', async () => {
  const browser = await createBrowserWithWrite();
  const slow = Promise.withResolvers<void>();
  browser.fault = () => slow.promise;
  const tab = await browser.openTab();
  const cleared = tab.clear();
  slow.resolve();
  await cleared;
  for (let n = 0; n < 5; n += 1) await turn();
  expect([browser.done(), states(tab), browser.stored.size]).toEqual([[], [], 0]);
});

test('stored entries of any shape disturb no write', async () => {
  const [[key, good]] = [...(await createBrowserWithWrite()).stored] as [[string, Record<string, unknown>]];
  const other = { ...good, id: 'other', key: `${key}-other` };
  const names = fc.constantFrom(...Object.keys(good), 'done', 'retryAtMs', 'heldAtMs');
  const broken = fc.oneof(
    fc.anything(),
    fc.tuple(names, fc.anything()).map(([name, value]) => ({ ...other, [name]: value })),
    fc.anything().map((reply) => ({ ...other, done: { atMs: 0, reply } })),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(broken, { maxLength: 5 }), async (entries) => {
      const browser = createBrowser();
      browser.stored.set(key, good);
      for (const [index, entry] of entries.entries()) browser.stored.set(`broken ${index}`, entry);
      const tab = await browser.openTab();
      expect(await write(tab, 'new')).toEqual({ ok: {} });
      for (let n = 0; n < 20 && !browser.done().includes('a'); n += 1) await turn();
      expect(browser.done()).toContain('a');
      expect(states(tab)).toContain('new done');
      expect(await write(tab, 'other', save('a'))).toSatisfy((reply: Reply) => 'ok' in reply || 'error' in reply);
      tab.kill();
    }),
    { numRuns: 300 },
  );
});

test('writes are done in the order of writing, however the clock is set', async () => {
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.constant('write' as const) },
    fc.constantFrom('turn' as const, 'wake' as const, 'kill' as const),
    fc.integer({ min: -90_000_000, max: 90_000_000 }), // a day to either side
  );
  const fate = fc.constantFrom<Fate>('done', 'before', 'after');
  let reversed = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), fc.array(fate, { maxLength: 15 }), async (steps, fates) => {
      const browser = createBrowser({ fates: [...fates] });
      const written: { readonly id: string; readonly atMs: number }[] = [];
      let tab = await browser.openTab();
      for (const one of steps) {
        if (typeof one === 'number') browser.nowMs += one;
        else if (one === 'write') {
          browser.nowMs += 1;
          written.push({ id: `w${written.length}`, atMs: browser.nowMs });
          void write(tab, `w${written.length - 1}`);
        } else if (one === 'turn') await turn();
        else if (one === 'wake') tab.wake();
        else {
          tab.kill();
          tab = await browser.openTab();
        }
      }
      browser.fates = [];
      for (let n = 0; n < 200 && states(tab).some((state) => !state.endsWith('done')); n += 1) {
        await turn();
        tab.wake();
      }
      expect(browser.done()).toEqual(written.map(({ id }) => id));
      if (written.some(({ atMs }, index) => atMs < (written[index - 1]?.atMs ?? 0))) reversed += 1;
    }),
    { numRuns: 150 },
  );
  expect(reversed).toBeGreaterThan(10); // control: by their times they would have been done in another order
});

test('a pause ends after its time though the clock was set back by a year meanwhile', async () => {
  const clock = createStillClock();
  const browser = createBrowser({ clock });
  const tooSoon: Reply = { error: new SocialError('RATE_LIMITED', 'Too soon.', { retryAfter: 30 }).toWire() };
  browser.answer = ({ operation }) => (operation === 'activities.create' ? tooSoon : { ok: {} });
  browser.fates = ['done', 'before'];
  const tab = await browser.openTab();
  void write(tab, 'post', post('A'), { queue: true });
  await vi.waitFor(() => expect(states(tab)).toEqual(['post waiting']));
  browser.nowMs += 1;
  void write(tab, 'save');
  await vi.waitFor(() => expect(states(tab)).toEqual(['post waiting', 'save waiting']));
  browser.answer = () => ({ ok: {} });
  browser.nowMs -= 365 * 24 * 3_600_000;
  await turn();
  expect(browser.done()).toEqual([]); // control
  clock.jump(30_000);
  await vi.waitFor(() => expect(browser.done().toSorted()).toEqual(['post', 'save']));
});

test('AppData that the site refuses as too fast pauses its queue, and is not sent again at once', async () => {
  const clock = createStillClock();
  const browser = createBrowser({ clock, fates: ['before'] });
  browser.answer = () => ({ error: new SocialError('RATE_LIMITED', 'Too fast.', { retryAfter: 30 }).toWire() });
  const tab = await browser.openTab();
  void write(tab, 'a');
  await vi.waitFor(() => expect(states(tab)).toEqual(['a waiting']));
  tab.wake();
  for (let n = 0; n < 50; n += 1) await turn();
  expect(browser.attempts).toEqual(['a', 'a']);
  browser.answer = () => ({ ok: {} });
  browser.nowMs += 30_000;
  clock.jump(30_000);
  await vi.waitFor(() => expect(states(tab)).toEqual(['a done']));
});

test('a lock that a frozen tab keeps holds writes up for a minute, not for ever', async () => {
  const clock = createStillClock();
  const browser = createBrowser({ clock, fates: ['before'] });
  const tab = await browser.openTab();
  void write(tab, 'a');
  await vi.waitFor(() => expect(states(tab)).toEqual(['a waiting']));
  browser.isLockHeld = true;
  tab.wake();
  await turn();
  clock.jump(59_999);
  await turn();
  expect(browser.done()).toEqual([]);
  clock.jump(1);
  await vi.waitFor(() => expect(browser.done()).toEqual(['a']));
});

test('3,200 writes that wait cost eight times as much as 400, and each is counted, sent once and done', async () => {
  const appsOf = (writes: number) => Array.from({ length: writes / outboxLimits.writes }, (_, index) => `app${index}`);
  const session = (app: string) => sessionOf({ ...ann, app });
  const costOf = async (writes: number) => {
    const browser = createBrowser();
    const tab = await browser.openTab();
    const apps = appsOf(writes);
    browser.answer = () => offline as Reply;
    browser.fates = Array.from({ length: 2 * writes }, () => 'before');
    for (const app of apps) {
      for (let n = 0; n < outboxLimits.writes; n += 1)
        void tab.add(session(app), save(String(n)), { write: { id: `${app}-${n}` } });
    }
    const counted = () => apps.map((app) => tab.waiting({ ...ann, app }).reports.length);
    await vi.waitFor(() => expect(counted()).toEqual(apps.map(() => outboxLimits.writes)), 10_000);
    const keeping = browser.operations;
    const [stored, attempts] = [browser.stored.size, browser.attempts.length];
    tab.kill();
    browser.fates = [];
    browser.answer = () => ({ ok: {} });
    browser.attempts.length = 0;
    const next = await browser.openTab();
    await vi.waitFor(() => expect(browser.done()).toHaveLength(writes), 30_000);
    next.kill();
    return { stored, attempts, keeping, sending: browser.operations - keeping, sent: browser.attempts.length };
  };
  const few = await costOf(400);
  const many = await costOf(3_200);
  expect(many.stored).toBe(3_200);
  for (const name of ['attempts', 'keeping', 'sending', 'sent'] as const) expect(many[name], name).toBe(8 * few[name]);
  expect(many.sent).toBe(3_200);
  expect(many.keeping).toBeLessThanOrEqual(2 * 3_200 + 100);
});
