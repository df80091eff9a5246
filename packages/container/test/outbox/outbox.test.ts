import type { WriteReport } from '@gantry/bridge';
import { SocialError } from '@gantry/wire';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { outboxLimits } from '../../src/outbox/new-entry.ts';
import { ann, createBrowser, type Fate, offline, post, save, sessionOf, states, turn, write } from './browser.ts';

test('a write that gets through is answered, and reported as done', async () => {
  const browser = createBrowser();
  const reports: WriteReport[] = [];
  const tab = await browser.openTab(reports);
  expect(await write(tab, 'a')).toEqual({ ok: {} });
  expect(reports).toEqual([{ id: 'a', operation: 'appdata.update', state: 'done', reply: { ok: {} } }]);
});

test('each write is done once, even if messages are lost and tabs killed', async () => {
  const step = fc.oneof(
    { weight: 5, arbitrary: fc.constant('write' as const) },
    fc.constant('kill' as const),
    fc.constant('turn' as const),
    fc.constant('wake' as const),
  );
  const fate = fc.constantFrom<Fate>('done', 'before', 'after');
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), fc.array(fate, { maxLength: 20 }), async (steps, fates) => {
      const browser = createBrowser({ fates: [...fates] });
      const written: string[] = [];
      let tab = await browser.openTab();
      for (const one of steps) {
        browser.nowMs += 1;
        if (one === 'write') {
          written.push(`w${written.length}`);
          void write(tab, written.at(-1) as string);
        } else if (one === 'turn') await turn();
        else if (one === 'wake') tab.wake();
        else {
          tab.kill();
          tab = await browser.openTab();
        }
      }
      browser.fates = [];
      tab.kill();
      tab = await browser.openTab();
      for (let n = 0; n < 200 && states(tab).some((state) => !state.endsWith('done')); n += 1) {
        await turn();
        tab.wake();
      }
      expect(browser.done().toSorted(byNumber)).toEqual(written);
    }),
    { numRuns: 150 },
  );
});

const byNumber = (a: string, b: string) => Number(a.slice(1)) - Number(b.slice(1));

test('in whatever order things fail, writes of one member and app are done in the order of writing; a post that waits for its interval lets AppData pass', async () => {
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom('save' as const, 'post' as const) },
    fc.constantFrom('turn' as const, 'wake' as const, 'second' as const, 'kill' as const),
  );
  const fate = fc.constantFrom<Fate>('done', 'before', 'after');
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), fc.array(fate, { maxLength: 15 }), async (steps, fates) => {
      const browser = createBrowser();
      const apps = ['notes', 'board'];
      browser.fates = [...fates];
      // The site takes a post every three seconds, of whichever app.
      let postableAtMs = 0;
      browser.answer = (request) => {
        if (request.operation !== 'activities.create') return { ok: {} };
        const waitMs = postableAtMs - browser.nowMs;
        if (waitMs > 0) return { error: tooSoon(Math.ceil(waitMs / 1_000)) };
        postableAtMs = browser.nowMs + 3_000;
        return { ok: {} };
      };
      const written: string[] = [];
      let tab = await browser.openTab();
      for (const one of steps) {
        browser.nowMs += 1;
        if (one === 'save' || one === 'post') {
          const app = apps[written.length % 2] as string;
          const id = `${app}-${one}-${written.length}`;
          written.push(id);
          const request = one === 'save' ? save(id) : post(id);
          const session = sessionOf({ ...ann, app });
          void tab.add(session, request, { write: { id, queue: true } });
        } else if (one === 'turn') await turn();
        else if (one === 'wake') tab.wake();
        else if (one === 'second') browser.nowMs += 1_000;
        else {
          tab.kill();
          tab = await browser.openTab();
        }
      }
      browser.fates = [];
      for (let n = 0; n < 400 && browser.done().length < written.length; n += 1) {
        browser.nowMs += 1_000;
        tab.wake();
        await turn();
      }
      for (const app of apps) {
        for (const kind of ['save', 'post']) {
          const ofKind = (ids: readonly string[]) => ids.filter((id) => id.startsWith(`${app}-${kind}`));
          expect(ofKind(browser.done())).toEqual(ofKind(written));
        }
        // A post never overtakes what was saved before it.
        const order = browser.done().filter((id) => id.startsWith(app));
        for (const [index, id] of order.entries()) {
          if (!id.includes('post')) continue;
          const before = written.slice(0, written.indexOf(id)).filter((other) => other.startsWith(app));
          expect(order.slice(0, index)).toEqual(expect.arrayContaining(before));
        }
      }
    }),
    { numRuns: 100 },
  );
});

const tooSoon = (seconds: number) => new SocialError('RATE_LIMITED', 'Too soon.', { retryAfter: seconds }).toWire();

