import { expose } from 'comlink';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Abuse, exposeGuarded } from '../src/guard.ts';

/**
 * A port whose messages the test delivers itself, so that they can hold what structured cloning
 * would never let through.
 */
function openPort() {
  const posted: unknown[] = [];
  const port = Object.assign(new EventTarget(), {
    start: () => {},
    close: () => {},
    postMessage: (message: unknown) => posted.push(structuredClone(message)),
  });
  const send = (data: unknown, ports: unknown[] = []): void => {
    port.dispatchEvent(Object.assign(new Event('message'), { data, ports }));
  };
  return { port: port as unknown as MessagePort, posted, send };
}

function guarded({ now = () => 0, messagesPerSecond }: { now?: () => number; messagesPerSecond?: number } = {}) {
  const calls: unknown[][] = [];
  const abuses: Abuse[] = [];
  const { port, posted, send } = openPort();
  const greet = (...args: unknown[]): string => {
    calls.push(args);
    return 'hello';
  };
  exposeGuarded(new Map([['greet', greet]]), port, {
    now,
    messagesPerSecond,
    onAbuse: (abuse) => abuses.push(abuse),
  });
  return { calls, abuses, posted, send };
}

/** A method may answer later. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

const call = (...values: unknown[]) => ({
  id: 'a',
  type: 'APPLY',
  path: ['greet'],
  argumentList: values.map((value) => ({ type: 'RAW', value })),
});

test('a well-formed call is answered', async () => {
  const { calls, posted, send } = guarded();
  send(call('x', { deep: [1, null, true, undefined] }));
  await settled();
  expect(calls).toEqual([['x', { deep: [1, null, true, undefined] }]]);
  expect(posted).toEqual([{ id: 'a', type: 'RAW', value: 'hello' }]);
});

const malformed: [string, unknown][] = [
  ...['GET', 'SET', 'CONSTRUCT', 'ENDPOINT', 'RELEASE', 'apply', undefined].map((type): [string, unknown] => [
    `type ${type}`,
    { ...call(), type, value: { type: 'RAW', value: 1 } },
  ]),
  ...[[], ['greet', 'constructor'], ['constructor'], ['__proto__'], ['toString'], [['greet']], 'greet', undefined].map(
    (path): [string, unknown] => [`path ${JSON.stringify(path)}`, { ...call(), path }],
  ),
  ...['', 'x'.repeat(129), 1, null, {}, undefined].map((id): [string, unknown] => [
    `id ${String(id).slice(0, 20)}`,
    { ...call(), id },
  ]),
  ['an argument that is a HANDLER', { ...call(), argumentList: [{ type: 'HANDLER', name: 'proxy', value: {} }] }],
  ['an argument of an unknown type', { ...call(), argumentList: [{ type: 'PROXY', value: {} }] }],
  ['an argument that is null', { ...call(), argumentList: [null] }],
  ['no argument list', { ...call(), argumentList: undefined }],
  ['three arguments', call(1, 2, 3)],
  ['an array', [call()]],
  ['text', 'greet'],
  [
    'a class',
    new (class Call {
      id = 'a';
      type = 'APPLY';
      path = ['greet'];
      argumentList = [];
    })(),
  ],
];
test.for(malformed)('a message with %s reaches no method and gets no answer (security rule 1)', async ([, data]) => {
  const { calls, posted, send } = guarded();
  send(data);
  await settled();
  expect([calls, posted]).toEqual([[], []]);
});

test('a transferred port is never accepted (security rule 1)', async () => {
  const { calls, posted, send } = guarded();
  send(call(), [{}]);
  await settled();
  expect([calls, posted]).toEqual([[], []]);
});

test.for<[string, unknown]>([
  ['a function', () => {}],
  ['a symbol', Symbol('x')],
  ['a bigint', 1n],
  ['a Date', new Date(0)],
  ['a Map', new Map()],
  ['a buffer', new ArrayBuffer(8)],
  ['a typed array', new Uint8Array(8)],
  ['an error', new Error('x')],
  ['an object of a class', Object.create({ inherited: true })],
])('an argument that is %s is refused (security rule 1: plain data)', async ([, value]) => {
  const { calls, posted, send } = guarded();
  send(call({ inner: value }));
  await settled();
  expect(calls).toEqual([]);
  expect(posted).toMatchObject([{ id: 'a', value: { error: { code: 400, data: { reason: 'BAD_REQUEST' } } } }]);
});

const cycle: Record<string, unknown> = {};
cycle.itself = cycle;
test.for<[string, unknown]>([
  ['deep', Array.from({ length: 65 }).reduce((inner) => [inner], 0)],
  ['cyclic', cycle],
  ['long', 'x'.repeat(8 * 1024 * 1024 + 1)],
  ['wide', Array.from({ length: 200_001 }, () => 0)],
  ['all holes', new Array(2 ** 32 - 1)],
  ['exponential', Array.from({ length: 40 }).reduce((inner) => [inner, inner], 0)],
])('an argument that is too %s is refused with TOO_LARGE (security rule 1: depth and size)', async ([, value]) => {
  const { calls, posted, send } = guarded();
  send(call(value));
  await settled();
  expect(calls).toEqual([]);
  expect(posted).toMatchObject([{ id: 'a', value: { error: { code: 413, data: { reason: 'TOO_LARGE' } } } }]);
});

test('the call is a checked copy: a getter is read once, later changes have no effect', async () => {
  const { calls, send } = guarded();
  let reads = 0;
  const value = { list: [1] };
  send(
    call({
      get value() {
        reads += 1;
        return value;
      },
    }),
  );
  value.list.push(2);
  await settled();
  expect([calls, reads]).toEqual([[[{ value: { list: [1] } }]], 1]);
});

test('a key __proto__ is data (security rule 19)', async () => {
  const { calls, send } = guarded();
  send(call(JSON.parse('{"__proto__":{"polluted":true}}')));
  await settled();
  expect(JSON.stringify(calls)).toBe('[[{"__proto__":{"polluted":true}}]]');
  expect(Object.getPrototypeOf(calls[0]?.[0])).toBe(Object.prototype);
});

test('arbitrary junk never throws, never calls, never pollutes (security rule 1)', async () => {
  const junk = fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withNullPrototype: true,
    withObjectString: true,
    withSet: true,
    withSparseArray: true,
    withTypedArray: true,
  });
  const near = fc.record(
    {
      id: fc.oneof(fc.string(), junk),
      type: fc.oneof(fc.constantFrom('APPLY', 'GET', 'SET', 'CONSTRUCT', 'ENDPOINT', 'RELEASE'), junk),
      path: fc.oneof(fc.array(fc.constantFrom('greet', 'constructor', '__proto__', 'prototype', 'call')), junk),
      argumentList: fc.oneof(
        fc.array(fc.record({ type: fc.constantFrom('RAW', 'HANDLER'), name: fc.constant('proxy'), value: junk })),
        junk,
      ),
      value: junk,
    },
    { requiredKeys: [] },
  );
  const names = Object.getOwnPropertyNames(Object.prototype);
  await fc.assert(
    fc.asyncProperty(fc.oneof(junk, near), async (data) => {
      const { calls, posted, send } = guarded();
      send(data);
      await settled();
      const call = data as { id?: string; type?: string; path?: string[] } | null | undefined;
      const allowed = call?.type === 'APPLY' && call.path?.length === 1 && call.path[0] === 'greet';
      expect(calls.length === 0 || allowed).toBe(true);
      for (const message of posted) expect(message).toMatchObject({ id: call?.id, type: 'RAW' });
      expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(names);
    }),
    { numRuns: 2_000 },
  );
});

test('positive control: plain Comlink.expose hands out a Function of the page and lets prototypes be written', async () => {
  const { port, posted, send } = openPort();
  const target = Object.freeze({ greet: () => 'hello' });
  expose(target, port);
  send({
    id: 'a',
    type: 'APPLY',
    path: ['greet', 'constructor'],
    argumentList: [{ type: 'RAW', value: 'return 6 * 7' }],
  });
  await settled();
  expect(posted).toMatchObject([{ id: 'a', type: 'HANDLER' }]); // a function is not cloneable
  send({ id: 'b', type: 'SET', path: ['greet', '__proto__', 'polluted'], value: { type: 'RAW', value: true } });
  expect(Reflect.get(() => {}, 'polluted')).toBe(true);
  Reflect.deleteProperty(Function.prototype, 'polluted');
});

test('a value that cannot be cloned is a 500, never a stack (security rule 1)', async () => {
  const { port, posted, send } = openPort();
  exposeGuarded(new Map([['greet', () => () => {}]]), port, { onAbuse: () => {} });
  send(call());
  await settled();
  expect(posted).toEqual([
    {
      id: 'a',
      type: 'RAW',
      value: { error: { code: 500, message: 'The container could not answer.', data: { reason: 'INTERNAL' } } },
    },
  ]);
});

test('the hundredth malformed message ends the port (security rule 1)', async () => {
  const { calls, abuses, send } = guarded();
  for (let count = 0; count < 99; count += 1) send('junk');
  send(call());
  expect(abuses).toEqual([]);
  send('junk');
  send('junk');
  send(call());
  await settled();
  expect([abuses, calls.length]).toEqual([['malformed'], 1]);
});

test('a flood is refused with RATE_LIMITED, then ends the port (security rule 6)', async () => {
  let seconds = 0;
  const { calls, abuses, posted, send } = guarded({ now: () => seconds * 1000 });
  for (let count = 0; count < 20_001; count += 1) send(call());
  expect(calls).toHaveLength(20_000);
  expect(posted.at(-1)).toMatchObject({
    id: 'a',
    value: { error: { code: 429, data: { reason: 'RATE_LIMITED', retryAfter: 1 } } },
  });
  seconds = 1;
  send(call());
  expect(calls).toHaveLength(20_001);
  for (let count = 0; count < 20_997; count += 1) send(call());
  expect(abuses).toEqual([]);
  send(call());
  send(call());
  expect([abuses, calls.length]).toEqual([['flood'], 20_999]);
});

test('an app that sends as much as it may is never refused; one that sends a tenth more is, in the long run (security rule 6)', () => {
  let now = 0;
  const answered = (perSecond: number, seconds: number): readonly [answered: number, abuses: readonly Abuse[]] => {
    const { calls, abuses, send } = guarded({ now: () => now, messagesPerSecond: 100 });
    for (let count = 0; count < perSecond * seconds; count += 1) {
      now += 1000 / perSecond;
      send(call());
    }
    return [calls.length, abuses];
  };
  expect(answered(100, 3_600)).toEqual([360_000, []]);
  const [heard, abuses] = answered(110, 3_600);
  expect(heard).toBeGreaterThan(20_000);
  expect(heard).toBeLessThan(25_000); // stopped after 400 seconds
  expect(abuses).toEqual(['flood']);
});

test('a message counts by its size: text, keys and values (security rule 6)', () => {
  const answered = (value: unknown): number => {
    const { calls, send } = guarded({ messagesPerSecond: 1 });
    for (let count = 0; count < 20; count += 1) send(call(value));
    return calls.length;
  };
  expect(answered('x'.repeat(1_000))).toBe(20);
  expect(answered('x'.repeat(1_024))).toBe(10);
  expect(answered('x'.repeat(9 * 1_024))).toBe(2);
  expect(answered(Array(1_150).fill(0))).toBe(2);
  expect(answered({ [`${'k'.repeat(9 * 1_024)}`]: 1 })).toBe(2);
});

const surplus: [string, object][] = [
  ['beside those of a call', { ...call('x'), value: 1 }],
  ['named in the path', { ...call('x'), path: Object.assign(['greet'], { more: 1 }) }],
  [
    'named in the list of arguments',
    { ...call('x'), argumentList: Object.assign(call('x').argumentList, { more: 1 }) },
  ],
  ['beside those of an argument', { ...call('x'), argumentList: [{ type: 'RAW', value: 'x', transfer: 1 }] }],
];
test.for(surplus)(
  'a message with a member %s reaches no method and closes the port (security rule 25)',
  async ([, data]) => {
    const { calls, abuses, posted, send } = guarded();
    send(call('x')); // the positive control
    send(data);
    send(call('x'));
    await settled();
    expect([calls.length, abuses, posted.length]).toEqual([1, ['malformed'], 1]);
  },
);

test('a member beside those of a call is found, with any name and value (security rule 25)', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.anything(), (name, value) => {
      fc.pre(!['id', 'type', 'path', 'argumentList', '__proto__'].includes(name));
      const { abuses, send } = guarded();
      send({ ...call('x'), [name]: value });
      expect(abuses).toEqual(['malformed']);
    }),
  );
});

test.for<[string, unknown]>([
  ['holes', Object.assign([1], { length: 3 })],
  ['names beside its items', Object.assign([1, 2], { index: 0 })],
])('a list with %s is no plain data (security rules 1 and 25)', async ([, list]) => {
  const { calls, posted, send } = guarded();
  send(call({ deep: [list] }));
  await settled();
  expect(calls).toEqual([]);
  expect(posted).toMatchObject([{ id: 'a', value: { error: { code: 400, data: { reason: 'BAD_REQUEST' } } } }]);
});

test('a dropped message counts for the time that it took (security rule 25)', () => {
  let nowMs = 0;
  const { abuses, send } = guarded({ now: () => nowMs });
  const slow = (ms: number) => ({
    get id() {
      nowMs += ms; // browsers deserialize on access
      return '';
    },
  });
  send(slow(40));
  send(slow(40));
  expect(abuses).toEqual([]);
  send(slow(40));
  expect(abuses).toEqual(['malformed']);
});

test('the data of a message with a transferred port is not even read (security rule 25)', () => {
  let reads = 0;
  const { port } = openPort();
  exposeGuarded(new Map(), port, { onAbuse: () => {} });
  const message = Object.defineProperty(Object.assign(new Event('message'), { ports: [{}] }), 'data', {
    get: () => {
      reads += 1;
    },
  });
  port.dispatchEvent(message);
  expect(reads).toBe(0);
});

test.for<[string, unknown, number]>([
  ['text that is too long', 'x'.repeat(8 * 1024 * 1024 + 1), 4],
  ['a list that is too long', Array(200_001).fill(0), 25],
  ['long text beside what is no plain data', ['x'.repeat(8 * 1024 * 1024 - 16), new Date(0)], 4],
])('a refused message counts for what is in it: %s (security rule 25)', ([, value, most]) => {
  const { abuses, send } = guarded();
  for (let count = 0; count < most; count += 1) send(call(value));
  expect(abuses).toEqual([]);
  send(call(value));
  expect(abuses).toEqual(['flood']);
});

test('an app whose messages take the page too long to read is stopped, however few they are (security rule 25)', async () => {
  let nowMs = 0;
  const { abuses, calls, send } = guarded({ now: () => nowMs });
  const slow = () => ({
    ...call(),
    get type() {
      nowMs += 500;
      return 'APPLY';
    },
  });
  // A fifth of the time, for as long as it likes.
  for (let second = 0; second < 100; second++) {
    send({ ...slow(), argumentList: [] });
    nowMs += 2_000;
  }
  expect([calls.length, abuses]).toEqual([100, []]); // positive control
  for (let count = 0; count < 12; count++) send(slow());
  expect(abuses).toEqual(['flood']);
  expect(calls.length).toBeLessThan(112);
});

test('a pause of the machine while one message is read stops no app', () => {
  let nowMs = 0;
  const { abuses, send } = guarded({ now: () => nowMs });
  send({
    ...call(),
    get type() {
      nowMs += 60_000;
      return 'APPLY';
    },
  });
  send(call());
  expect(abuses).toEqual([]);
});
