import type { WireError } from './social-error.ts';

/** Single result of the REST API. */
export interface EntryEnvelope<T> {
  readonly entry: T;
}

/** List result of the REST API. */
export interface ListEnvelope<T> {
  readonly entry: readonly T[];
  readonly startIndex: number;
  readonly totalResults: number;
  readonly itemsPerPage: number;
}

export interface ErrorEnvelope {
  readonly error: WireError;
}

/** A list as apps see it. */
export interface Collection<T> {
  readonly list: readonly T[];
  readonly startIndex: number;
  readonly totalResults: number;
  readonly itemsPerPage: number;
}

/** The answer to one call as it crosses the port and the proxy: plain data, never an exception. */
export type Reply<T = unknown> = { readonly ok: T; readonly meta?: ReplyMeta } | { readonly error: WireError };

/** Where a result comes from. The container adds it; the proxy does not. */
export interface ReplyMeta {
  /** Milliseconds since the answer arrived at the container. */
  readonly ageMs: number;
  readonly source: 'cache' | 'network';
  /** There is, or should be, a newer one: it is being asked for, or cannot be had at the moment. */
  readonly stale?: true;
  /** It shows a write that the site has not confirmed yet. */
  readonly pending?: true;
}
