/** A hostile app without SDK, on the port alone. Its functions for tests are in `window.raw`. */
import { wrap } from 'comlink';
import { attacks } from './attacks.ts';

export interface Answer {
  readonly json: string;
  readonly ports: number;
}

interface Raw {
  /** Sends a hello with a new port. */
  hello(changes?: Partial<{ gantry: string; versions: unknown; capabilities: unknown; nonce: string }>): void;
  /** Kinds of messages on each offered port, in the order of the hellos. */
  readonly heard: string[][];
  /** Runs an attack; resolves when the page has handled it. */
  attack(name: string): Promise<Answer[]>;
  /**
   * Results of Comlink's own `wrap` for a batch of one request, an action, and a missing action.
   */
  comlink(): Promise<unknown[]>;
  /** Sends a call with this many extra members; resolves when the page has handled it. */
  surplus(members: number): Promise<void>;
  /** Sends a well-formed call after everything before it; resolves with its reply. */
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
    // Uses a leaked port of the page at once.
    for (const leaked of ports) {
      listen(leaked, heard);
      leaked.postMessage({ id: 'given', type: 'APPLY', path: [], argumentList: [] });
      leaked.postMessage({ id: 'given', type: 'GET', path: ['constructor', 'name'] });
    }
    if (data.id === 'release' || data.gantry === 'closed') released.resolve(); // pings no longer return
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
    await window.raw.ping(); // replies to a leaked port
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
