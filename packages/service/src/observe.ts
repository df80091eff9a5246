import type { OperationId } from '@gantry/wire';
import { contentTypes, type Format } from './formats/format.ts';

/** Metrics of one answer, or of one JSON-RPC call. Holds no text that a client chose. */
export interface Observation {
  /** Operation of §4; absent if none was found. */
  readonly operation: OperationId | undefined;
  /** For a failed call: the status that REST would have. */
  readonly status: number;
  readonly format: Format | 'other';
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

/** Returns the observation of a request, or of the one call in it that `isCall` marks. */
export function observation(
  { operation, consumerKey, reason }: Trace,
  { status, type, startedAtMs, isCall = false }: Outcome,
): Observation {
  const seconds = (performance.now() - startedAtMs) / 1000;
  return { operation, status, format: formats.get(type) ?? 'other', seconds, reason, consumerKey, isCall };
}

interface Outcome {
  readonly status: number;
  /** `Content-Type` of the answer. */
  readonly type: string;
  readonly startedAtMs: number;
  readonly isCall?: boolean;
}

const formats: ReadonlyMap<string, Observation['format']> = new Map(
  Object.entries(contentTypes).map(([format, type]) => [type, format as Format]),
);