test('waiting writes are sent in order, one by one, and nothing overtakes them', async () => {
  const browser = createBrowser({ fates: ['before'] });
  const tab = await browser.openTab();
  void write(tab, 'a');
  await vi.waitFor(() => expect(states(tab)).toEqual(['a waiting']));
  browser.fates = ['before', 'before'];
  browser.nowMs += 1;
  void write(tab, 'b');
  await vi.waitFor(() => expect(states(tab)).toEqual(['a waiting', 'b waiting']));
  browser.fates = [];
  browser.attempts.length = 0;
  tab.wake();
  await vi.waitFor(() => expect(states(tab)).toEqual(['a done', 'b done']));
  expect(browser.attempts).toEqual(['a', 'b']);
});

test('a write is reported as waiting only when the end of its page cannot lose it', async () => {
  const browser = createBrowser();
  const reports: WriteReport[] = [];
  const tab = await browser.openTab(reports);
  const disk = Promise.withResolvers<void>();
  browser.fault = () => disk.promise;
  browser.fates = ['before'];
  void write(tab, 'a');
  await turn();
  expect([browser.attempts, browser.stored.size, reports]).toEqual([['a'], 0, []]);
  disk.resolve();
  await turn();
  expect(reports).toEqual([{ id: 'a', operation: 'appdata.update', state: 'waiting' }]);
  tab.kill();
  expect(states(await browser.openTab())).toEqual(['a waiting']);
});

test('without locks in the browser, waiting writes are sent all the same, and later ones too', async () => {
  const browser = createBrowser();
  browser.hasLocks = false;
  browser.fates = ['before'];
  const tab = await browser.openTab();
  const first = write(tab, 'a');
  await vi.waitFor(() => expect(states(tab)).toEqual(['a waiting']));
  tab.wake();
  expect(await first).toEqual({ ok: {} });
  expect(await write(tab, 'b')).toEqual({ ok: {} });
});

test('a retry that comes due while the clock is read is not forgotten', async () => {
  const browser = createBrowser({ fates: ['before'] });
  const tab = await browser.openTab();
  vi.useFakeTimers();
  try {
    const answered = write(tab, 'a');
    await vi.advanceTimersByTimeAsync(0);
    expect(states(tab)).toEqual(['a waiting']);
    browser.nowMs += 748; // the retry is due after 750, and its timer a little early
    browser.lookMs = 1;
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await answered).toEqual({ ok: {} });
  } finally {
    vi.useRealTimers();
  }
});

test('one of several tabs sends the waiting writes, and all of them hear of it', async () => {
  const browser = createBrowser({ fates: ['before'] });
  const reports: WriteReport[] = [];
  const one = await browser.openTab();
  const two = await browser.openTab(reports);
  const answered = write(one, 'a');
  await vi.waitFor(() => expect(states(two)).toEqual(['a waiting']));
  browser.attempts.length = 0;
  browser.fates = [];
  two.wake();
  one.wake();
  expect(await answered).toEqual({ ok: {} });
  await turn();
  expect(browser.attempts).toEqual(['a']);
  expect([states(one), states(two)]).toEqual([['a done'], ['a done']]);
});

test("another member's writes are kept and not sent, until that member is back (security rule 14)", async () => {
  const browser = createBrowser({ fates: ['before'] });
  const tab = await browser.openTab();
  void write(tab, 'a');
  await vi.waitFor(() => expect(states(tab)).toEqual(['a waiting']));
  tab.kill();
  browser.viewer = '2';
  browser.attempts.length = 0;
  const theirs = await browser.openTab();
  await turn();
  expect(browser.attempts).toEqual([]);
  theirs.kill();
  browser.viewer = '1';
  const mine = await browser.openTab();
  await vi.waitFor(() => expect(states(mine)).toEqual(['a done']));
});

test('a write that waits for an app that another one replaced is refused, and never sent (security rule 29)', async () => {
  const browser = createBrowser({ fates: ['before'] });
  const tab = await browser.openTab();
  void write(tab, 'a');
  await vi.waitFor(() => expect(states(tab)).toEqual(['a waiting']));
  tab.kill();
  browser.upstream = 'of another app under the id';
  browser.attempts.length = 0;
  const later = await browser.openTab();
  await vi.waitFor(() => expect(states(later)).toEqual(['a done']));
  expect(later.reports(ann)).toMatchObject([{ reply: { error: { data: { reason: 'APP_REPLACED' } } } }]);
  expect(later.reports({ ...ann, upstream: browser.upstream })).toEqual([]);
  expect(browser.attempts).toEqual([]);
});

test('a member’s finished writes are deleted when another member signs in (security rule 14)', async () => {
  const browser = createBrowser();
  const mine = await browser.openTab();
  expect(await write(mine, 'a')).toHaveProperty('ok');
  mine.kill();
  expect((await browser.openTab()).reports(ann)).toHaveLength(1); // control
  browser.viewer = '2';
  await browser.openTab();
  browser.viewer = '1';
  expect((await browser.openTab()).reports(ann)).toEqual([]);
});

