import type { Database } from '@gantry/store';
import {
  type Asker,
  type Call,
  type CallReply,
  type CallsRequest,
  type Reply,
  type ResolvedRequest,
  resolveRequest,
  SocialError,
  type WireError,
} from '@gantry/wire';
import * as v from 'valibot';
import { asReady } from './as-ready.ts';
import { checked, jsonObject } from './checked.ts';
import { readJsonBody } from './container-request.ts';
import type { GadgetTokens } from './gadget-token.ts';
import { findConsumers } from './registrations.ts';
import { replyOf } from './reply.ts';
import { privateHeaders } from './responses.ts';
import type { Ask } from './upstream.ts';

/** Where the proxy says what it cannot tell an app. A pino logger is one. */
export interface Log {
  error(details: object, message: string): void;
}

const atOnce = 50;
const maxWaitMs = 10_000;

const name = v.pipe(v.string('text'), v.minLength(1, 'given'), v.maxLength(128, 'at most 128 characters'));
const bodySchema = v.object(
  {
    tokens: v.pipe(
      jsonObject,
      v.check((tokens) => Object.values(tokens).every(isToken), 'an object of tokens'),
    ),
    calls: v.pipe(
      v.array(
        v.object(
          { id: name, instance: name, operation: name, params: v.optional(jsonObject, {}) },
          'an object with id, instance and operation',
        ),
        'a list',
      ),
      v.maxLength(500, 'a list of at most 500'),
      v.check(
        (calls) => new Set(calls.map((call) => call.id)).size === calls.length,
        'a list in which each id stands once',
      ),
    ),
  },
  'an object with tokens and calls',
);

/** Answers `POST /gantry/calls`: one line of JSON for each call, as soon as it is ready. */
export function createCalls(options: {
  readonly db: Database;
  readonly secretKey: Uint8Array;
  readonly tokens: GadgetTokens;
  readonly ask: Ask;
  readonly now: () => number;
  readonly log: Log;
}): (request: Request, viewer: string | undefined) => Promise<Response> {
  const { db, secretKey, tokens, ask, now, log } = options;

  return async (request, viewer) => {
    const { tokens: given, calls } = checked(bodySchema, await readJsonBody(request), 'The body') as CallsRequest;
    const used = new Set(calls.map(({ instance }) => instance));
    const tokensInUse = Object.entries(given).filter(([instance]) => used.has(instance));
    const gadgets = await checkTokens(tokensInUse, viewer);
    const apps = [...gadgets.values()].flatMap((gadget) => ('app' in gadget ? [gadget.app] : []));
    const consumers = await findConsumers(db, secretKey, [...new Set(apps)]);
    const receivedMs = now();
    const writes = new Map<string, Promise<unknown>>(); // the last write of each app in this batch

    async function answer({ id, instance, operation, params }: Call): Promise<CallReply> {
      const gadget = gadgets.get(instance);
      if (gadget === undefined) return { id, error: refusal('UNAUTHORIZED', 'This instance has no token here.') };
      if ('code' in gadget) return { id, error: gadget };
      try {
        const resolved = resolveRequest({ operation, params }, gadget);
        const earlier = writes.get(gadget.app);
        const reply = earlier ? earlier.then(() => send(resolved, gadget)) : send(resolved, gadget);
        // Calls of one tick mean their order: what follows a write sees it, and a later write wins.
        const settled = reply.catch(() => undefined);
        if (resolved.method !== 'GET') writes.set(gadget.app, settled);
        return { id, ...(await reply) };
      } catch (error) {
        return { id, error: errorOf(error, operation, gadget) };
      }
    }

    async function send(resolved: ResolvedRequest, asker: Asker): Promise<Reply> {
      const consumer = consumers.get(asker.app);
      if (asker.viewer === undefined) throw new SocialError('UNAUTHORIZED', 'Nobody is signed in.');
      if (consumer === undefined) throw new SocialError('NOT_FOUND', 'This app is no longer registered.');
      // Behind a site that hangs, what waited for its turn would add up to minutes.
      if (now() - receivedMs > maxWaitMs) throw new SocialError('TIMED_OUT', 'The site is too slow at the moment.');
      const { key, secret } = consumer;
      const { operation } = resolved;
      const upstreamAnswer = await ask(resolved, consumer, asker.viewer);
      if (upstreamAnswer.status === 401) log.error({ app: asker.app, operation }, 'upstream refused key or member');
      return replyOf(upstreamAnswer, { operation, asker, hidden: [key, secret], nowMs: now() });
    }

    const lines = ReadableStream.from(linesOf(asReady(calls, atOnce, answer)));
    return new Response(lines, {
      headers: { ...privateHeaders, 'Content-Type': 'application/x-ndjson; charset=utf-8' },
    });
  };

  /** Who each instance speaks for, or why it may not speak. */
  async function checkTokens(
    given: readonly (readonly [instance: string, token: string])[],
    viewer: string | undefined,
  ): Promise<ReadonlyMap<string, Asker | WireError>> {
    const checks = given.map(async ([instance, token]): Promise<[string, Asker | WireError]> => {
      const check = await tokens.check(token);
      if ('refused' in check) {
        const isExpired = check.refused === 'expired';
        return [instance, isExpired ? refusal('TOKEN_EXPIRED', 'The gadget token has expired.') : badToken];
      }
      const { claims } = check;
      if (claims.instance !== instance) return [instance, badToken];
      if (claims.viewer !== viewer) return [instance, refusal('VIEWER_CHANGED', 'Another member is signed in now.')];
      return [instance, { app: claims.app, viewer: claims.viewer, owner: claims.owner }];
    });
    return new Map(await Promise.all(checks));
  }

  function errorOf(error: unknown, operation: string, { app }: Asker): WireError {
    if (error instanceof SocialError) return error.toWire();
    // Only the kind: what fetch and database drivers say can quote headers.
    log.error({ app, operation, kind: kindOf(error) }, 'upstream failed');
    return new SocialError('UPSTREAM_FAILED', 'The site could not be reached.').toWire();
  }
}

const badToken = refusal('UNAUTHORIZED', 'The gadget token is not valid for this instance.');

function refusal(reason: 'UNAUTHORIZED' | 'TOKEN_EXPIRED' | 'VIEWER_CHANGED', message: string): WireError {
  return { code: 401, message, data: { reason } };
}

function isToken(value: unknown): boolean {
  return typeof value === 'string' && value.length <= 4096;
}

function kindOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (cause instanceof Error) return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.name;
  return typeof cause;
}

async function* linesOf(replies: AsyncIterable<CallReply>): AsyncGenerator<Uint8Array> {
  for await (const reply of replies) yield Buffer.from(`${JSON.stringify(reply)}\n`);
}
