import type { Tapped } from '@gantry/testing/tap-protocol';
import type { Places } from './places.ts';

/** A port that an app offered to the page with a hello. */
interface Offered {
  readonly source: MessageEventSource;
  readonly hello: { readonly sdk?: unknown; readonly capabilities?: unknown };
  /** Names the port once the page has welcomed the app on it. */
  number?: number;
}

const mostReads = 10; // the page's own limit per window

/**
 * Observes the bridge ports of a page, in order. Apps get no leases, so that each read is seen. A
 * bridge port is one that a frame offered with a hello, and on which the page posted a welcome:
 * nonces decide that, and the page checks them.
 *
 * @param options.see Takes what passed. Its content is read later.
 */
export function watchPorts(options: {
  readonly page: Window & typeof globalThis;
  readonly places: Places;
  readonly see: (read: () => Tapped | undefined) => void;
}): void {
  const { page, places, see } = options;
  const { MessagePort: Port, performance } = page;
  // Taken now: a page may replace them later.
  const { apply } = Reflect;
  const post = Port.prototype.postMessage;
  const listen = page.EventTarget.prototype.addEventListener;
  const offers = new WeakMap<MessagePort, Offered>();
  const offerOf = offers.get.bind(offers);
  const offer = offers.set.bind(offers);
  const reads = new WeakMap<object, number>();
  const readsOf = reads.get.bind(reads);
  const countRead = reads.set.bind(reads);
  const elapsed = performance.now.bind(performance);
  const startMs = performance.timeOrigin;
  const now = (): number => startMs + elapsed();
  let lastNumber = 0;

  function onHello(event: MessageEvent): void {
    const { source, ports } = event;
    if (source === null || ports.length !== 1 || (source as Window).parent !== page) return;
    const count = readsOf(source) ?? 0;
    if (count >= mostReads) return;
    countRead(source, count + 1);
    const { data } = event;
    if (data?.gantry !== 'hello') return;
    const port = ports[0] as MessagePort;
    // Reads under a lease would not be seen. The page's listener gets this same object after us.
    if (Array.isArray(data.capabilities)) {
      data.capabilities = data.capabilities.filter((word: unknown) => word !== 'leases');
    }
    const { sdk, capabilities } = data;
    const offered: Offered = { source, hello: { sdk, capabilities } };
    offer(port, offered);
    // Before the page's own listener, so that a call comes before its reply. It starts no port.
    apply(listen, port, ['message', (message: MessageEvent) => onMessage(offered, message)]);
  }

  function onMessage({ number }: Offered, event: MessageEvent): void {
    if (number === undefined) return;
    const atMs = now();
    see((): Tapped | undefined => {
      if (event.ports.length > 0) return undefined; // the page ignores these
      const message = callOf(event.data);
      return message === undefined ? undefined : { kind: 'in', port: number, atMs, message };
    });
  }

  function onPosted(offered: Offered, message: unknown): void {
    const atMs = now();
    const { gantry, context } = message as { readonly gantry?: unknown; readonly context?: { app?: { id?: unknown } } };
    if (gantry === 'welcome' && offered.number === undefined) {
      lastNumber += 1;
      const port = lastNumber;
      offered.number = port;
      const place = places.ofWindow(offered.source, String(context?.app?.id));
      see(() => ({ kind: 'port', port, atMs, ...place, hello: offered.hello }));
    }
    const port = offered.number;
    if (port === undefined || gantry === 'ping') return;
    see(() => ({ kind: 'out', port, atMs, message }));
  }

  const { postMessage } = {
    postMessage(this: MessagePort, ...args: unknown[]): void {
      apply(post, this, args);
      try {
        const offered = offerOf(this);
        if (offered) onPosted(offered, args[0]);
      } catch {
        // An error of the tap must not affect the page.
      }
    },
  };
  Object.defineProperty(postMessage, 'length', { value: post.length, configurable: true });
  const descriptor = Object.getOwnPropertyDescriptor(Port.prototype, 'postMessage');
  Object.defineProperty(Port.prototype, 'postMessage', { ...descriptor, value: postMessage });
  apply(listen, page, ['message', guarded(onHello)]);
}

/** Makes a listener that never throws. */
function guarded<E>(listener: (event: E) => void): (event: E) => void {
  return (event) => {
    try {
      listener(event);
    } catch {
      // An error of the tap must not affect the page.
    }
  };
}

/** Returns the members of a call from a message of an app; `undefined` for others. */
function callOf(data: unknown): unknown {
  const { id, type, path, argumentList } = data as {
    readonly id?: unknown;
    readonly type?: unknown;
    readonly path?: readonly unknown[];
    readonly argumentList?: readonly { readonly value?: unknown }[];
  };
  if (type !== 'APPLY' || path?.length !== 1 || path[0] === 'pong' || !argumentList || argumentList.length > 2)
    return undefined;
  return { id, name: path[0], args: [argumentList[0]?.value, argumentList[1]?.value] };
}
