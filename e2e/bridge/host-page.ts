/** The container's page of the bridge tests. Its functions for tests are in `window.host`. */
import {
  type AppConnection,
  type AppContext,
  type AppRequest,
  acceptHello,
  type CloseReason,
  expectHello,
  helloFragment,
  randomNonce,
} from '@gantry/bridge';
import type { Reply } from '@gantry/wire';
import { expose } from 'comlink';

export interface MountOptions {
  readonly document: string;
  readonly sandbox?: string;
  /** Positive control: the same methods, exposed with Comlink alone. */
  readonly plain?: boolean;
  /** Starts listening. The page does not listen before. */
  readonly late?: boolean;
}

interface Host {
  readonly nonce: string;
  readonly events: (CloseReason | 'ready')[];
  /** Calls received by the page's methods and actions. */
  readonly calls: unknown[];
  readonly uncaught: string[];
  readonly aborted: string[];
  /** Messages received by the page's window. */
  messages: number;
  /** Load events of the frame. */
  loads: number;
  mount(options: MountOptions): void;
  accept(): void;
  close(): void;
  emit(name: string, data: unknown): void;
  /** Resolves with whether a ping returns within a second. */
  isAlive(): Promise<boolean>;
  /** Properties added to prototypes since the page was made. */
  pollution(): string[];
}

declare global {
  interface Window {
    host: Host;
    secret: string;
  }
}

const context: AppContext = {
  app: { id: 'a', title: 'A' },
  view: 'home',
  views: ['home'],
  height: 100,
  operations: ['people.get', 'appdata.get'],
  permissions: [],
  instance: 'i1',
  locale: 'en',
  timeZone: 'UTC',
  params: {},
  theme: {
    scheme: 'light',
    contrast: 'normal',
    motion: 'full',
    direction: 'ltr',
    surface: 'white',
    ink: 'black',
    muted: 'gray',
    line: 'silver',
    accent: 'blue',
    'on-accent': 'white',
    radius: '0',
  },
};

window.secret = 'only the page knows';
const prototypes = [Object.prototype, Function.prototype, Array.prototype];
const namesAtStart = new Set(prototypes.flatMap((prototype) => Object.getOwnPropertyNames(prototype)));
const host = createHost();
window.host = host;
window.addEventListener('error', ({ message }) => host.uncaught.push(message));
window.addEventListener('message', () => {
  host.messages += 1;
});
window.addEventListener('unhandledrejection', ({ reason }) => host.uncaught.push(String(reason)));

function createHost(): Host {
  const nonce = randomNonce();
  let connection: AppConnection | undefined;
  let accept = (): void => {};

  function answer(request: AppRequest, { signal }: { signal: AbortSignal }): Reply | Promise<Reply> {
    if (request.operation === 'ping') return { ok: 'pong' };
    host.calls.push(request);
    if (request.operation === 'appdata.get') {
      signal.addEventListener('abort', () => host.aborted.push(signal.reason.code));
      return new Promise(() => {});
    }
    return { ok: { id: '1', displayName: 'Ann' } };
  }
  const actions = new Map<string, (...args: unknown[]) => unknown>([
    ['adjustHeight', () => {}],
    ['echo', (value) => host.calls.push(value)],
  ]);

  return {
    nonce,
    events: [],
    calls: [],
    uncaught: [],
    aborted: [],
    messages: 0,
    loads: 0,
    mount({ document: path, sandbox = 'allow-scripts', plain = false, late = false }) {
      const frame = document.createElement('iframe');
      frame.setAttribute('sandbox', sandbox);
      accept = () => {
        connection = acceptHello({
          greeting: expectHello({ frame, nonce }),
          context: () => context,
          answer,
          actions,
          onReady: () => host.events.push('ready'),
          onClose: (reason) => host.events.push(reason),
        });
      };
      if (plain) exposePlainly(frame);
      else if (!late) accept();
      frame.addEventListener('load', () => {
        host.loads += 1;
        if (host.loads > 1) connection?.close(); // as the gadget element does
      });
      frame.src = path + helloFragment({ nonce, origin: location.origin });
      document.body.append(frame);
    },
    accept: () => accept(),
    close: () => connection?.close(),
    isAlive: () =>
      Promise.race([
        connection?.ping().then(() => true) ?? false,
        new Promise<boolean>((resolve) => setTimeout(resolve, 1_000, false)),
      ]),
    emit: (name, data) => connection?.emit(name, data),
    pollution: () =>
      prototypes
        .flatMap((prototype) => Object.getOwnPropertyNames(prototype))
        .filter((name) => !namesAtStart.has(name)),
  };

  function exposePlainly(frame: HTMLIFrameElement): void {
    window.addEventListener('message', ({ source, ports: [port] }) => {
      if (source !== frame.contentWindow || !port) return;
      const target = Object.freeze({
        request: (batch: string) =>
          JSON.parse(batch).map(([id, operation, params]: [number, string, string]) => [
            id,
            null,
            Reflect.get(answer({ operation, params }, new AbortController()), 'ok'),
          ]),
        act: (name: string, args: unknown[]) => actions.get(name)?.(...args),
      });
      expose(target, port);
      port.postMessage({ gantry: 'welcome', version: 1, capabilities: [...actions.keys()], context });
    });
  }
}
