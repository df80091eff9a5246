import { signRequest } from '@gantry/oauth';
import {
  type HttpMethod,
  type OperationId,
  operation,
  type ResolvedRequest,
  restPath,
  SocialError,
} from '@gantry/wire';
import type { Consumer } from '../apps/registrations.ts';
import type { Breaker } from './breaker.ts';

/** A signed request. */
export interface UpstreamRequest {
  readonly method: HttpMethod;
  readonly url: string;
  /** Path and query of `url`, exactly as they were signed. */
  readonly rawTarget: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** An upstream's answer, with the headers that the proxy reads. */
export interface UpstreamAnswer {
  readonly status: number;
  readonly text: string;
  readonly retryAfter?: string | undefined;
  readonly etag?: string | undefined;
  readonly cacheControl?: string | undefined;
}

/**
 * Port to the Social REST API: `createServiceUpstream` or `createHttpUpstream`.
 *
 * @param options.deadlineMs Time after which the answer is ignored.
 * @throws Any error; `NotSent` if the site has received nothing of the request.
 */
export type Upstream = (request: UpstreamRequest, options: { readonly deadlineMs: number }) => Promise<UpstreamAnswer>;

/** Thrown if the connection failed, so that even a write can be retried. */
export class NotSent extends Error {
  override readonly name = 'NotSent';
}

/** A call to sign and send. */
export interface UpstreamCall {
  readonly request: ResolvedRequest;
  readonly consumer: Consumer;
  /** The member to sign for. */
  readonly requestor: string;
  /** Id of the calling app, for the observer. */
  readonly app?: string | undefined;
  /** Validator of the cached reply. */
  readonly etag?: string | undefined;
  /** Id of a write, the same for each retry. Sent as `Idempotency-Key` of a post. */
  readonly write?: string | undefined;
}

export type SendCall = (call: UpstreamCall) => Promise<UpstreamAnswer>;

/** Outcome of one signed request, without key and signature. */
export interface UpstreamAttempt extends Pick<UpstreamCall, 'app' | 'requestor'> {
  readonly outcome: 'answered' | 'unavailable' | 'unreachable' | 'late';
  readonly seconds: number;
  readonly operation: OperationId;
  readonly method: HttpMethod;
  /** Path and query. */
  readonly target: string;
  /** HTTP status, if there was an answer. */
  readonly status?: number | undefined;
}

/** The upstream of a site, and the ports of its client. */
export interface UpstreamOptions {
  readonly upstream: Upstream;
  /** REST root as it is signed, without a final slash. */
  readonly upstreamUrl: string;
  /** Bound on all attempts of a call together. */
  readonly deadlineMs: number;
  readonly breaker: Breaker;
  readonly now: () => number;
  readonly random: (bytes: number) => Uint8Array;
  readonly pause: (ms: number) => Promise<unknown>;
  readonly requestId?: (() => string | undefined) | undefined;
  readonly observe?: ((attempt: UpstreamAttempt) => void) | undefined;
}

const maxInFlight = 500;
const maxAttempts = 3;
const unavailable: ReadonlySet<number> = new Set([502, 503, 504]);

/**
 * Makes the client that signs calls for one member and sends exactly the signed bytes (security
 * rules 8, 12 and 15). A failed read is retried up to twice, each time with a fresh nonce; a write
 * only if the site has received nothing of it.
 *
 * @throws Error in one line if `upstreamUrl` is not a plain http(s) URL.
 */
export function createUpstream(options: UpstreamOptions): SendCall {
  const { upstream, upstreamUrl, deadlineMs, breaker, now, random, pause, requestId, observe } = options;
  const { origin } = requireRoot(upstreamUrl);
  let inFlight = 0;

  function sign({ request, consumer, requestor, etag, write }: UpstreamCall): UpstreamRequest {
    // Servers of this API expect the requestor in the query.
    const query = [...request.query, ['xoauth_requestor_id', requestor] as const];
    const url = upstreamUrl + restPath({ segments: request.segments, query });
    // A URL that `new URL` rewrites, such as for dots or backslashes, is not sent as it was signed.
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
    if (write !== undefined && operation(request.operation).isIdempotent === false) headers['idempotency-key'] = write;
    if (etag !== undefined) headers['if-none-match'] = etag;
    const id = requestId?.();
    if (id !== undefined) headers['x-request-id'] = id;
    const rawTarget = url.slice(origin.length);
    return { method: request.method, url, rawTarget, headers, ...(body !== undefined && { body }) };
  }

  async function attempt(call: UpstreamCall, leftMs: number): Promise<UpstreamAnswer> {
    const signed = sign(call);
    const pass = breaker.enter();
    const startedAtMs = performance.now();
    const done = (outcome: UpstreamAttempt['outcome'], status?: number) => {
      pass(outcome === 'answered');
      if (!observe) return;
      const { app, requestor, request } = call;
      const { operation: row, method } = request;
      const seconds = (performance.now() - startedAtMs) / 1000;
      observe({ outcome, seconds, app, requestor, operation: row, method, target: signed.rawTarget, status });
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

  return async (call) => {
    const untilMs = now() + deadlineMs;
    const isRead = call.request.method === 'GET';
    for (let attempts = 1; ; attempts++) {
      if (inFlight >= maxInFlight) {
        throw new SocialError('UNAVAILABLE', 'The site has too many requests in flight.', { retryAfter: 1 });
      }
      const [outcome] = await Promise.allSettled([attempt(call, untilMs - now())]);
      if (attempts === maxAttempts || !canRetry(outcome, isRead)) return resultOf(outcome);
      // Jitter: 50 to 150 % of 100 ms, then of 300 ms.
      const delayMs = 100 * 3 ** (attempts - 1) * (0.5 + (random(1)[0] ?? 0) / 256);
      if (now() + delayMs >= untilMs) return resultOf(outcome);
      await pause(delayMs);
      if (breaker.state !== 'closed') return resultOf(outcome); // more telling than UNAVAILABLE
    }
  };
}

function canRetry(outcome: PromiseSettledResult<UpstreamAnswer>, isRead: boolean): boolean {
  if (outcome.status === 'rejected') {
    return !(outcome.reason instanceof SocialError) && (isRead || outcome.reason instanceof NotSent);
  }
  const { status, retryAfter = '0' } = outcome.value;
  // The app receives an upstream's own Retry-After instead.
  return isRead && unavailable.has(status) && retryAfter === '0';
}

function resultOf(outcome: PromiseSettledResult<UpstreamAnswer>): UpstreamAnswer {
  if (outcome.status === 'rejected') throw outcome.reason;
  return outcome.value;
}

function requireRoot(upstreamUrl: string): URL {
  const url = URL.canParse(upstreamUrl) ? new URL(upstreamUrl) : undefined;
  const isPlain = url?.origin + (url?.pathname ?? '').replace(/\/$/, '') === upstreamUrl;
  if (!url || !isPlain || !/^https?:$/.test(url.protocol)) {
    throw new Error(`The REST root must be a URL such as https://site.example/social/rest, not ${upstreamUrl}.`);
  }
  return url;
}

// An upstream in this process may ignore the deadline.
async function inTime<T>(work: Promise<T>, ms: number): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new SocialError('TIMED_OUT', 'The site did not answer in time.')), ms);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
