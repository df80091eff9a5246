import { signRequest } from '@gantry/oauth';
import { type ResolvedRequest, restPath, SocialError } from '@gantry/wire';
import { readBytes } from './read-bytes.ts';
import type { Consumer } from './registrations.ts';

/**
 * The Social REST API behind the proxy: the service's own `handle`, or `fetch`.
 *
 * @param rawTarget Path and query exactly as they were signed.
 */
export type Upstream = (request: Request, rawTarget: string) => Promise<Response>;

export interface UpstreamAnswer {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly text: string;
}

/** @param write Names a post, however often it is sent; it goes upstream as `Idempotency-Key`. */
export type Ask = (
  request: ResolvedRequest,
  consumer: Consumer,
  requestor: string,
  write?: { readonly key: string | undefined },
) => Promise<UpstreamAnswer>;

const maxAnswerBytes = 2 * 1024 * 1024;

/**
 * Signs requests for one member and sends exactly what it signed (security rules 8, 12 and 15).
 *
 * @param options.upstreamUrl REST root as it is signed, without a final slash.
 * @param options.deadlineMs From the first byte sent to the last byte read.
 * @throws Error in one line for an `upstreamUrl` that is not a plain http(s) URL.
 */
export function createUpstream(options: {
  readonly upstream: Upstream;
  readonly upstreamUrl: string;
  readonly deadlineMs: number;
  readonly now: () => number;
  readonly random: (bytes: number) => Uint8Array;
  readonly requestId?: (() => string | undefined) | undefined;
}): Ask {
  const { upstream, upstreamUrl, deadlineMs, now, random, requestId } = options;
  const { origin } = requireRoot(upstreamUrl);

  function sign(
    resolved: ResolvedRequest,
    consumer: Consumer,
    { requestor, key }: { readonly requestor: string; readonly key: string | undefined },
  ): { url: string; init: RequestInit } {
    // In the query, where servers of this API look for it. An id needs no encoding but for its colon.
    const query = [...resolved.query, ['xoauth_requestor_id', requestor] as const];
    const url = upstreamUrl + restPath({ segments: resolved.segments, query });
    // URL would rewrite dots, backslashes and the like: what it leaves as it is, is what will be sent.
    if (new URL(url).href !== url || !url.startsWith(`${upstreamUrl}/`)) {
      throw new SocialError('BAD_REQUEST', 'This request has no address below the REST root.');
    }
    const body = resolved.body && JSON.stringify(resolved.body);
    const { authorization } = signRequest({
      method: resolved.method,
      url,
      consumer,
      ...(body !== undefined && { body }),
      timestamp: Math.floor(now() / 1000),
      nonce: Buffer.from(random(16)).toString('hex'),
    });
    const headers: Record<string, string> = { Authorization: authorization, Accept: 'application/json' };
    if (body !== undefined) headers['Content-Type'] = 'application/json';
    if (key !== undefined && resolved.operation === 'activities.create') headers['Idempotency-Key'] = key;
    const id = requestId?.();
    if (id !== undefined) headers['X-Request-Id'] = id;
    return { url, init: { method: resolved.method, headers, redirect: 'manual', ...(body !== undefined && { body }) } };
  }

  return (resolved, consumer, requestor, write) => {
    const { url, init } = sign(resolved, consumer, { requestor, key: write?.key });
    return withDeadline(deadlineMs, async (signal) => {
      const response = await upstream(new Request(url, { ...init, signal }), url.slice(origin.length));
      const bytes = await readBytes(response.body, maxAnswerBytes);
      if (bytes === undefined) throw new SocialError('UPSTREAM_FAILED', 'The answer was larger than 2 MiB.');
      return { status: response.status, retryAfter: response.headers.get('retry-after'), text: bytes.toString('utf8') };
    });
  };
}

function requireRoot(upstreamUrl: string): URL {
  const url = URL.canParse(upstreamUrl) ? new URL(upstreamUrl) : undefined;
  const isPlain = url?.origin + (url?.pathname ?? '').replace(/\/$/, '') === upstreamUrl;
  if (!url || !isPlain || !/^https?:$/.test(url.protocol)) {
    throw new Error(`The REST root must be a URL such as https://site.example/social/rest, not ${upstreamUrl}.`);
  }
  return url;
}

// An upstream in this process need not know about signals, so the race ends the wait in any case.
async function withDeadline<T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const abort = new AbortController();
  const timer = setTimeout(() => {
    reject(new SocialError('TIMED_OUT', 'The site did not answer in time.'));
    abort.abort();
  }, ms);
  try {
    return await Promise.race([work(abort.signal), late]);
  } finally {
    clearTimeout(timer);
  }
}
