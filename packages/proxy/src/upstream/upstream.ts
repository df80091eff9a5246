import { signRequest } from '@gantry/oauth';
import { type Call, type HttpMethod, operation, restPath, SocialError, type UnsignedRead } from '@gantry/wire';
import type { CallContext } from '../call-path.ts';
import type { Ports } from '../ports.ts';
import type { UpstreamAttempt } from '../proxy-observer.ts';
import type { Breaker } from './breaker.ts';

/** A request, which is signed when its headers are first read. */
export interface UpstreamRequest {
  readonly method: HttpMethod;
  readonly url: string;
  /** Path and query of `url`, exactly as they were signed. */
  readonly rawTarget: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The same without a signature, for a service in this process. Absent for a write. */
  readonly read?: UnsignedRead | undefined;
}

/** An upstream's answer, with the headers that the proxy reads. */
export interface UpstreamAnswer {
  readonly status: number;
  readonly text: string;
  readonly retryAfter?: string | undefined;
  readonly etag?: string | undefined;
  readonly cacheControl?: string | undefined;
  readonly age?: string | undefined;
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

/** A call to sign, for its viewer, and to send. The id of a post is its `Idempotency-Key`. */
export type UpstreamCall = Pick<CallContext, 'request' | 'consumer' | 'asker'> & { readonly call: Pick<Call, 'write'> };

/** Sends a call. @param etag Validator of the cached reply. */
export type SendCall = (call: UpstreamCall, etag?: string) => Promise<UpstreamAnswer>;

export interface UpstreamOptions extends Pick<Ports, 'now' | 'random' | 'pause' | 'observe'> {
  readonly upstream: Upstream;
  /** REST root as it is signed, without a final slash. */
  readonly upstreamUrl: string;
  /** Bound on all attempts of a call together. */
  readonly deadlineMs: number;
  readonly breaker: Breaker;
  readonly traceHeaders?: (() => Readonly<Record<string, string>>) | undefined;
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
  const { upstream, upstreamUrl, deadlineMs, breaker, now, random, pause, traceHeaders, observe } = options;
  const { origin } = requireRoot(upstreamUrl);
  let inFlight = 0;

  function requestOf(context: UpstreamCall, etag: string | undefined): UpstreamRequest {
    const { request, consumer, asker } = context;
    const { method } = request;
    const url = upstreamUrl + targetOf(context);
    // A URL that `new URL` rewrites, such as for dots or backslashes, is not sent as it was signed.
    if (!url.startsWith(`${upstreamUrl}/`) || new URL(url).href !== url) {
      throw new SocialError('BAD_REQUEST', 'This request has no address below the REST root.');
    }
    const rawTarget = url.slice(origin.length);
    const body = request.body && JSON.stringify(request.body);
    let headers: UpstreamRequest['headers'] | undefined;
    return {
      method,
      url,
      rawTarget,
      get headers() {
        headers ??= signedHeaders(context, { url, body, etag });
        return headers;
      },
      ...(body !== undefined && { body }),
      ...(method === 'GET' && { read: { rawTarget, consumerKey: consumer.key, requestorId: asker.viewer, etag } }),
    };
  }

  function signedHeaders(
    { request, consumer, call }: UpstreamCall,
    { url, body, etag }: { readonly url: string; readonly body: string | undefined; readonly etag: string | undefined },
  ): UpstreamRequest['headers'] {
    const { authorization } = signRequest({
      method: request.method,
      url,
      consumer,
      ...(body !== undefined && { body }),
      timestamp: Math.floor(now() / 1000),
      nonce: Buffer.from(random(16)).toString('hex'),
    });
    const headers: Record<string, string> = { ...traceHeaders?.(), authorization, accept: 'application/json' };
    if (body !== undefined) headers['content-type'] = 'application/json';
    const isPost = operation(request.operation).isIdempotent === false;
    if (call.write !== undefined && isPost) headers['idempotency-key'] = call.write;
    if (etag !== undefined) headers['if-none-match'] = etag;
    return headers;
  }

  async function attempt(call: UpstreamCall, etag: string | undefined, leftMs: number): Promise<UpstreamAnswer> {
    const request = requestOf(call, etag);
    const pass = breaker.enter();
    const startedAtMs = performance.now();
    const done = (outcome: UpstreamAttempt['outcome'], status?: number) => {
      pass(outcome === 'answered');
      if (!observe?.attempt) return;
      const { app, viewer: requestor } = call.asker;
      const { operation: id, method } = call.request;
      const seconds = (performance.now() - startedAtMs) / 1000;
      observe.attempt({ outcome, seconds, app, requestor, operation: id, method, target: request.rawTarget, status });
    };
    inFlight++;
    try {
      const answer = await inTime(upstream(request, { deadlineMs: leftMs }), leftMs);
      done(unavailable.has(answer.status) ? 'unavailable' : 'answered', answer.status);
      return answer;
    } catch (error) {
      const code = error instanceof SocialError ? error.code : undefined;
      done(code === 'UPSTREAM_FAILED' ? 'answered' : code === 'TIMED_OUT' ? 'late' : 'unreachable');
      throw error;
    } finally {
      inFlight--;
    }
  }

  return async (call, etag) => {
    const untilMs = now() + deadlineMs;
    const isRead = call.request.method === 'GET';
    for (let attempts = 1; ; attempts++) {
      if (inFlight >= maxInFlight) {
        throw new SocialError('UNAVAILABLE', 'The site has too many requests in flight.', { retryAfter: 1 });
      }
      const answer = attempt(call, etag, untilMs - now());
      if (attempts === maxAttempts || !(await canRetry(answer, isRead))) return answer;
      // Jitter: 50 to 150 % of 100 ms, then of 300 ms.
      const delayMs = 100 * 3 ** (attempts - 1) * (0.5 + (random(1)[0] ?? 0) / 256);
      if (now() + delayMs >= untilMs) return answer;
      await pause(delayMs);
      if (breaker.state !== 'closed') return answer; // says more than UNAVAILABLE
    }
  };
}

/** Returns path and query below the REST root. Servers expect the requestor in the query. */
export function targetOf({ request, asker }: Pick<UpstreamCall, 'request' | 'asker'>): string {
  const query = [...request.query, ['xoauth_requestor_id', asker.viewer] as const];
  return restPath({ segments: request.segments, query });
}

async function canRetry(attempt: Promise<UpstreamAnswer>, isRead: boolean): Promise<boolean> {
  try {
    const { status, retryAfter = '0' } = await attempt;
    // The app receives an upstream's own Retry-After instead.
    return isRead && unavailable.has(status) && retryAfter === '0';
  } catch (error) {
    return !(error instanceof SocialError) && (isRead || error instanceof NotSent);
  }
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
