import type { WireError } from './social-error.ts';

/** Single result of the REST API. */
export interface EntryEnvelope<T> {
  readonly entry: T;
}

interface PagePosition {
  readonly startIndex: number;
  readonly totalResults: number;
  readonly itemsPerPage: number;
}

/** List result of the REST API. */
export interface ListEnvelope<T> extends PagePosition {
  readonly entry: readonly T[];
}

/** A list as apps see it. */
export interface Collection<T> extends PagePosition {
  readonly list: readonly T[];
}

/** Reply to one call as it crosses the port and the proxy: plain data, never an exception. */
export type Reply<T = unknown> = { readonly ok: T; readonly meta?: ReplyMeta } | { readonly error: WireError };

/** Source and age of a result. The container adds it. */
export interface ReplyMeta {
  /** Milliseconds since the answer arrived at the container. */
  readonly ageMs: number;
  readonly source: 'cache' | 'network';
  /** A newer result is being fetched, or cannot be fetched now. */
  readonly stale?: true;
  /** Includes a write that the site has not confirmed. */
  readonly pending?: true;
}
