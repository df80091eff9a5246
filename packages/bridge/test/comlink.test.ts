import { expose, wrap } from 'comlink';
import { afterEach, expect, test } from 'vitest';
import { exposeGuarded } from '../src/guard.ts';
import { createRemote, type Remote } from '../src/remote.ts';

// The message format of the port is Comlink's. Nothing of the product uses Comlink; these tests
// keep it a fair partner.
const ports: MessagePort[] = [];
afterEach(() => {
  for (const port of ports.splice(0)) port.close();
});

function channel(): MessageChannel {
  const made = new MessageChannel();
  ports.push(made.port1, made.port2);
  return made;
}

function remoteTo(port: MessagePort): Remote {
  const remote = createRemote(port);
  port.addEventListener('message', ({ data }) => remote.receive(data));
  port.start();
  return remote;
}

const answerOf = (remote: Remote, name: string, ...args: unknown[]) =>
  new Promise((resolve) => remote.call(name, args, resolve));

interface Greeter {
  greet(name: string, options: { readonly loud: boolean }): Promise<string>;
  fail(): Promise<unknown>;
}
const greeter: Greeter = {
  greet: async (name, { loud }) => (loud ? `HELLO ${name}` : `hello ${name}`),
  fail: () => Promise.reject(new Error('secret')),
};
const internal = { error: { code: 500, message: 'The container could not answer.', data: { reason: 'INTERNAL' } } };

test("Comlink's wrap talks to our guard (ADR 11)", async () => {
  const { port1, port2 } = channel();
  exposeGuarded(new Map(Object.entries(greeter)), port1, { onAbuse: () => {} });
  const app = wrap<Greeter>(port2);
  expect(await app.greet('Ann', { loud: true })).toBe('HELLO Ann');
  expect(await app.fail()).toEqual(internal);
});

test("our remote talks to Comlink's expose (ADR 11)", async () => {
  const { port1, port2 } = channel();
  expose(greeter, port1);
  const remote = remoteTo(port2);
  expect(await answerOf(remote, 'greet', 'Ann', { loud: false })).toBe('hello Ann');
  expect(await answerOf(remote, 'fail')).toEqual(internal);
});

test('several calls that wait get each its own answer, in whatever order they come', async () => {
  const { port1, port2 } = channel();
  const settle: ((value: string) => void)[] = [];
  expose({ later: () => new Promise((resolve) => settle.push(resolve)), now: () => 'now' }, port1);
  const remote = remoteTo(port2);
  const answers = [answerOf(remote, 'later'), answerOf(remote, 'later')];
  expect(await answerOf(remote, 'now')).toBe('now');
  settle[1]?.('second');
  settle[0]?.('first');
  expect(await Promise.all(answers)).toEqual(['first', 'second']);
});

test('a message that belongs to no open call is ignored', async () => {
  const { port1, port2 } = channel();
  port1.addEventListener('message', ({ data: { id } }) => {
    for (const value of ['first', 'second']) port1.postMessage({ id, type: 'RAW', value });
  });
  port1.start();
  const remote = remoteTo(port2);
  for (const message of [{}, { id: '1', type: 'RAW', value: 'forged' }, { id: 7 }]) remote.receive(message);
  expect(await answerOf(remote, 'greet')).toBe('first');
  expect(await answerOf(remote, 'greet')).toBe('first');
});

test('arguments that cannot cross the port are an error at once, and the remote works on', async () => {
  const { port1, port2 } = channel();
  expose(greeter, port1);
  const remote = remoteTo(port2);
  expect(() => remote.call('greet', [() => {}], () => {})).toThrow();
  expect(await answerOf(remote, 'greet', 'Bo', { loud: false })).toBe('hello Bo');
});
