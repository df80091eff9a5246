import { type AppContext, acceptHello, type CloseReason } from '@gantry/bridge';
import type { VersionMismatch } from '@gantry/wire';
import type { AppDocument } from './app-document.ts';
import type { Arrivals } from './arrivals.ts';
import { features } from './features/features.ts';
import type { Gadget } from './gadget.ts';
import type { Messages } from './messages/messages.ts';
import type { Action, Place } from './place.ts';

/**
 * Why a load ended by itself: `silent` apps never said hello, `blocked` ones were refused by the page's own policy, `left` ones
 * loaded another document, `moved` ones show a view that has another page, `focus` ones kept taking the focus from a member who
 * typed.
 */
export type LoadEnd = 'silent' | 'blocked' | 'left' | 'moved' | 'focus' | Exclude<CloseReason, 'closed'>;

/** How a load ended by itself. */
export interface Ended {
  readonly why: LoadEnd;
  /** Some document arrived in the frame; an error page of the browser is one too. */
  readonly loaded: boolean;
}

/** One load of an app: a document and a connection, which end together. */
export interface AppLoad {
  /** Resolves when the app is ready or the load is over. */
  readonly settled: Promise<void>;
  /** Milliseconds until the app answered. Stays open while it does not; rejects when the load is over. */
  ping(): Promise<number>;
  end(): void;
  /** Ends it too, but gives the app up to half a second to save what it has to. */
  leave(): Promise<void>;
}

const farewellMs = 500; // of the machine: another process saves in that time

/**
 * @param options.document Of this gadget and for this load; may have loaded already.
 * @param options.element The `<gantry-gadget>` in which the frame will stand.
 * @param options.startMs Time for the app's hello.
 * @param options.messagesPerSecond What the app may send in the long run.
 * @param options.onLoad The document has loaded and its app is ready.
 * @param options.onEnd Called at most once, and not after `end`.
 */
export function loadApp(
  gadget: Gadget,
  options: {
    readonly document: AppDocument;
    readonly arrivals: Arrivals;
    readonly element: HTMLElement;
    readonly locale: string;
    readonly messages: Messages;
    readonly startMs: number;
    readonly messagesPerSecond: number;
    readonly tell: Place['tell'];
    readonly retitle: Place['retitle'];
    readonly warn: Place['warn'];
    readonly onReady: () => void;
    readonly onLoad: () => void;
    readonly onEnd: (why: LoadEnd, mismatch?: VersionMismatch) => void;
  },
): AppLoad {
  const { document, arrivals, startMs, messagesPerSecond, onReady, onLoad, onEnd } = options;
  const { frame, greeting } = document;
  const { observed } = gadget;
  const emit: Place['emit'] = (name, data) => {
    observed?.tell({ kind: 'event', name, data });
    connection.emit(name, data);
  };
  const farewell = Promise.withResolvers<void>();
  const place: Place = {
    ...options,
    frame,
    gadget,
    emit,
    update,
    reload,
    whenArrived: arrivals.whenArrived,
    fail: finish,
  };
  const running = features.map((create) => create(place));
  const actions = new Map<string, Action>();
  for (const { actions: own = {} } of running)
    for (const [name, action] of Object.entries(own)) actions.set(name, observed?.action(name, action) ?? action);
  actions.set('left', () => farewell.resolve());
  const settled = Promise.withResolvers<void>();
  const connection = acceptHello({
    greeting,
    context: () => {
      heard = contextNow();
      const { sdk, capabilities } = connection;
      observed?.tell({ kind: 'handshake', ...(sdk && { sdk }), capabilities: [...capabilities] });
      return contextOf(heard);
    },
    actions,
    answer: gadget.answer,
    watch: gadget.watch,
    messagesPerSecond,
    onReady() {
      arrival.ready();
      isReady = true;
      for (const feature of running) feature.ready?.();
      onReady();
      settled.resolve();
    },
    onClose(reason, mismatch) {
      if (reason === 'closed') return;
      if (mismatch) {
        arrival.end();
        document.onLoad = undefined; // an app that reloads itself instead of giving up stays refused
        setTimeout(() => finish(reason, mismatch), farewellMs); // the app hears why before its document goes
      } else finish(reason);
    },
  });
  const arrival = arrivals.arrive(startMs, () => finish('silent'));
  let heard = '';
  let isReady = false;
  let isOver = false;

  function onDocument(): void {
    // Also a document of the same address is another one: it has a used nonce, or none, and knows no port.
    if (document.loads > 1) finish('left');
    else if (isReady) onLoad(); // of the document that said hello, or of one after it: a heartbeat will tell
  }
  document.onLoad = onDocument;
  if (document.loads > 1) queueMicrotask(onDocument);
  document.onBlocked = () => finish('blocked');
  if (document.isBlocked) queueMicrotask(document.onBlocked);

  function contextNow(): string {
    return JSON.stringify(Object.assign({}, gadget.context, ...running.map((feature) => feature.context?.())));
  }
  function update(): void {
    const now = contextNow();
    if (!isReady || now === heard) return;
    heard = now;
    connection.emit('context', contextOf(now));
  }
  function contextOf(text: string): AppContext {
    observed?.tell({ kind: 'context', context: JSON.parse(text) });
    return JSON.parse(text);
  }

  async function leave(why?: LoadEnd): Promise<void> {
    if (isReady && !isOver) {
      emit('teardown', {});
      setTimeout(farewell.resolve, farewellMs);
      await farewell.promise;
    }
    finish(why);
  }
  function reload(): void {
    void leave('moved');
  }

  function finish(why?: LoadEnd, mismatch?: VersionMismatch): void {
    if (isOver) return;
    isOver = true;
    document.onLoad = undefined;
    document.onBlocked = undefined;
    arrival.end();
    connection.close();
    for (const feature of running) feature.end?.();
    settled.resolve();
    if (why !== undefined) onEnd(why, mismatch);
  }

  return {
    settled: settled.promise,
    ping: connection.ping,
    end: () => finish(),
    leave: () => leave(),
  };
}
