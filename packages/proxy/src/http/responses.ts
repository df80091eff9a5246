import type { HttpResponse, SocialError } from '@gantry/wire';
import type { PageResponse } from './page-request.ts';

/** Headers of responses that only the container's page may read. */
export const privateHeaders: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

export function jsonAnswer(value: unknown, status = 200, headers: Record<string, string> = {}): PageResponse {
  return {
    status,
    headers: { 'Content-Type': 'application/json; charset=utf-8', ...privateHeaders, ...headers },
    body: JSON.stringify(value),
  };
}

export function errorAnswer(error: SocialError): PageResponse {
  const headers: Record<string, string> = {};
  if (error.allow) headers.Allow = error.allow.join(', ');
  if (error.retryAfter !== undefined) headers['Retry-After'] = String(error.retryAfter);
  return jsonAnswer({ error: error.toWire() }, error.status, headers);
}

/** Makes a `Response`. One to `HEAD` has no body, and the length of the one to `GET`. */
export function responseOf({ status, headers, body }: HttpResponse, { method }: { readonly method: string }): Response {
  const isWhole = typeof body === 'string' || body instanceof Uint8Array;
  const length = isWhole ? { 'Content-Length': String(Buffer.byteLength(body)) } : {};
  const init = { status, headers: { ...headers, ...length } };
  if (method !== 'HEAD') return new Response(body as string | ReadableStream | null, init);
  if (!isWhole) void body?.cancel();
  return new Response(null, init);
}

/** Returns whether the client has the current version already (`If-None-Match`). */
export function isUnchanged(request: Pick<Request, 'headers'>, etag: string): boolean {
  const tags = request.headers.get('if-none-match')?.split(',') ?? [];
  return tags.some((tag) => tag.trim().replace(/^W\//, '') === etag || tag.trim() === '*');
}
