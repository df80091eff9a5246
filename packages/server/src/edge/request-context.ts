import type { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Area } from './area.ts';
import type { Client } from './client-address.ts';

/** Data of one HTTP request, available to all code that works on it. */
export interface RequestContext {
  /** Id of the request in logs, in `X-Request-Id` of the response and upstream. */
  readonly id: string;
  /** The request's `traceparent`, and the id of the trace in it (W3C Trace Context). */
  readonly trace?: { readonly header: string; readonly id: string } | undefined;
  readonly client: Client;
  readonly area: Area;
  readonly incoming: IncomingMessage;
  /** Operation that the service found; for a batch, the last. */
  operation?: string | undefined;
  reason?: string | undefined;
  consumerKey?: string | undefined;
}

/** Passes the context from the edge to all work on the request without a parameter. */
export type RequestContexts = AsyncLocalStorage<RequestContext>;

/**
 * Makes a request's context. `X-Request-Id` and `traceparent` count only from a trusted proxy, and
 * if they are well-formed.
 */
export function requestContext(from: Pick<RequestContext, 'client' | 'area' | 'incoming'>): RequestContext {
  const given = from.client.isForwarded ? from.incoming.headers : {};
  return {
    id: matching(given['x-request-id'], /^[A-Za-z0-9._-]{1,64}$/) ?? randomUUID(),
    trace: traceOf(matching(given.traceparent, traceparent)),
    ...from,
    operation: undefined,
    reason: undefined,
    consumerKey: undefined,
  };
}

// Version 00 only: a later one may have fields that this code does not know.
const traceparent = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

function matching(header: string | readonly string[] | undefined, form: RegExp): string | undefined {
  return typeof header === 'string' && form.test(header) ? header : undefined;
}

function traceOf(header: string | undefined): RequestContext['trace'] {
  return header === undefined ? undefined : { header, id: header.slice(3, 35) };
}