test('a post that comes too soon is refused, or waits if its app says so, and AppData goes past it', async () => {
  const browser = createBrowser();
  const tooSoon = { error: new SocialError('RATE_LIMITED', 'Too soon.', { retryAfter: 30 }).toWire() };
  browser.answer = () => tooSoon;
  const tab = await browser.openTab();
  expect(await write(tab, 'refused', post('A'))).toEqual(tooSoon);
  const queued = write(tab, 'queued', post('B'), { queue: true });
  await vi.waitFor(() => expect(tab.reports(ann).at(-1)).toMatchObject({ state: 'waiting' }));
  expect(tab.reports(ann).at(-1)).toEqual({
    id: 'queued',
    operation: 'activities.create',
    state: 'waiting',
    retryAt: browser.nowMs + 30_000,
  });
  browser.answer = () => ({ ok: {} });
  expect(await write(tab, 'saved')).toEqual({ ok: {} });
  browser.nowMs += 30_000;
  tab.wake();
  expect(await queued).toEqual({ ok: {} });
});

test('an app that wants no waiting gets its error at once, and nothing is stored', async () => {
  const browser = createBrowser({ fates: ['before'] });
  const tab = await browser.openTab();
  expect(await write(tab, 'a', save('a'), { offline: 'fail' })).toEqual(offline);
  expect(browser.stored.size).toBe(0);
});

test('an app that gives up a write that waits takes it back; one whose document ended does not', async () => {
  const browser = createBrowser({ fates: ['before', 'before', 'before'] });
  const tab = await browser.openTab();
  const [abandon, ended] = [new AbortController(), new AbortController()];
  const back = tab.add(sessionOf(ann), save('a'), { write: { id: 'a' }, signal: abandon.signal });
  browser.nowMs += 1;
  void tab.add(sessionOf(ann), save('b'), { write: { id: 'b' }, signal: ended.signal });
  await vi.waitFor(() => expect(states(tab)).toEqual(['a waiting', 'b waiting']));
  abandon.abort();
  ended.abort(new SocialError('APP_RELOADED', 'The document of this request was unloaded.'));
  expect(await back).toMatchObject({ error: { code: 499 } });
  expect(states(tab)).toEqual(['b waiting']);
});

test('a write whose app was given up or ended before the outbox was there: the first is taken back, the second made', async () => {
  const browser = createBrowser();
  const tab = await browser.openTab();
  const abandon = AbortSignal.abort(new SocialError('ABORTED', 'The app cancelled the request.'));
  const ended = AbortSignal.abort(new SocialError('APP_RELOADED', 'The document of this request was unloaded.'));
  const send = (id: string, signal: AbortSignal) => tab.add(sessionOf(ann), save(id), { write: { id }, signal });
  expect(await send('a', abandon)).toMatchObject({ error: { code: 499 } });
  expect(await send('b', ended)).toEqual({ ok: {} });
  expect(browser.done()).toEqual(['b']);
});

test('a write of the same id joins the first; something else under it is a CONFLICT', async () => {
  const browser = createBrowser({ fates: ['before'] });
  const tab = await browser.openTab();
  const first = write(tab, 'a');
  await vi.waitFor(() => expect(states(tab)).toEqual(['a waiting']));
  expect(await write(tab, 'a', save('other'))).toMatchObject({ error: { code: 409 } });
  const second = write(tab, 'a');
  expect(await Promise.all([first, second])).toEqual([{ ok: {} }, { ok: {} }]);
  expect(await write(tab, 'a')).toEqual({ ok: {} });
  expect(browser.done()).toEqual(['a']);
});

test('an id that is none is refused', async () => {
  const tab = await createBrowser().openTab();
  for (const id of ['', 'a b', 'x'.repeat(65), 7, null, {}]) {
    expect(await write(tab, id as string)).toMatchObject({ error: { code: 400 } });
  }
});

test('an outbox that is full says so, for that member and app', async () => {
  const browser = createBrowser();
  const tab = await browser.openTab();
  browser.fates = Array.from({ length: 2 * outboxLimits.writes + 10 }, () => 'before');
  for (let n = 0; n < outboxLimits.writes; n += 1) void write(tab, `w${n}`);
  await vi.waitFor(() => expect(states(tab).every((state) => state.endsWith('waiting'))).toBe(true));
  expect(await write(tab, 'more')).toMatchObject({ error: { code: 507, data: { reason: 'STORAGE_FULL' } } });
});

test('signing out leaves nothing, in no tab', async () => {
  const browser = createBrowser({ fates: ['before'] });
  const [one, two] = [await browser.openTab(), await browser.openTab()];
  const answered = write(one, 'a');
  await vi.waitFor(() => expect(states(two)).toEqual(['a waiting']));
  await two.clear();
  expect(await answered).toMatchObject({ error: { code: 499 } });
  expect([states(one), states(two), browser.stored.size]).toEqual([[], [], 0]);
});
