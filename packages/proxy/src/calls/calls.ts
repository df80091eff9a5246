import type { Statement } from '@gantry/store';
import {
  type Asker,
  type Call,
  type CallsRequest,
  type Reply,
  resolveRequest,
  SocialError,
  type WireError,
} from '@gantry/wire';
import { requireActive } from '../access/access.ts';
import { createCallerLookup } from '../access/callers.ts';
import type { AppVersions } from '../apps/app-version.ts';
import type { Send, SignedIn } from '../call-path.ts';
import type { GadgetTokens } from '../gadgets/gadget-token.ts';
import { identifyGadgets, noToken } from '../gadgets/identify-gadgets.ts';
import { readBody } from '../http/container-request.ts';
import type { Endpoint } from '../http/page-request.ts';
import { privateHeaders } from '../http/responses.ts';
import type { Ports } from '../ports.ts';
import { createAnswerBudgets } from './answer-budgets.ts';
import { callsSchema } from './call-body.ts';
import { ndjsonBody } from './ndjson-body.ts';
import { runConcurrently } from './run-concurrently.ts';
import { createWriteOrder } from './write-order.ts';

const atOnce = 50;

/**
 * Answers `POST /gantry/calls` with one line of JSON for each call, in order of completion.
 *
 * @param options.charge Counts a call before any other work on it. Throws SocialError RATE_LIMITED.
 */
export function createCallsEndpoint(
  options: Pick<Ports, 'db' | 'now' | 'log' | 'observe'> & {
    readonly secretKey: Uint8Array;
    readonly tokens: GadgetTokens;
    readonly versions: Pick<AppVersions, 'find' | 'stillShown'>;
    readonly charge: (asker: SignedIn) => Promise<void> | undefined;
    readonly send: Send;
    readonly jsonOf: (reply: Reply) => string;
    readonly paused?: Statement | undefined;
  },
): Endpoint {
  const { tokens, charge, send, jsonOf, now, log, observe } = options;
  const findCallers = createCallerLookup(options);

  return async (page, viewer) => {
    const body = (await readBody(page, callsSchema)) as CallsRequest;
    const used = new Set(body.calls.map(({ instance }) => instance));
    const usedTokens = Object.entries(body.tokens).filter(([instance]) => used.has(instance));
    const identities = await identifyGadgets(usedTokens, { tokens, viewer });
    const gadgets = [...identities.values()].flatMap((identity) => ('gadget' in identity ? [identity.gadget] : []));
    const callerOf = await findCallers({ viewer: viewer?.id, gadgets });
    const receivedMs = now();
    const afterWrites = createWriteOrder();
    const withinBudget = createAnswerBudgets();
    let counting: Promise<unknown> | undefined;

    /** Counts calls in their order, which writes keep: at once, if none waits for the database. */
    function count(asker: SignedIn): Promise<void> | undefined {
      const counted = counting ? counting.then(() => charge(asker)) : charge(asker);
      if (counted === undefined) return undefined;
      const settled = counted
        .catch(() => undefined)
        .then(() => {
          if (counting === settled) counting = undefined;
        });
      counting = settled;
      return counted;
    }

    async function answer(call: Call): Promise<string> {
      const identity = identities.get(call.instance) ?? noToken;
      if ('error' in identity) return errorLine(call, identity.error);
      const { asker, gadget } = identity;
      try {
        requireSignedIn(asker);
        const counted = count(asker);
        if (counted !== undefined) await counted;
        const resolved = resolveRequest(call, asker);
        const caller = callerOf(gadget);
        if (caller === undefined) throw new SocialError('NOT_FOUND', 'This app is no longer registered.');
        requireActive(caller.access, gadget);
        const context = { call, request: resolved, asker, ...caller, receivedMs };
        const isWrite = resolved.method !== 'GET';
        return await afterWrites({ app: asker.app, isWrite }, () =>
          withinBudget({ app: asker.app, request: resolved }, async () => {
            const reply = await send(context);
            return 'error' in reply ? errorLine(call, reply.error, asker) : lineOf(call, reply);
          }),
        );
      } catch (error) {
        return errorLine(call, errorOf(error, call.operation, asker), asker);
      }
    }

    const [first, ...others] = body.calls;
    const isSingle = first && others.length === 0;
    const lines = isSingle ? await answer(first) : await ndjsonBody(runConcurrently(body.calls, atOnce, answer));
    return { status: 200, headers: answerHeaders, body: lines };
  };

  // A `CallReply`: the call's id inserted into the reply's JSON.
  function lineOf({ id }: Call, reply: Reply): string {
    return `{"id":${JSON.stringify(id)},${jsonOf(reply).slice(1)}\n`;
  }

  function errorLine(call: Call, error: WireError, asker?: Asker): string {
    observe?.refused?.({ error, operation: call.operation, ...(asker && { app: asker.app, viewer: asker.viewer }) });
    return lineOf(call, { error });
  }

  function errorOf(error: unknown, operation: string, { app }: Asker): WireError {
    if (error instanceof SocialError) return error.toWire();
    // Only the kind: messages of fetch and database drivers may quote headers.
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

// Not `no-store`: Chromium reports such a stream as aborted although every byte was read. Caches
// keep no answer to a POST without an explicit age.
const answerHeaders = {
  ...privateHeaders,
  'Cache-Control': 'private, no-cache',
  'Content-Type': 'application/x-ndjson; charset=utf-8',
};
