/** A hostile app: no SDK, only the port. Everything that a test may ask of it is in `window.raw`. */
import { wrap } from 'comlink';
import { attacks } from './attacks.ts';

export interface Answer {
  readonly json: string;
  readonly ports: number;
}

interface Raw {
  /** Says hello to the page, with a new port. */
  hello(changes?: Partial<{ gantry: string; versions: unknown; capabilities: unknown; nonce: string }>): void;
  /** Kinds of messages on each port that was offered, in the order of the hellos. */
  readonly heard: string[][];
  /** Runs an attack; resolves when the page has dealt with it. */
  attack(name: string): Promise<Answer[]>;
  /** What Comlink's own `wrap` gets for a batch of one request, for an action, and for an action that there is not. */
  comlink(): Promise<unknown[]>;
  /** Sends a call with as many members beside its own; resolves when the page has dealt with it. */
  surplus(members: number): Promise<void>;
  /** A well-formed call that comes after everything before it; resolves when it is answered. */
  ping(): Promise<void>;
}

declare global {
  interface Window {
    raw: Raw;
  }
}

const [, nonce = '', origin = ''] = /^#gantry=1\.(\w+)\.(.+)$/.exec(location.hash) ?? [];
let port: MessagePort;
let answers: Answer[] = [];
let pings = 0;
const released = Promise.withResolvers<void>();
const waiting = new Map<unknown, () => void>();

function listen(on: MessagePort, heard: string[]): void {
  on.addEventListener('message', ({ data, ports }) => {
    heard.push(data.gantry ?? 'answer');
    if (String(data.id).startsWith('ping')) waiting.get(data.id)?.();
    else if (!data.gantry) answers.push({ json: JSON.stringify(data), ports: ports.length });
    // A port that the page gave away is used at once.
    for (const given of ports) {
      listen(given, heard);
      given.postMessage({ id: 'given', type: 'APPLY', path: [], argumentList: [] });
      given.postMessage({ id: 'given', type: 'GET', path: ['constructor', 'name'] });
    }
    if (data.id === 'release' || data.gantry === 'closed') released.resolve(); // no ping will return
  });
  on.start();
}

window.raw = {
  heard: [],
  hello(changes) {
    const channel = new MessageChannel();
    port = channel.port1;
    const heard: string[] = [];
    window.raw.heard.push(heard);
    listen(port, heard);
    parent.postMessage({ gantry: 'hello', versions: [1], nonce, ...changes }, decodeURIComponent(origin), [
      channel.port2,
    ]);
  },
  async attack(name) {
    answers = [];
    attacks[name]?.(port);
    await window.raw.ping();
    await window.raw.ping(); // answers of the page to a port that it gave away
    return answers;
  },
  comlink() {
    const page = wrap<Record<'request' | 'act', (...args: unknown[]) => unknown>>(port);
    const batch = JSON.stringify([[1, 'people.get', '{}']]);
    return Promise.all([page.request(batch), page.act('echo', [1]), page.act('nothing', [])]);
  },
  surplus(members) {
    const beside = Object.fromEntries(Array.from({ length: members }, (_, index) => [`n${index}`, index]));
    port.postMessage({ ...beside, id: 'a', type: 'APPLY', path: ['act'], argumentList: [] });
    return window.raw.ping();
  },
  ping() {
    pings += 1;
    const id = `ping${pings}`;
    const batch = JSON.stringify([[pings, 'ping', '{}']]);
    const answered = new Promise<void>((resolve) => waiting.set(id, resolve));
    port.postMessage({ id, type: 'APPLY', path: ['request'], argumentList: [{ type: 'RAW', value: batch }] });
    return Promise.race([answered, released.promise]);
  },
};
