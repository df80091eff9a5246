import { expect, test } from 'vitest';
import { readConsole } from '../src/site-mode/read-console.ts';
import { createPortReader } from '../src/site-mode/read-port.ts';

const read = () => {
  let calls = 0;
  const nextCall = () => {
    calls += 1;
    return calls;
  };
  return createPortReader({ hello: {}, at: { app: 'a', place: 'a#1' }, nextCall });
};
const request = (id: string, ...items: readonly unknown[]) => ({ id, name: 'request', args: [JSON.stringify(items)] });

test('a batch that the page refuses as a whole is no call (docs/bridge-protocol.md)', () => {
  const port = read();
  port.in(request('1', [1, 'people.get', '{}']), 0);
  expect(port.out({ id: '1', type: 'RAW', value: { error: { code: 413, message: '' } } }, 1)).toEqual([]);
  port.in(request('2', [1, 'people.get', '{}']), 2);
  expect(port.out({ id: '2', type: 'RAW', value: [] }, 2)).toMatchObject([{ kind: 'call', call: 1 }]); // control
});

test('a call that its app gave up has one reply', () => {
  const port = read();
  port.in(request('1', [7, 'people.get', '{}']), 0);
  port.out({ id: '1', type: 'RAW', value: [] }, 0);
  expect(port.in({ id: '2', name: 'cancel', args: [[7]] }, 5)).toMatchObject([{ kind: 'reply', call: 1, tookMs: 5 }]);
  expect(port.out({ gantry: 'replies', replies: [[7, null, {}]] }, 6)).toEqual([]);
});

test.each([
  ['text', null],
  ['no list', { id: '1', name: 'request', args: 'x' }],
  ['a batch that is no list', { id: '1', name: 'request', args: ['{"length":2}'] }],
  ['an item that is no list', { id: '1', name: 'request', args: ['[null,1]'] }],
  ['text that is no JSON', { id: '1', name: 'request', args: ['['] }],
  ['a name such as __proto__', { id: '1', name: '__proto__', args: [] }],
])('%s from an app throws nothing and yields no call (security rule 18)', (_, message) => {
  const port = read();
  port.in(message, 0);
  expect(port.out({ id: '1', type: 'RAW', value: [] }, 0)).toEqual([]);
});

test('lines of Chromium about policy and sandbox are refusals, and those of an app lines', () => {
  const line = (type: 'error' | 'log', text: string) => readConsole({ type: () => type, text: () => text });
  const policy =
    "Connecting to 'https://e.example/' violates the following Content Security Policy directive: \"connect-src 'none'\". The action has been blocked.";
  expect(line('error', policy)).toEqual({ kind: 'policy', directive: 'connect-src', blocked: 'https://e.example/' });
  expect(line('log', policy)).toEqual({ kind: 'console', level: 'log', text: policy });
  const sandbox = "Ignored call to 'alert()'. The document is sandboxed, and the 'allow-modals' keyword is not set.";
  expect(line('error', sandbox)).toEqual({ kind: 'sandbox', name: 'alert' });
});
