/**
 * Messages with which an app tries to get more than replies. Each harms a page that uses Comlink
 * alone.
 */
export type Attack = (port: MessagePort) => void;

const raw = (value: unknown): object => ({ type: 'RAW', value });
const apply = (path: unknown, ...values: unknown[]): object => ({
  id: 'attack',
  type: 'APPLY',
  path,
  argumentList: values.map(raw),
});
const verb = (type: string, path: string[], more: object = {}): Attack => {
  return (port) => port.postMessage({ id: 'attack', type, path, ...more });
};
/** Passes `value` to an action of the page, in an otherwise well-formed message. */
const hand = (make: () => unknown): Attack => {
  return (port) => port.postMessage(apply(['act'], 'echo', [make()]));
};
const withArguments = (argumentList: unknown): Attack => {
  return (port) => port.postMessage({ id: 'attack', type: 'APPLY', path: ['act'], argumentList });
};
const withPath = (...path: string[]): Attack => {
  return (port) => port.postMessage(apply(path, 'echo', ['reached']));
};
const withId = (id: unknown): Attack => {
  return (port) => port.postMessage({ ...apply(['act'], 'echo', ['reached']), id });
};

export const attacks: Readonly<Record<string, Attack>> = {
  'GET a method': verb('GET', ['request']),
  'GET what is inherited': verb('GET', ['constructor', 'name']),
  'GET the whole object': verb('GET', []),
  'SET on the prototype of objects': verb('SET', ['__proto__', 'polluted'], { value: raw(true) }),
  'SET on the prototype of functions': verb('SET', ['request', '__proto__', 'polluted'], { value: raw(true) }),
  'SET through a constructor': verb('SET', ['constructor', 'prototype', 'polluted'], { value: raw(true) }),
  'SET a method': verb('SET', ['request'], { value: raw(true) }),
  'CONSTRUCT a Function of the page': verb('CONSTRUCT', ['request', 'constructor'], {
    argumentList: [raw('document.title = "owned"; return secret')],
  }),
  'CONSTRUCT an object of the page': verb('CONSTRUCT', ['constructor'], { argumentList: [] }),
  'ENDPOINT for another port': verb('ENDPOINT', []),
  'RELEASE the page from its port': (port) => port.postMessage({ id: 'release', type: 'RELEASE' }),
  'a type that is unknown, with arguments that throw': verb('NOTHING', [], {
    argumentList: [{ type: 'HANDLER', name: 'nothing' }],
  }),
  'a path to constructor': withPath('constructor'),
  'a path through __proto__': withPath('__proto__', 'hasOwnProperty'),
  'a path to an inherited method': withPath('toString'),
  'a path of two segments': withPath('act', 'call'),
  'an empty path': withPath(),
  'a path to nothing': withPath('nothing'),
  'a path that is text': (port) => port.postMessage(apply('act', 'echo', ['reached'])),
  'a path that is a number': (port) => port.postMessage(apply(1)),
  'a path of objects': (port) => port.postMessage(apply([['act']], 'echo', ['reached'])),
  'no path': (port) => port.postMessage({ id: 'attack', type: 'APPLY', argumentList: [] }),
  'an id that is a number': withId(1),
  'an id that is an object': withId({ toString: 1 }),
  'an id that is empty': withId(''),
  'an id of 129 characters': withId('x'.repeat(129)),
  'a HANDLER argument that throws': withArguments([
    { type: 'HANDLER', name: 'throw', value: { isError: true, value: { message: 'thrown in the page' } } },
  ]),
  'a HANDLER argument of no handler': withArguments([{ type: 'HANDLER', name: 'nothing', value: 1 }]),
  'a HANDLER argument that is a proxy': (port) => {
    const { port2 } = new MessageChannel();
    const argumentList = [raw('echo'), { type: 'HANDLER', name: 'proxy', value: port2 }];
    port.postMessage({ id: 'attack', type: 'APPLY', path: ['act'], argumentList }, [port2]);
  },
  'a PROXY argument': withArguments([raw('echo'), { type: 'PROXY', value: {} }]),
  'an argument that is null': withArguments([null]),
  'arguments that are text': withArguments('echo'),
  'arguments that are an object': withArguments({ length: 1, 0: raw('echo') }),
  'a transferred port': (port) => {
    const { port2 } = new MessageChannel();
    port.postMessage(apply(['act'], 'echo', ['reached']), [port2]);
  },
  'a port as an argument': (port) => {
    const { port2 } = new MessageChannel();
    port.postMessage(apply(['act'], 'echo', [port2]), [port2]);
  },
  'a stream as an argument': (port) => {
    const stream = new ReadableStream();
    port.postMessage(apply(['act'], 'echo', [stream]), [stream]);
  },
  'a buffer as an argument': hand(() => new ArrayBuffer(8)),
  'a Date as an argument': hand(() => new Date(0)),
  'a Map as an argument': hand(() => new Map([['k', 'v']])),
  'a Blob as an argument': hand(() => new Blob(['text'])),
  'an Error as an argument': hand(() => new Error('text')),
  'a RegExp as an argument': hand(() => /a+$/),
  'a bigint as an argument': hand(() => 1n),
  'deep data': hand(() => Array.from({ length: 100 }).reduce((inner) => [inner], 0)),
  'cyclic data': hand(() => {
    const cycle: Record<string, unknown> = {};
    cycle.itself = cycle;
    return cycle;
  }),
  'wide data': hand(() => Array.from({ length: 200_001 }, () => 0)),
  'data that is all holes': hand(() => new Array(2 ** 32 - 1)),
  'data that doubles with each level': hand(() => Array.from({ length: 60 }).reduce((inner) => [inner, inner], 0)),
  'text of 9 MiB': hand(() => 'x'.repeat(9 * 1024 * 1024)),
};
