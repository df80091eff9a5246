import { type AppRequest, failureOf } from '@gantry/bridge';
import type { Observe, Reply } from '@gantry/wire';
import type { Clock } from '@gantry/wire/runtime';
import type { Observation } from './gadget.ts';

/** Observes an app in an element, or in another object that stands for one. */
export type ObserveAt = (host: object, app: string) => Observation;

/** Numbers the places of each app, and their calls. An observer that throws disturbs no gadget. */
export function createObserving({ observe, clock }: { readonly observe: Observe; readonly clock: Clock }): ObserveAt {
  const counts = new Map<string, number>();
  const places = new WeakMap<object, { readonly app: string; readonly observation: Observation }>();

  return (host, app) => {
    const entry = places.get(host);
    if (entry?.app === app) return entry.observation;
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
    places.set(host, { app, observation });
    return observation;
  };
}

function createObservation(clock: Clock, report: Observation['report']): Observation {
  const watched = new WeakMap<AppRequest, number>(); // `watch` and `answer` get the same object
  let calls = 0;

  return {
    report,
    answer: (answer) => (request, open) => {
      const call = watched.get(request) ?? ++calls;
      watched.delete(request);
      const startMs = clock.elapsed();
      report({ kind: 'call', call, operation: request.operation, params: parsed(request.params) });
      const reply = answer(request, {
        get signal() {
          return open?.signal;
        },
        onDecision: (decision, ageMs) =>
          report({ kind: 'decision', call, decision, ...(ageMs !== undefined && { ageMs }) }),
      });
      const settle = (settled: Reply): void =>
        report({ kind: 'reply', call, ...content(settled), tookMs: clock.elapsed() - startMs });
      if ('then' in reply) void reply.then(settle);
      else settle(reply);
      return reply;
    },
    watch: (watch) => (request, push) => {
      const call = ++calls;
      watched.set(request, call);
      return watch(request, (reply) => {
        report({ kind: 'push', call, ...content(reply) });
        push(reply);
      });
    },
    action:
      (name, action) =>
      (...params) => {
        const refused = (cause: unknown): void =>
          report({ kind: 'action', name, params, error: failureOf(cause).error });
        try {
          const value = action(...params);
          if (value instanceof Promise) value.then(() => report({ kind: 'action', name, params }), refused);
          else report({ kind: 'action', name, params });
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
    return text; // the page refuses it
  }
}
