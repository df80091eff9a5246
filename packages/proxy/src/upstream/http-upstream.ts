import { maxAnswerBytes, SocialError } from '@gantry/wire';
import { readBytes } from '@gantry/wire/runtime';
import { NotSent, type Upstream } from './upstream.ts';

/** Error codes that occur before the first byte of a request is sent. */
const unsent: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/**
 * Makes an upstream that is reached by HTTP. Redirects are not followed, since the signature covers
 * the URL.
 */
export function createHttpUpstream(options: { readonly fetch?: typeof globalThis.fetch } = {}): Upstream {
  const { fetch = globalThis.fetch } = options;
  return async ({ method, url, headers, body }, { deadlineMs }) => {
    const signal = AbortSignal.timeout(Math.max(1, Math.ceil(deadlineMs)));
    try {
      const response = await fetch(url, { method, headers, redirect: 'manual', signal, body: body ?? null });
      const bytes = await readBytes(response.body, maxAnswerBytes, { fine: true });
      if (bytes === undefined) {
        throw new SocialError('UPSTREAM_FAILED', `The answer was larger than ${maxAnswerBytes} bytes.`);
      }
      const header = (name: string) => response.headers.get(name) ?? undefined;
      return {
        status: response.status,
        text: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'),
        retryAfter: header('retry-after'),
        etag: header('etag'),
        cacheControl: header('cache-control'),
        age: header('age'),
      };
    } catch (error) {
      if (signal.aborted) throw new SocialError('TIMED_OUT', 'The site did not answer in time.', { cause: error });
      const cause = error instanceof Error ? error.cause : undefined;
      const isUnsent = cause instanceof Error && 'code' in cause && unsent.has(cause.code);
      throw isUnsent ? new NotSent('The site could not be reached.', { cause }) : error;
    }
  };
}
