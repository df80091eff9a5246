import type { Call, Reply } from '@gantry/wire';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import type { Rollback } from '../../src/gadget.ts';
import { overlayOf } from '../../src/results/optimistic.ts';
import type { Token } from '../network.ts';
import { createSetting, mountOne, notes, post, save, stream, type TestGadget, tick } from '../setting.ts';

const ownStream = { operation: 'activities.get', params: {} };
const refused: Reply = { error: { code: 403, message: 'No.', data: { reason: 'FORBIDDEN' } } };
const lost: Reply = { error: { code: 503, message: 'Down.', data: { reason: 'UNAVAILABLE' } } };

/** A gadget with a cached result, whose writes wait for `answerWrite`. */
async function writing(options: { readonly read: typeof notes; readonly result: unknown; readonly app?: string }) {
  const setting = createSetting();
  const { network, newPage, mount } = setting;
  const answers: ((reply: Reply) => void)[] = [];
  const site = { result: options.result };
  network.site = ({ operation }) => {
    if (operation.endsWith('.get')) return { ok: site.result };
    return new Promise((resolve) => answers.push(resolve));
  };
  const container = newPage();
  const gadget = await mount(container, options.app);
  await gadget.answer(options.read);
  const shown: unknown[] = [];
  const marks: unknown[] = [];
  gadget.watch(options.read, (reply) => {
    shown.push('ok' in reply ? reply.ok : reply);
    marks.push('ok' in reply && reply.meta?.pending);
  });
  const rollbacks: Rollback[] = [];
  gadget.onRollback((rollback) => rollbacks.push(rollback));
  const answerWrite = async (reply: Reply) => {
    await vi.waitFor(() => expect(answers).not.toEqual([]));
    answers.shift()?.(reply);
  };
  return { ...setting, container, gadget, site, shown, marks, rollbacks, answerWrite };
}

test('AppData that is written is shown at once, and said to be pending', async () => {
  const { gadget, shown, answerWrite } = await writing({ read: notes, result: { '1': { a: '0', b: '0' } } });
  const written = gadget.answer(save);
  await vi.waitFor(() => expect(shown).toEqual([{ '1': { a: '1', b: '0' } }]));
  expect(gadget.answer(notes)).toEqual({
    ok: { '1': { a: '1', b: '0' } },
    meta: { ageMs: 0, source: 'cache', stale: true, pending: true },
  });
  await answerWrite({ ok: {} });
  expect(await written).toEqual({ ok: {} });
});

test('the site’s result of a write replaces the optimistic one', async () => {
  const { gadget, shown, marks, site, answerWrite } = await writing({ read: notes, result: { '1': {} } });
  const written = gadget.answer(save);
  site.result = { '1': { a: '1', z: 'by another page' } };
  await answerWrite({ ok: {} });
  await written;
  await vi.waitFor(() => expect(shown.at(-1)).toEqual({ '1': { a: '1', z: 'by another page' } }));
  expect(shown.slice(0, 2)).toEqual([{ '1': { a: '1' } }, { '1': { a: '1' } }]);
  expect(marks).toEqual([true, undefined, undefined]);
});

test('a write that is refused is taken back, with an event', async () => {
  const { gadget, shown, rollbacks, answerWrite } = await writing({ read: notes, result: { '1': { a: '0' } } });
  const written = gadget.answer(save);
  await vi.waitFor(() => expect(shown).toHaveLength(1));
  await answerWrite(refused);
  expect(await written).toEqual(refused);
  expect(shown).toEqual([{ '1': { a: '1' } }, { '1': { a: '0' } }]);
  expect(rollbacks).toEqual([
    { operation: 'appdata.update', params: { data: { a: '1' } }, error: (refused as { error: object }).error },
  ]);
});

test('keys that are deleted are gone at once, all of them where none is named', async () => {
  const { gadget, shown, answerWrite } = await writing({ read: notes, result: { '1': { a: '0', b: '0' } } });
  const first = gadget.answer({ operation: 'appdata.delete', params: { keys: 'a' } });
  await vi.waitFor(() => expect(shown).toEqual([{ '1': { b: '0' } }]));
  await answerWrite(refused);
  await first;
  void gadget.answer({ operation: 'appdata.delete', params: { keys: '*' } });
  await vi.waitFor(() => expect(shown).toEqual([{ '1': { b: '0' } }, { '1': { a: '0', b: '0' } }, { '1': {} }]));
});

test('a read that named keys shows no others', async () => {
  const { gadget, shown } = await writing({
    read: { operation: 'appdata.get', params: { keys: 'a' } },
    result: { '1': {} },
  });
  void gadget.answer({ operation: 'appdata.update', params: { data: { a: '1', b: '1' } } });
  await vi.waitFor(() => expect(shown).toEqual([{ '1': { a: '1' } }]));
});

