import type { SocialError } from '@gantry/wire';
import type { Answer } from './page-request.ts';

/** Headers of every answer that is for the container's page alone. */
export const privateHeaders: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

export function jsonAnswer(
  value: unknown,
  { status = 200, headers = {} }: { readonly status?: number; readonly headers?: Record<string, string> } = {},
): Answer {
  return {
    status,
    headers: { 'Content-Type': 'application/json; charset=utf-8', ...privateHeaders, ...headers },
    body: JSON.stringify(value),
  };
}

export function errorAnswer(error: SocialError): Answer {
  const headers: Record<string, string> = {};
  if (error.allow) headers.Allow = error.allow.join(', ');
  if (error.retryAfter !== undefined) headers['Retry-After'] = String(error.retryAfter);
  return jsonAnswer({ error: error.toWire() }, { status: error.status, headers });
}

export function responseOf({ status, headers, body }: Answer): Response {
  return new Response(body, { status, headers });
}

/** True where the client has what it asks for already. */
export function isUnchanged(request: Request, etag: string): boolean {
  const known = request.headers.get('if-none-match')?.split(',') ?? [];
  return known.some((tag) => tag.trim().replace(/^W\//, '') === etag || tag.trim() === '*');
}
