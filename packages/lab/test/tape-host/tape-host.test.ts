import type { Tape, TapeEntry } from '@gantry/lab/tape';
import { createTapeHost } from '@gantry/lab/tape-host';
import { expect, test } from 'vitest';

const at = { app: 'notes', place: 'm-1/notes#1' };
const [ann, bo] = [
  { id: 'm-1', displayName: 'Ann' },
  { id: 'm-2', displayName: 'Bo' },
];

function tapeOf(entries: readonly object[], head: Partial<Tape['head']> = {}): Tape {
  const numbered = entries.map((entry, index) => ({ number: index + 1, offsetMs: index * 10, ...at, ...entry }));
  return {
    head: { tape: 1, release: '0', host: 'lab', app: 'notes', scenario: {}, startMs: 0, isRedacted: false, ...head },
    entries: numbered as unknown as readonly TapeEntry[],
  };
}

function open(tape: Tape, pictures?: string) {
  const heard: unknown[] = [];
  const host = createTapeHost(tape, {
    onTime: () => {},
    onEvent: (name) => heard.push(name),
    onContext: (context) => heard.push(context),
    turn: () => new Promise((resolve) => setImmediate(resolve)),
    ...(pictures && { pictures }),
  });
  const ask = (operation: string, params: unknown) => host.answer({ operation, params: JSON.stringify(params) });
  const soon = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  return { host, heard, ask, soon };
}

const twoCalls = [
  { kind: 'call', call: 1, operation: 'people.get', params: { userId: 'm-1' } },
  { kind: 'call', call: 2, operation: 'people.get', params: { userId: 'm-2' } },
  { kind: 'reply', call: 2, ok: bo, tookMs: 5, size: 9 },
  { kind: 'reply', call: 1, ok: ann, tookMs: 9, size: 9 },
];

test('replies come in the recorded order, and wait for the calls recorded before them', async () => {
  const { host, ask, heard, soon } = open(tapeOf(twoCalls));
  void ask('people.get', { userId: 'm-1' }).then((reply) => heard.push(reply));
  await soon();
  expect(heard).toEqual([]);
  void ask('people.get', { userId: 'm-2' }).then((reply) => heard.push(reply));
  expect(await host.finished(soon())).toEqual({ isFinished: true, done: 4, steps: 4 });
  expect(heard).toEqual([{ ok: bo }, { ok: ann }]);
});

test('a push follows its call, and an event of the site stays in its place; those of the page are left to the page', async () => {
  const { host, heard, soon } = open(
    tapeOf([
      ...twoCalls.slice(0, 1),
      { kind: 'event', name: 'visibility', data: {} },
      { kind: 'event', name: 'write', data: {} },
      { kind: 'push', call: 1, ok: ann, size: 9 },
    ]),
  );
  const request = { operation: 'people.get', params: '{"userId":"m-1"}' };
  host.watch(request, (reply) => heard.push(reply));
  void host.answer(request);
  expect((await host.finished(soon())).isFinished).toBe(true);
  expect(heard).toEqual(['write', { ok: ann }]);
});

test('a recorded refusal is a refusal again', async () => {
  const error = { code: 429, message: 'later', data: { reason: 'RATE_LIMITED' } };
  const { ask } = open(tapeOf([...twoCalls.slice(0, 1), { kind: 'reply', call: 1, error, tookMs: 1, size: 1 }]));
  expect(await ask('people.get', { userId: 'm-1' })).toEqual({ error });
});

test('an app that changes a reply does not change the tape', async () => {
  const tape = tapeOf([...twoCalls.slice(0, 1), { kind: 'reply', call: 1, ok: ann, tookMs: 1, size: 1 }]);
  const reply = (await open(tape).ask('people.get', { userId: 'm-1' })) as { ok: { displayName: string } };
  reply.ok.displayName = 'changed';
  expect(await open(tape).ask('people.get', { userId: 'm-1' })).toEqual({ ok: ann });
});

