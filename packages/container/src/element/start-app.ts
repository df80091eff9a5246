import { type AppContext, acceptHello } from '@gantry/bridge';
import type { VersionMismatch } from '@gantry/wire';
import type { Action, BarePlace, Gadget } from '../gadget.ts';
import type { LoadEnd } from '../gadget-state.ts';
import type { AppLoad, StartOptions } from '../place.ts';

const farewellMs = 500; // real time: another process saves meanwhile

/** Connects an app that says hello with the features of the container. */
export function startApp<Extras extends object>(
  gadget: Gadget,
  options: StartOptions<Extras>,
): AppLoad & {
  /** Ends the load for something that its document did. */
  finish(why: LoadEnd): void;
} {
  const { greeting, extras, features, pendingLoads, startMs, messagesPerSecond, onReady, onOver, onEnd } = options;
  const { observed } = gadget;
  const emit: BarePlace['emit'] = (name, data) => {
    observed?.report({ kind: 'event', name, data });
    connection.emit(name, data);
  };
  const farewell = Promise.withResolvers<void>();
  const place: BarePlace & Extras = {
    ...options,
    ...extras,
    gadget,
    emit,
    update,
    reload: () => void leave('moved'),
    whenLoaded: pendingLoads.whenLoaded,
    fail: finish,
  };
  const running = features.map((create) => create(place));
  const actions = new Map<string, Action>();
  for (const { actions: byName = {} } of running)
    for (const [name, action] of Object.entries(byName)) actions.set(name, observed?.action(name, action) ?? action);
  actions.set('left', () => farewell.resolve());
  const settled = Promise.withResolvers<void>();
  const connection = acceptHello({
    greeting,
    context: () => {
      heard = contextNow();
      const { sdk, capabilities } = connection;
      observed?.report({ kind: 'handshake', ...(sdk && { sdk }), capabilities: [...capabilities] });
      return contextOf(heard);
    },
    actions,
    answer: gadget.answer,
    watch: gadget.watch,
    leases: gadget.leases,
    preloads: gadget.preloads,
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
        setTimeout(() => finish(reason, mismatch), farewellMs); // the app gets the reason before its document goes
      } else finish(reason);
    },
  });
  const arrival = pendingLoads.add(startMs, () => finish('silent'));
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
    observed?.report({ kind: 'context', context: JSON.parse(text) });
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
