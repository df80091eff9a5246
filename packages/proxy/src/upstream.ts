import { signRequest } from '@gantry/oauth';
import { type HttpMethod, type OperationId, type ResolvedRequest, restPath, SocialError } from '@gantry/wire';
import type { Breaker } from './breaker.ts';
import type { Consumer } from './registrations.ts';

/** A signed request, as it goes out. */
export interface UpstreamRequest {
  readonly method: HttpMethod;
  readonly url: string;
  /** Path and query of `url`, exactly as they were signed. */
  readonly rawTarget: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface UpstreamAnswer {
  readonly status: number;
  readonly text: string;
  /** Headers that matter here. */
  readonly retryAfter?: string | undefined;
  readonly etag?: string | undefined;
  readonly cacheControl?: string | undefined;
}

/**
 * The Social REST API behind the proxy: the service in this process, or `createHttpUpstream`.
 *
 * @param options.deadlineMs After which nobody waits any more.
 * @throws What it likes; `NotSent` promises that the site has seen nothing of the request.
 */
export type Upstream = (request: UpstreamRequest, options: { readonly deadlineMs: number }) => Promise<UpstreamAnswer>;

/** The connection was not made. */
export class NotSent extends Error {
  override readonly name = 'NotSent';
}

export interface Question {
  readonly request: ResolvedRequest;
  readonly consumer: Consumer;
  /** The member to sign for. */
  readonly requestor: string;
  /** Id of the app that asks, for the observer. */
  readonly app?: string | undefined;
  /** Validator of an answer that is known already. */
  readonly etag?: string | undefined;
  /** Names a post, however often it is sent; it goes upstream as `Idempotency-Key`. */
  readonly write?: string | undefined;
}

export type Ask = (question: Question) => Promise<UpstreamAnswer>;

/** One signed request, and how it went. Without what signed it. */
export interface Attempt extends Pick<Question, 'app' | 'requestor'> {
  readonly outcome: 'answered' | 'unavailable' | 'unreachable' | 'late';
  readonly seconds: number;
  readonly operation: OperationId;
  readonly method: HttpMethod;
  /** Path and query. */
  readonly target: string;
  /** HTTP status; absent where no answer came. */
  readonly status?: number | undefined;
}

export interface UpstreamOptions {
  readonly upstream: Upstream;
  /** REST root as it is signed, without a final slash. */
  readonly upstreamUrl: string;
  /** From the first attempt to the last byte of the last. */
  readonly deadlineMs: number;
  readonly breaker: Breaker;
  readonly now: () => number;
  readonly random: (bytes: number) => Uint8Array;
  readonly pause: (ms: number) => Promise<unknown>;
  readonly requestId?: (() => string | undefined) | undefined;
  readonly observe?: ((attempt: Attempt) => void) | undefined;
}

/** A site that has this many requests to answer is not sent another one. */
const maxInFlight = 500;
const maxAttempts = 3;
const unavailable: ReadonlySet<number> = new Set([502, 503, 504]);

/**
 * Signs requests for one member and sends exactly what it signed (security rules 8, 12 and 15). A read that a site could not
 * answer is tried up to twice more, each time with a fresh nonce; a write only where the site has seen nothing of it.
 *
 * @throws Error in one line for an `upstreamUrl` that is not a plain http(s) URL.
 */
export function createUpstream(options: UpstreamOptions): Ask {
  const { upstream, upstreamUrl, deadlineMs, breaker, now, random, pause, requestId, observe } = options;
  const { origin } = requireRoot(upstreamUrl);
  let inFlight = 0;

  function sign({ request, consumer, requestor, etag, write }: Question): UpstreamRequest {
    // In the query, where servers of this API look for it. An id needs no encoding but for its colon.
    const query = [...request.query, ['xoauth_requestor_id', requestor] as const];
    const url = upstreamUrl + restPath({ segments: request.segments, query });
    // URL would rewrite dots, backslashes and the like: what it leaves as it is, is what will be sent.
    if (!url.startsWith(`${upstreamUrl}/`) || new URL(url).href !== url) {
      throw new SocialError('BAD_REQUEST', 'This request has no address below the REST root.');
    }
    const body = request.body && JSON.stringify(request.body);
    const { authorization } = signRequest({
      method: request.method,
      url,
      consumer,
      ...(body !== undefined && { body }),
      timestamp: Math.floor(now() / 1000),
      nonce: Buffer.from(random(16)).toString('hex'),
    });
    const headers: Record<string, string> = { authorization, accept: 'application/json' };
    if (body !== undefined) headers['content-type'] = 'application/json';
    if (write !== undefined && request.operation === 'activities.create') headers['idempotency-key'] = write;
    if (etag !== undefined) headers['if-none-match'] = etag;
    const id = requestId?.();
    if (id !== undefined) headers['x-request-id'] = id;
    const rawTarget = url.slice(origin.length);
    return { method: request.method, url, rawTarget, headers, ...(body !== undefined && { body }) };
  }

  async function attempt(question: Question, leftMs: number): Promise<UpstreamAnswer> {
    const signed = sign(question);
    const pass = breaker.enter();
    const startedAtMs = performance.now();
    const done = (outcome: Attempt['outcome'], status?: number) => {
      pass(outcome === 'answered');
      if (!observe) return;
      const { app, requestor, request } = question;
      const { operation, method } = request;
      const seconds = (performance.now() - startedAtMs) / 1000;
      observe({ outcome, seconds, app, requestor, operation, method, target: signed.rawTarget, status });
    };
    inFlight++;
    try {
      const answer = await inTime(upstream(signed, { deadlineMs: leftMs }), leftMs);
      done(unavailable.has(answer.status) ? 'unavailable' : 'answered', answer.status);
      return answer;
    } catch (error) {
      const isAnswer = error instanceof SocialError && error.code === 'UPSTREAM_FAILED';
      const isLate = error instanceof SocialError && error.code === 'TIMED_OUT';
      done(isAnswer ? 'answered' : isLate ? 'late' : 'unreachable');
      throw error;
    } finally {
      inFlight--;
    }
  }

  return async (question) => {
    const untilMs = now() + deadlineMs;
    const isRead = question.request.method === 'GET';
    for (let attempts = 1; ; attempts++) {
      if (inFlight >= maxInFlight) {
        throw new SocialError('UNAVAILABLE', 'Too much is being asked of the site at once.', { retryAfter: 1 });
      }
      const outcome = await settled(attempt(question, untilMs - now()));
      if (attempts === maxAttempts || !canRepeat(outcome, isRead)) return resultOf(outcome);
      // Half to one and a half times 100 ms, then 300 ms: those who failed together do not come back together.
      const delayMs = 100 * 3 ** (attempts - 1) * (0.5 + (random(1)[0] ?? 0) / 256);
      if (now() + delayMs >= untilMs) return resultOf(outcome);
      await pause(delayMs);
      if (breaker.state !== 'closed') return resultOf(outcome); // which says more than that the site is left alone
    }
  };
}

type Outcome = { readonly answer: UpstreamAnswer } | { readonly error: unknown };

function canRepeat(outcome: Outcome, isRead: boolean): boolean {
  if ('error' in outcome)
    return !(outcome.error instanceof SocialError) && (isRead || outcome.error instanceof NotSent);
  const { status, retryAfter = '0' } = outcome.answer;
  // A site that says when to come back knows better than our pauses: the app is told.
  return isRead && unavailable.has(status) && retryAfter === '0';
}

function settled(work: Promise<UpstreamAnswer>): Promise<Outcome> {
  return work.then(
    (answer) => ({ answer }),
    (error: unknown) => ({ error }),
  );
}

function resultOf(outcome: Outcome): UpstreamAnswer {
  if ('error' in outcome) throw outcome.error;
  return outcome.answer;
}

function requireRoot(upstreamUrl: string): URL {
  const url = URL.canParse(upstreamUrl) ? new URL(upstreamUrl) : undefined;
  const isPlain = url?.origin + (url?.pathname ?? '').replace(/\/$/, '') === upstreamUrl;
  if (!url || !isPlain || !/^https?:$/.test(url.protocol)) {
    throw new Error(`The REST root must be a URL such as https://site.example/social/rest, not ${upstreamUrl}.`);
  }
  return url;
}

// An upstream in this process need not know about deadlines, so the race ends the wait in any case.
async function inTime<T>(work: Promise<T>, ms: number): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new SocialError('TIMED_OUT', 'The site did not answer in time.')), ms);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
