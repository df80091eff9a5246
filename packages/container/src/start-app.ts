import { type AppContext, acceptHello, type CloseReason, type Greeting } from '@gantry/bridge';
import type { VersionMismatch } from '@gantry/wire';
import type { Arrivals } from './arrivals.ts';
import type { Gadget } from './gadget.ts';
import type { Messages } from './messages/messages.ts';
import type { Action, BarePlace, CreateFeature } from './place.ts';

/**
 * Why a load ended by itself: `silent` apps never said hello, `blocked` ones were refused by the page's own policy, `left` ones
 * loaded another document, `moved` ones show a view that has another page, `focus` ones kept taking the focus from a member who
 * typed.
 */
export type LoadEnd = 'silent' | 'blocked' | 'left' | 'moved' | 'focus' | Exclude<CloseReason, 'closed'>;

/** End of a load that nobody asked for. */
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

export interface StartOptions<Around extends object> {
  readonly greeting: Greeting;
  /** Members of the place beside the bare ones: in a browser, element and frame. */
  readonly surroundings: Around;
  readonly features: readonly CreateFeature<BarePlace & Around>[];
  readonly arrivals: Arrivals;
  readonly locale: string;
  readonly messages: Messages;
  /** Time for the app's hello. */
  readonly startMs: number;
  /** Messages that the app may send in the long run. */
  readonly messagesPerSecond: number;
  readonly tell: BarePlace['tell'];
  readonly retitle: BarePlace['retitle'];
  readonly warn: BarePlace['warn'];
  readonly onReady: () => void;
  /** Nothing that the document does counts any more. May be called twice. */
  readonly onOver?: () => void;
  /** Called at most once, and not after `end`. */
  readonly onEnd: (why: LoadEnd, mismatch?: VersionMismatch) => void;
}

/** Connects an app that says hello with the features of the container. */
export function startApp<Around extends object>(
  gadget: Gadget,
  options: StartOptions<Around>,
): AppLoad & {
  /** Ends it, because of what its document did. */
  finish(why: LoadEnd): void;
} {
  const { greeting, surroundings, features, arrivals, startMs, messagesPerSecond, onReady, onOver, onEnd } = options;
  const { observed } = gadget;
  const emit: BarePlace['emit'] = (name, data) => {
    observed?.tell({ kind: 'event', name, data });
    connection.emit(name, data);
  };
  const farewell = Promise.withResolvers<void>();
  const place: BarePlace & Around = {
    ...options,
    ...surroundings,
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
        onOver?.();
        setTimeout(() => finish(reason, mismatch), farewellMs); // the app hears why before its document goes
      } else finish(reason);
    },
  });
  const arrival = arrivals.arrive(startMs, () => finish('silent'));
  let heard = '';
  let isReady = false;
  let isOver = false;

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
    onOver?.();
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
    finish,
  };
}
