import type { Database, Statement } from '@gantry/store';
import { type Asker, type Call, type Reply, resolveRequest, SocialError, type WireError } from '@gantry/wire';
import { createCallers, requireRunning } from './access.ts';
import { admit } from './admission.ts';
import { createAnswerRooms } from './answer-rooms.ts';
import { asReady } from './as-ready.ts';
import { readCalls } from './call-body.ts';
import type { Send, SignedIn } from './call-path.ts';
import type { GadgetTokens } from './gadget-token.ts';
import { createOrder } from './in-order.ts';
import { linesBody } from './lines-body.ts';
import type { Endpoint } from './page-request.ts';
import type { Refusal } from './proxy-observer.ts';
import { privateHeaders } from './responses.ts';

/** Where the proxy says what it cannot tell an app. A pino logger is one. */
export interface Log {
  error(details: object, message: string): void;
  info(details: object, message: string): void;
}

const atOnce = 50;

/**
 * Answers `POST /gantry/calls`: one line of JSON for each call, as soon as it is ready.
 *
 * @param options.paused As `Access.isPaused` is read.
 * @param options.charge Counts a call of a member before anything is worked out for it. Throws SocialError RATE_LIMITED.
 * @param options.send The way of a call once it is known whose it is and what it asks.
 */
export function createCalls(options: {
  readonly db: Database;
  readonly secretKey: Uint8Array;
  readonly tokens: GadgetTokens;
  readonly charge: (asker: SignedIn) => void;
  readonly send: Send;
  readonly textOf: (reply: Reply) => string;
  readonly now: () => number;
  readonly log: Log;
  readonly paused?: Statement | undefined;
  /** Receives each call that gets an error. */
  readonly refused?: ((refusal: Refusal) => void) | undefined;
}): Endpoint {
  const { db, secretKey, tokens, charge, send, textOf, now, log, paused, refused } = options;
  const findCallers = createCallers(db, secretKey, paused);

  return async (page, viewer) => {
    const asked = await readCalls(page);
    const admitted = await admit(asked, { tokens, viewer });
    const apps = asked.calls.flatMap(({ instance }) => {
      const gadget = admitted(instance);
      return 'asker' in gadget ? [gadget.asker.app] : [];
    });
    const callers = await findCallers({ viewer, apps: [...new Set(apps)] });
    const receivedMs = now();
    const inOrder = createOrder();
    const rooms = createAnswerRooms();

    async function answer(call: Call): Promise<string> {
      const gadget = admitted(call.instance);
      if ('error' in gadget) return errorLine(call, gadget.error);
      const { asker } = gadget;
      try {
        requireSignedIn(asker);
        charge(asker);
        const resolved = resolveRequest(call, asker);
        const caller = callers.get(asker.app);
        if (caller === undefined) throw new SocialError('NOT_FOUND', 'This app is no longer registered.');
        requireRunning(caller.access, gadget);
        const asking = { call, request: resolved, asker, ...caller, receivedMs };
        const isWrite = resolved.method !== 'GET';
        return await inOrder({ app: asker.app, isWrite }, () =>
          rooms.run({ app: asker.app, request: resolved }, async () => {
            const reply = await send(asking);
            return 'error' in reply ? errorLine(call, reply.error, asker) : lineOf(call, reply);
          }),
        );
      } catch (error) {
        return errorLine(call, errorOf(error, call.operation, asker), asker);
      }
    }

    const [first, ...others] = asked.calls;
    const body =
      first !== undefined && others.length === 0
        ? await answer(first)
        : await linesBody(asReady(asked.calls, atOnce, answer));
    return { status: 200, headers: answerHeaders, body };
  };

  // The `CallReply`: the reply's own JSON, with the call's id before it.
  function lineOf({ id }: Call, reply: Reply): string {
    return `{"id":${JSON.stringify(id)},${textOf(reply).slice(1)}\n`;
  }

  function errorLine(call: Call, error: WireError, asker?: Asker): string {
    refused?.({ error, operation: call.operation, ...(asker && { app: asker.app, viewer: asker.viewer }) });
    return lineOf(call, { error });
  }

  function errorOf(error: unknown, operation: string, { app }: Asker): WireError {
    if (error instanceof SocialError) return error.toWire();
    // Only the kind: what fetch and database drivers say can quote headers.
    log.error({ app, operation, kind: kindOf(error) }, 'upstream failed');
    return new SocialError('UPSTREAM_FAILED', 'The site could not be reached.').toWire();
  }
}

function requireSignedIn(asker: Asker): asserts asker is SignedIn {
  if (asker.viewer === undefined) throw new SocialError('UNAUTHORIZED', 'Nobody is signed in.');
}

function kindOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (cause instanceof Error) return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.name;
  return typeof cause;
}

// Not `no-store`: Chromium reports a stream that says so as aborted although every byte was read. No cache keeps the answer of
// a POST that names no age.
const answerHeaders = {
  ...privateHeaders,
  'Cache-Control': 'private, no-cache',
  'Content-Type': 'application/x-ndjson; charset=utf-8',
};
