import type { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Area } from './area.ts';
import type { Client } from './client-address.ts';

/** Data of one HTTP request, available to all code that works on it. */
export interface RequestContext {
  /** Id of the request in logs, in `X-Request-Id` of the response and upstream. */
  readonly id: string;
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

/** Makes a request's context. Only a trusted proxy's safe `X-Request-Id` is used. */
export function requestContext(from: Pick<RequestContext, 'client' | 'area' | 'incoming'>): RequestContext {
  const header = from.incoming.headers['x-request-id'];
  const isUsable = from.client.isForwarded && typeof header === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(header);
  return {
    id: isUsable ? header : randomUUID(),
    ...from,
    operation: undefined,
    reason: undefined,
    consumerKey: undefined,
  };
}
