/** What an app's document sent with the port that it keeps the other end of. */
export interface ReceivedHello {
  readonly port: MessagePort;
  /** As the app wrote it: anything. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** The wait for the hello of one load. */
export interface Greeting {
  /** Hands the hello over, soon if it has come already. To be called once. */
  take(onHello: (hello: ReceivedHello) => void): void;
  /** Waits no longer, and closes the port that nobody took. */
  end(): void;
}

type Listener = (event: MessageEvent) => void;

const pages = new WeakMap<Window, Map<string, Listener>>();
/** Windows that have said hello. Nothing else that they say to the page is for Gantry. */
const greeted = new WeakSet<MessageEventSource>();

/**
 * Waits for the hello of one load of an app. Call it before the frame is put into the page.
 *
 * A hello counts once: from this frame's window, from the origin that its sandbox leaves it, with the nonce and one port.
 *
 * @param options.nonce From `randomNonce`, used for this load only.
 * @param options.window The window to which the app posts its hello; the page's own by default.
 * @see security rules 1 and 2
 */
export function expectHello(options: {
  readonly frame: HTMLIFrameElement;
  readonly nonce: string;
  readonly window?: Window;
}): Greeting {
  const { frame, nonce, window: page = window } = options;
  const loads = pages.get(page) ?? listenFor(page);
  let early: ReceivedHello | undefined;
  let onHello = (hello: ReceivedHello): void => {
    early = hello;
  };

  loads.set(nonce, ({ source, origin, data, ports }) => {
    if (source !== frame.contentWindow || origin !== originOf(frame)) return;
    loads.delete(nonce); // one hello per load
    greeted.add(source as MessageEventSource);
    onHello({ port: ports[0] as MessagePort, data });
  });
  function handOver(): void {
    if (early) onHello(early);
    early = undefined;
  }
  return {
    take(listener) {
      onHello = listener;
      queueMicrotask(handOver); // whoever takes it gets it when `take` has returned
    },
    end() {
      loads.delete(nonce);
      early?.port.close();
      early = undefined;
    },
  };
}

/**
 * One listener for all loads of a page, which finds the load by the nonce. With one for each, a page of a hundred apps compares
 * ten thousand windows, and each frame that is asked for its window before it has loaded has one made for nothing.
 */
function listenFor(page: Window): Map<string, Listener> {
  const loads = new Map<string, Listener>();
  page.addEventListener('message', (event: MessageEvent) => {
    const { source, ports } = event;
    if (loads.size === 0 || source === null || ports.length !== 1) return;
    if (greeted.has(source)) return; // before `data` is read, which costs as much as its sender likes
    const { data } = event;
    if (data?.gantry === 'hello') loads.get(data.nonce)?.(event);
  });
  pages.set(page, loads);
  return loads;
}

/** Origin that the frame's document must have, as `MessageEvent.origin` writes it: `null` for an opaque one. */
function originOf(frame: HTMLIFrameElement): string {
  const opaque = frame.hasAttribute('sandbox') && !frame.sandbox.contains('allow-same-origin');
  return opaque ? 'null' : new URL(frame.src).origin;
}
