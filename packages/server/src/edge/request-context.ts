import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Area } from './area.ts';
import type { Client } from './client-address.ts';

/** What belongs to one HTTP request while it is worked on, wherever that happens. */
export interface RequestContext {
  /** Names the request in logs, in the answer's `X-Request-Id` and upstream. */
  readonly id: string;
  readonly client: Client;
  readonly area: Area;
  readonly incoming: IncomingMessage;
  /** What the service found it to be; of one that asks for several things, the last. */
  operation?: string | undefined;
  reason?: string | undefined;
  consumerKey?: string | undefined;
}

/** Carries the context from the edge to whatever works on the request, without a parameter for it in between. */
export type RequestContexts = AsyncLocalStorage<RequestContext>;

export function createRequestContexts(): RequestContexts {
  return new AsyncLocalStorage();
}

/** Makes the context of a request. Its `X-Request-Id` counts from a trusted proxy only, if it is harmless in a log and a header. */
export function requestContext(from: {
  readonly client: Client;
  readonly area: Area;
  readonly incoming: IncomingMessage;
}): RequestContext {
  const { client, area, incoming } = from;
  const given = incoming.headers['x-request-id'];
  const isUsable = client.isForwarded && typeof given === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(given);
  return {
    id: isUsable ? given : randomUUID(),
    client,
    area,
    incoming,
    operation: undefined,
    reason: undefined,
    consumerKey: undefined,
  };
}
