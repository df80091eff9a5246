/** What an app's document sent with the port that it keeps the other end of. */
export interface ReceivedHello {
  readonly port: MessagePort;
  /** As the app wrote it: anything. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** The wait for the hello of one load. */
export interface Greeting {
  /**
   * Hands the hello over, soon if it has come already. To be called once.
   *
   * @param onStray Called with the number of other messages that the frame, or a frame in it, has posted to the page's window
   * since the last call. They are counted and not read.
   */
  take(onHello: (hello: ReceivedHello) => void, onStray?: (count: number) => void): void;
  /** Waits no longer, and closes the port that nobody took. */
  end(): void;
}

/** One load of an app, as the page's window hears of it. */
interface Load {
  readonly frame: HTMLIFrameElement;
  /** Takes a hello with the load's nonce. False if anything else is wrong with it. */
  greet(event: MessageEvent): boolean;
  stray(): void;
}
/** All loads that are not over, and those of them that wait for a hello. */
interface Loads {
  readonly all: Set<Load>;
  readonly byNonce: Map<string, Load>;
}

const pages = new WeakMap<Window, Loads>();
/** The load of each window that has said hello, or anything else; none for windows that are of no load. */
const owners = new WeakMap<MessageEventSource, Load | typeof stranger>();
/** Messages of each window that were read as a hello. After the right one, nothing that it says to the page is for Gantry. */
const reads = new WeakMap<MessageEventSource, number>();
const mostReads = 10;
const stranger = { stray: () => {} };

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
      reads.set(source as MessageEventSource, mostReads);
      owners.set(source as MessageEventSource, load);
      onHello({ port: ports[0] as MessagePort, data });
      return true;
    },
    stray: () => onStray(1),
  };
  loads.all.add(load);
  loads.byNonce.set(nonce, load);
  function handOver(): void {
    if (early) onHello(early);
    early = undefined;
  }
  return {
    take(listener, strayListener = () => {}) {
      onHello = listener;
      onStray = strayListener;
      if (strays > 0) onStray(strays);
      queueMicrotask(handOver); // whoever takes it gets it when `take` has returned
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
 * One listener for all loads of a page, which finds the load by the nonce. With one for each, a page of a hundred apps compares
 * ten thousand windows, and each frame that is asked for its window before it has loaded has one made for nothing.
 */
function listenFor(page: Window): Loads {
  const loads: Loads = { all: new Set(), byNonce: new Map() };
  page.addEventListener('message', (event: MessageEvent) => {
    const { source, ports } = event;
    if (loads.all.size === 0 || source === null || source === page) return;
    const before = reads.get(source) ?? 0;
    const isReadable = before < mostReads && loads.byNonce.size > 0 && (source as Window).parent === page;
    if (isReadable && ports.length === 1) {
      reads.set(source, before + 1);
      const { data } = event; // costs as much as its sender likes
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

/** The load in whose frame a window is, or in a frame within it. */
function ownerOf(source: Window, page: Window, { all }: Loads): Load | undefined {
  for (let inner = source; ; inner = inner.parent) {
    for (const load of all) if (load.frame.contentWindow === inner) return load;
    if (!inner.parent || inner.parent === inner || inner.parent === page) return undefined;
  }
}

/** Origin that the frame's document must have, as `MessageEvent.origin` writes it: `null` for an opaque one. */
function originOf(frame: HTMLIFrameElement): string {
  const opaque = frame.hasAttribute('sandbox') && !frame.sandbox.contains('allow-same-origin');
  return opaque ? 'null' : new URL(frame.src).origin;
}
