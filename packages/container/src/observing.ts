import { type AppRequest, failureOf, type OpenRequest } from '@gantry/bridge';
import type { Clock, Observe, Observed, Reply } from '@gantry/wire';
import type { OpenCall } from './answers.ts';
import type { Action } from './place.ts';

type Answer = (request: AppRequest, open?: OpenRequest) => Reply | Promise<Reply>;
type Watch = (request: AppRequest, push: (reply: Reply) => void) => () => void;

/** Tells tools of one gadget's place on the page, over all loads of its app. */
export interface Observation {
  tell(observed: Observed): void;
  /** Wraps what answers the calls of the app. */
  answer(answer: (request: AppRequest, open: OpenCall) => Reply | Promise<Reply>): Answer;
  watch(watch: Watch): Watch;
  action(name: string, action: Action): Action;
}

/** Observes the place of an app in an element, or in whatever else stands for one. */
export type ObserveAt = (spot: object, app: string) => Observation;

/** Numbers the places of each app, and the calls of each place. An observer that throws disturbs no gadget. */
export function createObserving({ observe, clock }: { readonly observe: Observe; readonly clock: Clock }): ObserveAt {
  const counts = new Map<string, number>();
  const places = new WeakMap<object, { readonly app: string; readonly observation: Observation }>();

  return (spot, app) => {
    const known = places.get(spot);
    if (known?.app === app) return known.observation;
    const count = (counts.get(app) ?? 0) + 1;
    counts.set(app, count);
    const place = `${app}#${count}`;
    const observation = createObservation(clock, (observed) => {
      try {
        observe({ ...observed, app, place });
      } catch (error) {
        globalThis.reportError?.(error); // absent in Node
      }
    });
    places.set(spot, { app, observation });
    return observation;
  };
}

function createObservation(clock: Clock, tell: Observation['tell']): Observation {
  const watched = new WeakMap<AppRequest, number>(); // a request is watched first, and then asked as the same object
  let calls = 0;

  function nextNumber(): number {
    calls += 1;
    return calls;
  }

  return {
    tell,
    answer: (answer) => (request, open) => {
      const call = watched.get(request) ?? nextNumber();
      watched.delete(request);
      const startMs = clock.elapsed();
      tell({ kind: 'call', call, operation: request.operation, params: parsed(request.params) });
      const reply = answer(request, {
        get signal() {
          return open?.signal;
        },
        onDecision: (decision, ageMs) =>
          tell({ kind: 'decision', call, decision, ...(ageMs !== undefined && { ageMs }) }),
      });
      const settle = (settled: Reply): void =>
        tell({ kind: 'reply', call, ...content(settled), tookMs: clock.elapsed() - startMs });
      if ('then' in reply) void reply.then(settle);
      else settle(reply);
      return reply;
    },
    watch: (watch) => (request, push) => {
      const call = nextNumber();
      watched.set(request, call);
      return watch(request, (reply) => {
        tell({ kind: 'push', call, ...content(reply) });
        push(reply);
      });
    },
    action:
      (name, action) =>
      (...params) => {
        const refused = (cause: unknown): void => tell({ kind: 'action', name, params, error: failureOf(cause).error });
        try {
          const value = action(...params);
          if (value instanceof Promise) value.then(() => tell({ kind: 'action', name, params }), refused);
          else tell({ kind: 'action', name, params });
          return value;
        } catch (cause) {
          refused(cause);
          throw cause;
        }
      },
  };
}

function content(reply: Reply) {
  const size = JSON.stringify(reply).length;
  return 'error' in reply ? { error: reply.error, size } : { ok: reply.ok, size };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text; // which the page refuses
  }
}
