import type { Statement } from '@gantry/store';
import {
  type Asker,
  type Call,
  type CallsRequest,
  type Reply,
  type ResolvedRequest,
  resolveRequest,
  SocialError,
  type WireError,
} from '@gantry/wire';
import { requireActive } from '../access/access.ts';
import { createCallerLookup } from '../access/callers.ts';
import type { AppVersions } from '../apps/app-version.ts';
import type { Foresee, ForeseenReply, Send, SignedIn } from '../call-path.ts';
import type { GadgetTokens } from '../gadgets/gadget-token.ts';
import { type GadgetIdentity, type KnownGadget, noToken, readTokens } from '../gadgets/identify-gadgets.ts';
import { readBody } from '../http/container-request.ts';
import type { EarlyEndpoint } from '../http/page-request.ts';
import { privateHeaders } from '../http/responses.ts';
import type { Ports } from '../ports.ts';
import { createAnswerBudgets } from './answer-budgets.ts';
import { callsSchema } from './call-body.ts';
import { ndjsonBody } from './ndjson-body.ts';
import { runConcurrently } from './run-concurrently.ts';
import { createWriteOrder } from './write-order.ts';

const atOnce = 50;

/** Calls of one request whose cached replies are looked at before its member is known. */
const mostForeseen = 16;

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
    readonly foresee: Foresee;
    readonly jsonOf: (reply: Reply) => string;
    readonly paused?: Statement | undefined;
  },
): EarlyEndpoint {
  const { tokens, charge, send, foresee, jsonOf, now, log, observe } = options;
  const { find, lastConsumer } = createCallerLookup(options);

  /** Resolves the first reads and looks at their cached replies, by what is known of their apps. */
  function foreseeReads(calls: readonly Call[], identities: ReadonlyMap<string, GadgetIdentity>) {
    const foreseen = new Map<Call, { readonly request: ResolvedRequest; readonly reply: ForeseenReply | undefined }>();
    for (const call of calls.slice(0, mostForeseen)) {
      const identity = identities.get(call.instance) ?? noToken;
      if ('error' in identity || !isSignedIn(identity.asker)) continue;
      const { asker, gadget } = identity;
      const consumer = lastConsumer(asker.app);
      const request = resolved(call, asker);
      if (request?.method !== 'GET') break; // what follows may be read after a write
      const reply = consumer && foresee({ request, asker, consumer, registration: gadget.registration });
      foreseen.set(call, { request, reply });
    }
    return foreseen;
  }

  return async (page, signedIn) => {
    const body = (await readBody(page, callsSchema)) as CallsRequest;
    const used = new Set(body.calls.map(({ instance }) => instance));
    const usedTokens = Object.entries(body.tokens).filter(([instance]) => used.has(instance));
    const { identitiesFor, ofFirstViewer } = await readTokens(usedTokens, tokens);
    // One round trip to the database: all is asked for the member of the first token while the
    // session is looked up, and counts only if it names the same (decision 99).
    const supposed = gadgetsIn(ofFirstViewer);
    const supposedViewer = supposed[0]?.asker.viewer;
    const early = find({ viewer: supposedViewer, gadgets: supposed.map(({ gadget }) => gadget) });
    early.catch(() => {}); // awaited below, if it counts
    const foreseen = foreseeReads(body.calls, ofFirstViewer);
    const viewer = await signedIn;
    const identities = identitiesFor(viewer);
    const gadgets = gadgetsIn(identities).map(({ gadget }) => gadget);
    const callerOf = await (viewer?.id === supposedViewer ? early : find({ viewer: viewer?.id, gadgets }));
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
        // An identity that is valid is the one of the look before, so its asker is too.
        const early = foreseen.get(call);
        const request = early?.request ?? resolveRequest(call, asker);
        const caller = callerOf(gadget);
        if (caller === undefined) throw new SocialError('NOT_FOUND', 'This app is no longer registered.');
        requireActive(caller.access, gadget);
        const context = { call, request, asker, ...caller, receivedMs, foreseen: early?.reply };
        const isWrite = request.method !== 'GET';
        return await afterWrites({ app: asker.app, isWrite }, () =>
          withinBudget({ app: asker.app, request }, async () => {
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

function gadgetsIn(identities: ReadonlyMap<string, GadgetIdentity>): readonly KnownGadget[] {
  return [...identities.values()].flatMap((identity) => ('gadget' in identity ? [identity] : []));
}

/** Returns the request of a call; `undefined` for one that fails, as the call itself reports. */
function resolved(call: Call, asker: Asker): ResolvedRequest | undefined {
  try {
    return resolveRequest(call, asker);
  } catch {
    return undefined;
  }
}

function isSignedIn(asker: Asker): asker is SignedIn {
  return asker.viewer !== undefined;
}

function requireSignedIn(asker: Asker): asserts asker is SignedIn {
  if (!isSignedIn(asker)) throw new SocialError('UNAUTHORIZED', 'Nobody is signed in.');
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