test('keys such as __proto__ are data (security rule 19)', async () => {
  const { gadget, shown } = await writing({ read: notes, result: { '1': {} } });
  void gadget.answer({ operation: 'appdata.update', params: { data: '{"__proto__":"x","constructor":"y"}' } });
  await vi.waitFor(() => expect(JSON.stringify(shown)).toBe('[{"1":{"__proto__":"x","constructor":"y"}}]'));
  expect(({} as { x?: unknown }).x).toBeUndefined();
});

test('a refused write leaves another write to the same key', async () => {
  const { gadget, shown, answerWrite } = await writing({ read: notes, result: { '1': { a: '0' } } });
  void gadget.answer(save);
  void gadget.answer({ operation: 'appdata.update', params: { data: { a: '2' } } });
  await vi.waitFor(() => expect(shown).toEqual([{ '1': { a: '2' } }])); // both at once
  await answerWrite(refused);
  expect(gadget.answer(notes)).toMatchObject({ ok: { '1': { a: '2' } } });
  await answerWrite(refused);
  await vi.waitFor(() => expect(shown.slice(1)).toEqual([{ '1': { a: '0' } }]));
});

test('a fresh result that arrives meanwhile is shown with the write over it', async () => {
  const { gadget, shown, site, container } = await writing({ read: notes, result: { '1': { a: '0' } } });
  void gadget.answer(save);
  site.result = { '1': { a: '0', b: 'new' } };
  container.invalidate([{ topic: 'appData', member: '1' }]);
  await vi.waitFor(() => expect(shown.at(-1)).toEqual({ '1': { a: '1', b: 'new' } }));
});

test('an activity is on top of its member’s stream at once, marked, until the site gives it an id', async () => {
  const old = { id: '9', userId: '1', title: 'Old', postedTime: '2026-01-01T00:00:00+00:00' };
  const list = (...items: object[]) => ({ list: items, startIndex: 0, totalResults: items.length, itemsPerPage: 20 });
  const { gadget, shown, site, answerWrite } = await writing({ read: ownStream, result: list(old) });
  const written = gadget.answer(post);
  const pending = {
    id: expect.stringMatching(/^pending:\w+$/),
    userId: '1',
    title: 'Hello',
    postedTime: '2026-09-21T14:13:20+00:00',
    pending: true,
  };
  await vi.waitFor(() => expect(shown).toEqual([list(pending, old)]));
  const posted = { id: '10', userId: '1', title: 'Hello', postedTime: '2026-09-21T14:13:21+00:00' };
  site.result = list(posted, old);
  await answerWrite({ ok: posted });
  await written;
  expect(shown).toEqual([list(pending, old), list(posted, old)]);
  expect(await gadget.answer(ownStream)).toMatchObject({ ok: list(posted, old), meta: { source: 'network' } });
});

test.for(['before', 'after'])('a post that a result shows %s its reply is never shown twice', async (order) => {
  const at = (seconds: string) => `2026-09-21T14:13:${seconds}+00:00`;
  const list = (...items: object[]) => ({ list: items, startIndex: 0, totalResults: items.length, itemsPerPage: 20 });
  const old = { id: '8', userId: '1', title: 'Hello', postedTime: '2026-09-21T13:00:00+00:00' };
  const friends = { id: '9', userId: '2', title: 'Hello', postedTime: at('20') };
  const setting = await writing({ read: ownStream, result: list(friends, old) });
  const { gadget, container, shown, site, answerWrite } = setting;
  const written = gadget.answer(post);
  await vi.waitFor(() => expect(shown).toMatchObject([list({ pending: true }, friends, old)])); // neither of these is the post
  const posted = { id: '10', userId: '1', title: order === 'before' ? 'Hello' : 'Hello!', postedTime: at('21') };
  site.result = list(posted, friends, old);
  if (order === 'after') await answerWrite({ ok: posted });
  container.invalidate([{ topic: 'activities', member: '1' }]);
  await vi.waitFor(() => expect(shown).toHaveLength(2));
  if (order === 'before') await answerWrite({ ok: posted });
  await written;
  expect(new Set(shown.slice(1).map((value) => JSON.stringify(value)))).toEqual(
    new Set([JSON.stringify(list(posted, friends, old))]),
  );
});

