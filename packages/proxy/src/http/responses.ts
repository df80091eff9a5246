import type { SocialError } from '@gantry/wire';
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

export function responseOf({ status, headers, body }: PageResponse): Response {
  return new Response(body, { status, headers });
}

/** Returns whether the client has the current version already (`If-None-Match`). */
export function isUnchanged(request: Request, etag: string): boolean {
  const known = request.headers.get('if-none-match')?.split(',') ?? [];
  return known.some((tag) => tag.trim().replace(/^W\//, '') === etag || tag.trim() === '*');
}
