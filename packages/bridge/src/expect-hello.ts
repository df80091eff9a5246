/** The hello of an app's document, with one end of its port. */
export interface ReceivedHello {
  readonly port: MessagePort;
  /** Unchecked data of the app. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** Pending hello of one load. */
export interface Greeting {
  /**
   * Calls `onHello` when the hello arrives, or in a microtask if it has already. Call it once.
   *
   * @param onStray Called with the number of other messages that the frame, or a frame in it, has
   * posted to the page's window since the last call. They are counted and not read.
   */
  take(onHello: (hello: ReceivedHello) => void, onStray?: (count: number) => void): void;
  /** Stops waiting, and closes a port that was not taken. */
  end(): void;
}

/** One load of an app, as the page's listener knows it. */
interface Load {
  readonly frame: HTMLIFrameElement;
  /** Accepts a hello with the load's nonce. Returns false if window or origin are wrong. */
  greet(event: MessageEvent): boolean;
  stray(): void;
}
interface Loads {
  /** Those that have not ended. */
  readonly all: Set<Load>;
  /** Those that wait for a hello. */
  readonly byNonce: Map<string, Load>;
  /** The load of each window that posted anything; `stranger` for windows of no load. */
  readonly owners: WeakMap<MessageEventSource, Load | typeof stranger>;
  /** Messages of each window that were read as a hello. None is read after the right one. */
  readonly reads: WeakMap<MessageEventSource, number>;
}

const pages = new WeakMap<Window, Loads>(); // a window has one listener, whichever container asks
const maxReads = 10;
const stranger = { stray: () => {} };

/**
 * Waits for the hello of one load of an app. Call it before the frame is put into the page.
 *
 * Accepts one hello: from this window and its sandbox's origin, with the nonce and one port.
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
  let strays = 0;
  let onHello = (hello: ReceivedHello): void => {
    early = hello;
  };
  let onStray = (count: number): void => {
    strays += count;
  };

  const load: Load = {
    frame,
    greet({ source, origin, data, ports }) {
      if (source !== frame.contentWindow || origin !== originOf(frame)) return false;
      loads.byNonce.delete(nonce); // one hello per load
      loads.reads.set(source as MessageEventSource, maxReads);
      loads.owners.set(source as MessageEventSource, load);
      onHello({ port: ports[0] as MessagePort, data });
      return true;
    },
    stray: () => onStray(1),
  };
  loads.all.add(load);
  loads.byNonce.set(nonce, load);
  function handOver(): void {
    const hello = early;
    early = undefined; // a listener that ends the load still answers on the port
    if (hello) onHello(hello);
  }
  return {
    take(listener, strayListener = () => {}) {
      onHello = listener;
      onStray = strayListener;
      if (strays > 0) onStray(strays);
      queueMicrotask(handOver); // `onHello` is called after `take` has returned
    },
    end() {
      loads.all.delete(load);
      loads.byNonce.delete(nonce);
      onStray = () => {};
      early?.port.close();
      early = undefined;
    },
  };
}

/**
 * Adds one listener for all loads of a page, which finds the load by its nonce. One listener for
 * each load would compare ten thousand windows on a page of a hundred apps, and would make browsers
 * create windows of frames that have not loaded.
 */
function listenFor(page: Window): Loads {
  const loads: Loads = { all: new Set(), byNonce: new Map(), owners: new WeakMap(), reads: new WeakMap() };
  const { owners, reads } = loads;
  page.addEventListener('message', (event: MessageEvent) => {
    const { source, ports } = event;
    if (loads.all.size === 0 || source === null || source === page) return;
    const before = reads.get(source) ?? 0;
    const isReadable = before < maxReads && loads.byNonce.size > 0 && (source as Window).parent === page;
    if (isReadable && ports.length === 1) {
      reads.set(source, before + 1);
      const { data } = event; // deserializes, which can be costly
      if (data?.gantry === 'hello' && loads.byNonce.get(data.nonce)?.greet(event)) return;
    }
    let owner = owners.get(source);
    if (!owner) {
      owner = ownerOf(source as Window, page, loads) ?? stranger;
      owners.set(source, owner);
    }
    owner.stray();
  });
  pages.set(page, loads);
  return loads;
}

/** Returns the load whose frame contains a window, directly or in nested frames. */
function ownerOf(source: Window, page: Window, { all }: Loads): Load | undefined {
  for (let inner = source; ; inner = inner.parent) {
    for (const load of all) if (load.frame.contentWindow === inner) return load;
    if (!inner.parent || inner.parent === inner || inner.parent === page) return undefined;
  }
}

/** Returns the frame's origin as in `MessageEvent.origin`: `null` for an opaque one. */
function originOf(frame: HTMLIFrameElement): string {
  const opaque = frame.hasAttribute('sandbox') && !frame.sandbox.contains('allow-same-origin');
  return opaque ? 'null' : new URL(frame.src).origin;
}
