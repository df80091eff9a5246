import { expect, test } from 'vitest';
import { waitUntil } from '../page/wait-until.ts';
import { watchConversation } from '../page/watch-conversation.ts';

function clockOfFrames() {
  let atMs = 0;
  const nextFrame = async (): Promise<void> => {
    atMs += 16;
  };
  return { now: () => atMs, nextFrame };
}

test('a wait ends after as many quiet frames in a row as it asks for', async () => {
  const turns = [['a'], [], ['b'], [], []];
  const left = await waitUntil({ missing: () => turns.shift() ?? [], frames: 2, limitMs: 1_000, ...clockOfFrames() });
  expect(left).toEqual([]);
  expect(turns).toEqual([]);
});

test('a wait that passes its limit says what was missing last', async () => {
  const left = await waitUntil({
    missing: () => ['1 call open: people.get'],
    frames: 2,
    limitMs: 50,
    ...clockOfFrames(),
  });
  expect(left).toEqual(['1 call open: people.get']);
});

test('calls are open until their reply, and writes until they are done', () => {
  const { observe, openCalls, waitingWrites, messages } = watchConversation();
  const at = { app: 'notes', place: 'notes#1' };
  const write = (state: string): void =>
    observe({ ...at, kind: 'event', name: 'write', data: { id: '1', operation: 'appdata.update', state } });
  observe({ ...at, kind: 'call', call: 1, operation: 'people.get', params: {} });
  observe({ ...at, kind: 'call', call: 2, operation: 'appdata.update', params: {} });
  write('waiting');
  expect(openCalls()).toEqual(['people.get', 'appdata.update']);
  expect(waitingWrites()).toEqual(['appdata.update']);
  observe({ ...at, kind: 'reply', call: 1, ok: {}, tookMs: 1, size: 2 });
  write('done');
  expect(openCalls()).toEqual(['appdata.update']);
  expect(waitingWrites()).toEqual([]);
  observe({ ...at, kind: 'load', what: 'start' });
  expect(openCalls()).toEqual([]);
  expect(messages()).toBe(6);
});
