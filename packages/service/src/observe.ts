import type { OperationId, SocialError } from '@gantry/wire';
import type { Answer } from './exchange.ts';

/** One answer of the service, or to one call of a JSON-RPC request, for whoever counts and logs. Nothing in it is text that a client chose. */
export interface Observation {
  /** Row of §4 that the request was for; absent where none was found. */
  readonly operation: OperationId | undefined;
  /** Of a call that failed: the status that REST would have answered. */
  readonly status: number;
  readonly format: 'json' | 'xml' | 'atom' | 'other';
  readonly seconds: number;
  /** Why it was refused: the word of `oauth_problem`, or the code of the error. */
  readonly reason: string | undefined;
  /** Key of the consumer whose signature was verified. For a log it is hashed: it names a client. */
  readonly consumerKey: string | undefined;
  /** True for a call: the request that it is part of is observed too, after it, without an operation. */
  readonly isCall: boolean;
}

export type Observe = (observation: Observation) => void;

/** What a request turns out to be, noted on its way through the service. */
export interface Seen {
  operation?: OperationId | undefined;
  consumerKey?: string;
  reason?: string;
}

export function observation({ status, headers }: Answer, seen: Seen, startedAtMs: number): Observation {
  return {
    operation: seen.operation,
    status,
    format: formats.get(headers['Content-Type'] ?? '') ?? 'other',
    seconds: (performance.now() - startedAtMs) / 1000,
    reason: seen.reason,
    consumerKey: seen.consumerKey,
    isCall: false,
  };
}

/** @param error What the call was refused with, if it was. */
export function callObservation(
  error: SocialError | undefined,
  { operation, consumerKey }: Seen,
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
