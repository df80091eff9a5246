import type { ProxyObserver } from '@gantry/proxy';

/** Returns an observer that passes each event to the telemetry and then to a tool. */
export function combineObservers(telemetry: ProxyObserver, tool: Partial<ProxyObserver>): ProxyObserver {
  return {
    attempt(attempt) {
      telemetry.attempt(attempt);
      tool.attempt?.(attempt);
    },
    cache(outcome, asking) {
      telemetry.cache(outcome, asking);
      tool.cache?.(outcome, asking);
    },
    limited(limit, who) {
      telemetry.limited(limit, who);
      tool.limited?.(limit, who);
    },
    breaker(state) {
      telemetry.breaker(state);
      tool.breaker?.(state);
    },
    ...(tool.refused && { refused: tool.refused }),
  };
}
