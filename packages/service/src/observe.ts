import type { HttpResponse, OperationId, SocialError } from '@gantry/wire';

/** Metrics of one answer, or of one JSON-RPC call. Holds no text that a client chose. */
export interface Observation {
  /** Operation of §4; absent if none was found. */
  readonly operation: OperationId | undefined;
  /** For a failed call: the status that REST would have. */
  readonly status: number;
  readonly format: 'json' | 'xml' | 'atom' | 'other';
  readonly seconds: number;
  /** Reason for a refusal: the `oauth_problem`, or the error's code. */
  readonly reason: string | undefined;
  /** Key of the verified consumer. Logs hash it: it identifies a client. */
  readonly consumerKey: string | undefined;
  /** True for a call. Its request is observed too, afterwards and without an operation. */
  readonly isCall: boolean;
}

export type Observe = (observation: Observation) => void;

/** Facts about a request, recorded while it is handled. */
export interface Trace {
  operation?: OperationId | undefined;
  consumerKey?: string;
  reason?: string;
}

export function observation({ status, headers }: HttpResponse, trace: Trace, startedAtMs: number): Observation {
  return {
    operation: trace.operation,
    status,
    format: formats.get(headers['Content-Type'] ?? '') ?? 'other',
    seconds: (performance.now() - startedAtMs) / 1000,
    reason: trace.reason,
    consumerKey: trace.consumerKey,
    isCall: false,
  };
}

/** @param error The call's failure, if any. */
export function callObservation(
  error: SocialError | undefined,
  { operation, consumerKey }: Trace,
  startedAtMs: number,
): Observation {
  const seconds = (performance.now() - startedAtMs) / 1000;
  return {
    operation,
    status: error?.status ?? 200,
    format: 'json',
    seconds,
    reason: error?.code,
    consumerKey,
    isCall: true,
  };
}

const formats: ReadonlyMap<string, Observation['format']> = new Map([
  ['application/json; charset=utf-8', 'json'],
  ['application/xml; charset=utf-8', 'xml'],
  ['application/atom+xml; charset=utf-8', 'atom'],
]);
