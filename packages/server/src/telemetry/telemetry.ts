import { AsyncLocalStorage } from 'node:async_hooks';
import type { Observation } from '@gantry/service';
import type { Logger } from '@gantry/wire/runtime';
import pino from 'pino';
import { createAdmission } from '../edge/admission.ts';
import { createAnswerBytes } from '../edge/answer-bytes.ts';
import type { Limits } from '../edge/limits.ts';
import { createLoad } from '../edge/load.ts';
import type { RequestContexts } from '../edge/request-context.ts';
import { createRedaction } from '../setup/secrets.ts';
import { createMetrics, type ShareMetrics } from './metrics.ts';

/** Request contexts, load, metrics and log of one process. */
export type Telemetry = ReturnType<typeof createTelemetry>;

export interface TelemetryOptions {
  /** Level of the log; `info` has a line for each request. */
  readonly level: string;
  readonly limits: Limits;
  /** Default: JSON lines on standard error, each with the ids of its request and trace. */
  readonly log?: Logger | undefined;
  /** Texts that the default log leaves out. */
  readonly secretTexts?: readonly string[];
  readonly share?: ShareMetrics | undefined;
}

export function createTelemetry({ level, limits, log: given, secretTexts = [], share }: TelemetryOptions) {
  const contexts: RequestContexts = new AsyncLocalStorage();
  const mixin = () => {
    const { id, trace } = contexts.getStore() ?? {};
    return { request: id, trace: trace?.id };
  };
  const hooks = { streamWrite: createRedaction(secretTexts) };
  const log: Logger = given ?? pino({ level, mixin, hooks }, pino.destination({ dest: 2, sync: true }));
  const load = createLoad({ limits });
  const admission = createAdmission({ limits });
  const metrics = createMetrics({ load, admission, share });

  return {
    contexts,
    load,
    admission,
    answers: createAnswerBytes(limits.answersBytes),
    metrics,
    log,
    /** Returns the headers that name the current request and its trace upstream. */
    traceHeaders(): Readonly<Record<string, string>> {
      const { id, trace } = contexts.getStore() ?? {};
      return { ...(id !== undefined && { 'x-request-id': id }), ...(trace && { traceparent: trace.header }) };
    },
    answered(observation: Observation): void {
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