test('pictures of replies load from where the replay is, and the app may send their addresses back (kit)', async () => {
  const picture = 'https://aaa.zzz/a b.png';
  const items = [
    { type: 'IMAGE', url: picture, thumbnailUrl: picture },
    { displayName: 'A', thumbnailUrl: '' },
  ];
  const recorded = [
    { kind: 'call', call: 1, operation: 'albums.getPhotos', params: {} },
    { kind: 'reply', call: 1, ok: { list: items }, tookMs: 1, size: 1 },
    { kind: 'call', call: 2, operation: 'activities.create', params: { activity: { title: 'x', url: picture } } },
  ];
  const { host, ask, soon } = open(tapeOf(recorded), 'http://kit');
  const shown = 'http://kit/pictures/https-aaa.zzz-a-b.png.svg';
  expect(await ask('albums.getPhotos', {})).toEqual({
    ok: { list: [{ type: 'IMAGE', url: shown, thumbnailUrl: shown }, items[1]] },
  });
  void ask('activities.create', { activity: { title: 'x', url: shown } });
  expect((await host.finished(soon())).isFinished).toBe(true);
});

test('another call is a mismatch with the calls around it, and ends the replies', async () => {
  const { host, ask, soon } = open(tapeOf(twoCalls));
  const first = ask('people.get', { userId: 'm-1' });
  await ask('people.get', { userId: 'm-3' });
  expect(await first).toMatchObject({ error: { data: { reason: 'UNAVAILABLE' } } });
  const { mismatch } = await host.finished(soon());
  expect(mismatch?.kind).toBe('other');
  expect(mismatch?.diff).toBe(
    '  1 people.get {"userId":"m-1"}\n- 2 people.get {"userId":"m-2"}\n+ 2 people.get {"userId":"m-3"}',
  );
});

test('a call too many, and one too few, are mismatches', async () => {
  const few = open(tapeOf(twoCalls));
  expect((await few.host.finished(few.soon())).mismatch).toMatchObject({ kind: 'missing' });
  const many = open(tapeOf([]));
  await many.ask('people.get', {});
  expect((await many.host.finished(many.soon())).mismatch).toMatchObject({ kind: 'extra', diff: '+ 1 people.get {}' });
});

test('a second load gets the next context; a third that the tape has not is a mismatch', async () => {
  const greeting = (view: string) => [
    { kind: 'handshake', capabilities: [] },
    { kind: 'context', context: { view } },
  ];
  const { host, soon } = open(tapeOf([...greeting('home'), ...greeting('profile')]));
  expect(host.nextContext()).toEqual({ view: 'home' });
  host.greet();
  expect(host.nextContext()).toEqual({ view: 'profile' });
  host.greet();
  expect((await host.finished(soon())).isFinished).toBe(true);
  host.greet();
  expect(host.report().mismatch?.message).toBe('The app loaded again: the tape has it load 2 times.');
});

test('the diff shows no character that steers a terminal (security rule 25)', async () => {
  const { host, ask, soon } = open(
    tapeOf([{ kind: 'call', call: 1, operation: 'people.get\u001b[2J', params: { a: '\u202e\u009b31m' } }]),
  );
  await ask('other', {});
  expect((await host.finished(soon())).mismatch?.diff).not.toMatch(/(?!\n)\p{C}/u);
});

test('time advances before the call that it may cause, and never goes back', () => {
  const times: number[] = [];
  const late = [{ kind: 'call', call: 1, operation: 'a', params: {}, offsetMs: 30_000 }];
  const tape = tapeOf([
    { kind: 'context', context: {}, offsetMs: 40 },
    { kind: 'context', context: {}, offsetMs: 20 },
    ...late,
  ]);
  const host = createTapeHost(tape, {
    onTime: (offsetMs) => times.push(offsetMs),
    onEvent: () => {},
    onContext: () => {},
    turn: () => Promise.resolve(),
  });
  return host.finished(new Promise((resolve) => setImmediate(resolve))).then(() => {
    expect(times).toEqual([40, 40, 30_000]);
  });
});