test('a posting that comes too soon is taken back', async () => {
  const empty = { list: [], startIndex: 0, totalResults: 0, itemsPerPage: 20 };
  const { gadget, shown, rollbacks, answerWrite } = await writing({ read: ownStream, result: empty });
  const written = gadget.answer(post);
  await vi.waitFor(() => expect(shown).toHaveLength(1));
  const tooSoon = { error: { code: 429, message: 'Later.', data: { reason: 'RATE_LIMITED', retryAfter: 30 } } };
  await answerWrite(tooSoon);
  expect(await written).toEqual(tooSoon);
  expect(shown.at(-1)).toEqual(empty);
  expect(rollbacks).toMatchObject([{ operation: 'activities.create', error: { code: 429 } }]);
});

test.each([
  ['a stream of friends in which the member is', { userId: '7', groupId: '@friends' }, '1', true],
  ['a stream of friends in which the member is not', { userId: '7', groupId: '@friends' }, '8', false],
  ['a later page', { startIndex: 20 }, '1', false],
  ['another member’s stream', { userId: '8' }, '8', false],
])('an activity is shown at once in some lists: %s', async (_, params, userId, isShown) => {
  const old = { id: '9', userId, title: 'Old', postedTime: '2026-01-01T00:00:00+00:00' };
  const read = { operation: 'activities.get', params };
  const { gadget } = await writing({ read, result: { list: [old], startIndex: 0, totalResults: 1, itemsPerPage: 20 } });
  void gadget.answer(post);
  expect('pending' in ((await gadget.answer(read)) as { meta: object }).meta).toBe(isShown);
});

test('results of an unexpected shape stay as they are', async () => {
  for (const result of [null, 'text', [], { list: [null, 3] }, { '1': null }, { '1': 'text' }]) {
    const { gadget } = await writing({ read: notes, result });
    await gadget.answer(ownStream);
    void gadget.answer(save);
    void gadget.answer(post);
    expect(await gadget.answer(notes)).toHaveProperty('ok');
    expect(await gadget.answer(ownStream)).toHaveProperty('ok');
  }
});

test('a write is shown to no other app and to no other viewer (security rule 14)', async () => {
  const { container, gadget, mount, network } = await writing({ read: notes, result: { '1': { a: '0' } } });
  const [other, onOtherPage] = await Promise.all([mount(container, 'other'), mount(container, 'friends', '7')]);
  await other.answer(notes);
  await onOtherPage.answer(notes);
  void gadget.answer(save);
  await vi.waitFor(() => expect(gadget.answer(notes)).toMatchObject({ ok: { '1': { a: '1' } } }));
  expect(onOtherPage.answer(notes)).toMatchObject({ ok: { '1': { a: '1' } } });
  expect(other.answer(notes)).toEqual({ ok: { '1': { a: '0' } }, meta: { ageMs: 0, source: 'cache' } });
  network.viewer = '2';
  const next = await mount(container);
  expect(await next.answer(notes)).toMatchObject({ ok: { '1': { a: '0' } }, meta: { source: 'network' } });
});

test('a write touches no result of another upstream, app, viewer or service (security rule 14)', () => {
  const id = fc.constantFrom('1', '2');
  const scope = fc.record({ upstream: id, app: id, viewer: id, owner: id, since: fc.constant(0) });
  const path = fc.tuple(fc.constantFrom('appData', 'activities'), id, fc.constantFrom('@self', '@friends'), id);
  const request = path.map((segments) => ({
    operation: segments[0] === 'appData' ? ('appData.getSelf' as const) : ('activities.getSelfByApp' as const),
    method: 'GET' as const,
    segments,
    query: [],
  }));
  let touched = 0;
  fc.assert(
    fc.property(scope, scope, request, request, (writer, reader, written, read) => {
      const value = { '1': { a: '0' }, '2': { a: '0' }, list: [{ userId: '1' }] };
      const write = { ...written, body: { a: '1', title: 'Hello' } };
      const overlay = overlayOf([{ write: { id: '1', atMs: 0, scope: writer, request: write } }]);
      const shown = overlay({ scope: reader, request: read }, value);
      if (shown === value) return;
      touched += 1;
      expect({ ...reader, owner: '' }).toEqual({ ...writer, owner: '' });
      expect(write.segments[1]).toBe(writer.viewer);
      expect(read.segments[0]).toBe(write.segments[0]);
      const other = writer.viewer === '1' ? '2' : '1';
      expect((shown as typeof value)[other]).toBe(value[other]);
    }),
    { numRuns: 5_000 },
  );
  expect(touched).toBeGreaterThan(20); // control
});

