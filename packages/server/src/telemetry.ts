import type { ProxyObserver } from '@gantry/proxy';
import type { Observation } from '@gantry/service';
import pino, { type Logger } from 'pino';
import { type Admission, createAdmission } from './edge/admission.ts';
import type { Limits } from './edge/limits.ts';
import { createLoad, type Load } from './edge/load.ts';
import { createRequestContexts, type RequestContexts } from './edge/request-context.ts';
import type { StoreCall } from './measured-database.ts';
import { createMetrics, type Metrics } from './metrics.ts';

/** What is known about the work of this process, and who asked for it. */
export interface Telemetry {
  readonly contexts: RequestContexts;
  readonly load: Load;
  readonly admission: Admission;
  readonly metrics: Metrics;
  /** JSON lines on standard error; each names the request that it belongs to. */
  readonly log: Logger;
  /** Id of the request that is being worked on, for whatever passes it on. */
  requestId(): string | undefined;
  answered(observation: Observation): void;
  stored(call: StoreCall): void;
  readonly proxied: ProxyObserver;
}

export interface TelemetryOptions {
  /** Of the log: `info` has a line for each request. */
  readonly level: string;
  readonly limits: Limits;
  /** Default: JSON lines on standard error, each with the id of its request. */
  readonly log?: Logger | undefined;
}

export function createTelemetry({ level, limits, log: given }: TelemetryOptions): Telemetry {
  const contexts = createRequestContexts();
  const mixin = () => ({ request: contexts.getStore()?.id });
  const log = given ?? pino({ level, mixin }, pino.destination({ dest: 2, sync: true }));
  const load = createLoad({ limits });
  const admission = createAdmission({ limits });
  const metrics = createMetrics({ load, admission });

  return {
    contexts,
    load,
    admission,
    metrics,
    log,
    requestId: () => contexts.getStore()?.id,
    answered(observation) {
      const context = contexts.getStore();
      if (context) {
        // A request of calls has no operation of its own, and a reason only where it is refused as a whole.
        context.operation = observation.operation ?? context.operation;
        context.reason = observation.reason ?? context.reason;
        context.consumerKey = observation.consumerKey;
      }
      metrics.answered(observation);
    },
    stored: metrics.stored,
    proxied: metrics.proxied,
  };
}
