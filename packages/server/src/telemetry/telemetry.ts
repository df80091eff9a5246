import { AsyncLocalStorage } from 'node:async_hooks';
import type { Observation } from '@gantry/service';
import type { Logger } from '@gantry/wire';
import pino from 'pino';
import { type Admission, createAdmission } from '../edge/admission.ts';
import { type AnswerBytes, createAnswerBytes } from '../edge/answer-bytes.ts';
import type { Limits } from '../edge/limits.ts';
import { createLoad, type Load } from '../edge/load.ts';
import type { RequestContexts } from '../edge/request-context.ts';
import { createMetrics, type Metrics } from './metrics.ts';

/** Request contexts, load, metrics and log of one process. */
export interface Telemetry {
  readonly contexts: RequestContexts;
  readonly load: Load;
  readonly admission: Admission;
  readonly answers: AnswerBytes;
  readonly metrics: Metrics;
  /** JSON lines on standard error, each with the id of its request. */
  readonly log: Logger;
  /** Returns the id of the current request, to pass on upstream. */
  requestId(): string | undefined;
  answered(observation: Observation): void;
}

export interface TelemetryOptions {
  /** Level of the log; `info` has a line for each request. */
  readonly level: string;
  readonly limits: Limits;
  /** Default: JSON lines on standard error, each with the id of its request. */
  readonly log?: Logger | undefined;
}

export function createTelemetry({ level, limits, log: given }: TelemetryOptions): Telemetry {
  const contexts: RequestContexts = new AsyncLocalStorage();
  const mixin = () => ({ request: contexts.getStore()?.id });
  const log = given ?? pino({ level, mixin }, pino.destination({ dest: 2, sync: true }));
  const load = createLoad({ limits });
  const admission = createAdmission({ limits });
  const metrics = createMetrics({ load, admission });

  return {
    contexts,
    load,
    admission,
    answers: createAnswerBytes(limits.answersBytes),
    metrics,
    log,
    requestId: () => contexts.getStore()?.id,
    answered(observation) {
      const context = contexts.getStore();
      if (context) {
        // A batch has no operation of its own, and a reason only if it is refused as a whole.
        context.operation = observation.operation ?? context.operation;
        context.reason = observation.reason ?? context.reason;
        context.consumerKey = observation.consumerKey;
      }
      metrics.answered(observation);
    },
  };
}