test('while the site is out of reach, who wrote gets the older result, marked stale', async () => {
  const { network, clock, gadget } = await mountOne();
  network.site = () => ({ ok: { '1': { a: '0' } } });
  await gadget.answer(notes);
  await gadget.answer({ operation: 'appdata.update', params: { data: {} } });
  network.site = () => lost;
  clock.nowMs += 1_000;
  expect(await gadget.answer(notes)).toEqual({
    ok: { '1': { a: '0' } },
    meta: { ageMs: 1_000, source: 'cache', stale: true },
  });
  expect(await gadget.answer(stream)).toEqual(lost);
});

test('in whatever order writes and reads end, all pages come to show what the site has', async () => {
  const keys = fc.constantFrom('a', 'b', '__proto__');
  const step = fc.oneof(
    fc.record({
      kind: fc.constant('update'),
      app: fc.constantFrom('one', 'two'),
      data: fc.dictionary(keys, fc.constantFrom('1', '2')),
    }),
    fc.record({ kind: fc.constant('delete'), app: fc.constantFrom('one', 'two'), key: keys }),
    fc.record({ kind: fc.constant('read'), app: fc.constantFrom('one', 'two') }),
    fc.record({ kind: fc.constant('invalidate') }),
    fc.record({
      kind: fc.constant('answer'),
      nth: fc.nat(5),
      how: fc.constantFrom('done', 'refused', 'lost before', 'lost after'),
    }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step as fc.Arbitrary<Step>, { maxLength: 20 }), async (steps) => {
      const model = createModel();
      const { network, newPage, mount } = createSetting();
      network.site = model.site;
      const container = newPage();
      const gadgets: Record<string, TestGadget> = {};
      const shown: Record<string, unknown> = {};
      for (const app of ['one', 'two']) {
        const gadget = await mount(container, app);
        gadgets[app] = gadget;
        gadget.watch(notes, (reply) => {
          shown[app] = (reply as { ok: unknown }).ok;
        });
        void gadget.answer(notes);
      }
      for (const step of steps) {
        const gadget = gadgets[step.app ?? 'one'] as TestGadget;
        if (step.kind === 'update')
          void gadget.answer({ operation: 'appdata.update', params: { data: JSON.stringify(step.data) } });
        if (step.kind === 'delete') void gadget.answer({ operation: 'appdata.delete', params: { keys: step.key } });
        if (step.kind === 'read') void gadget.answer(notes);
        if (step.kind === 'invalidate') container.invalidate([{ topic: 'appData', member: '1' }]);
        if (step.kind === 'answer') model.answer(step.nth ?? 0, step.how ?? 'done');
        await tick();
      }
      for (const app of ['one', 'two']) {
        await vi.waitFor(async () => {
          await model.answerAll();
          const reply = gadgets[app]?.answer(notes);
          await model.answerAll();
          const result = (await reply) as { ok: unknown; meta: object };
          expect(JSON.stringify(result.ok)).toBe(JSON.stringify({ '1': model.data(app) }));
          expect(result.meta).toEqual({ ageMs: 0, source: expect.any(String) });
          expect(JSON.stringify(shown[app])).toBe(JSON.stringify(result.ok));
        });
      }
    }),
    { numRuns: 60 },
  );
});

interface Step {
  readonly kind: string;
  readonly app?: string;
  readonly data?: Readonly<Record<string, string>>;
  readonly key?: string;
  readonly nth?: number;
  readonly how?: string;
}

/** A site with AppData of one member and two apps, whose answers wait to be given. */
function createModel() {
  const stored = new Map<string, Map<string, string>>();
  const waiting: ((how: string) => void)[] = [];
  const data = (app: string) => Object.fromEntries([...(stored.get(app) ?? [])].sort());

  function apply({ operation, params }: Call, { app }: Token): void {
    const values = stored.get(app) ?? new Map<string, string>();
    stored.set(app, values);
    if (operation === 'appdata.delete') values.delete(params.keys as string);
    else for (const [key, value] of Object.entries(JSON.parse(params.data as string))) values.set(key, value as string);
  }

  return {
    data,
    site: (call: Call, token: Token) =>
      new Promise<Reply>((resolve) => {
        const isRead = call.operation === 'appdata.get';
        const early = { '1': data(token.app) }; // read on arrival, answered later
        waiting.push((how) => {
          if (isRead) resolve({ ok: early });
          else {
            if (how === 'done' || how === 'lost after') apply(call, token);
            resolve(how === 'done' ? { ok: {} } : how === 'refused' ? refused : lost);
          }
        });
      }),
    answer(nth: number, how: string) {
      waiting.splice(nth, 1)[0]?.(how);
    },
    async answerAll() {
      for (let idle = 0; idle < 4; idle += 1) {
        if (waiting.length > 0) idle = 0;
        for (const answer of waiting.splice(0)) answer('done');
        await tick();
      }
    },
  };
}
