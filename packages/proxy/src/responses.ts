import type { SocialError } from '@gantry/wire';

/** Headers of every answer that is for the container's page alone. */
export const privateHeaders: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

export function jsonResponse(
  value: unknown,
  init: { status?: number; headers?: Record<string, string> } = {},
): Response {
  const headers = { 'Content-Type': 'application/json; charset=utf-8', ...privateHeaders, ...init.headers };
  return new Response(JSON.stringify(value), { ...init, headers });
}

export function errorResponse(error: SocialError): Response {
  const headers: Record<string, string> = {};
  if (error.allow) headers.Allow = error.allow.join(', ');
  if (error.retryAfter !== undefined) headers['Retry-After'] = String(error.retryAfter);
  return jsonResponse({ error: error.toWire() }, { status: error.status, headers });
}

/** True where the client has what it asks for already. */
export function isUnchanged(request: Request, etag: string): boolean {
  const known = request.headers.get('if-none-match')?.split(',') ?? [];
  return known.some((tag) => tag.trim().replace(/^W\//, '') === etag || tag.trim() === '*');
}
