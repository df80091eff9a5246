import type { ProxyObserver } from '@gantry/proxy';

/** Returns an observer that passes each event to the telemetry and then to a tool. */
export function combineObservers(telemetry: ProxyObserver, tool: Partial<ProxyObserver>): ProxyObserver {
  return {
    attempt: both(telemetry.attempt, tool.attempt),
    cache: both(telemetry.cache, tool.cache),
    limited: both(telemetry.limited, tool.limited),
    breaker: both(telemetry.breaker, tool.breaker),
    ...(tool.refused && { refused: tool.refused }),
  };
}

function both<Event extends unknown[]>(first: (...event: Event) => void, then?: (...event: Event) => void) {
  return (...event: Event): void => {
    first(...event);
    then?.(...event);
  };
}
