import { hash } from 'node:crypto';
import { OAuthError } from '@gantry/oauth';
import { StoreError } from '@gantry/store';
import { SocialError } from '@gantry/wire';

const json = 'application/json; charset=utf-8';

export interface Answer {
  readonly request: Request;
  /** What makes two answers with the same text different things: viewer, app, format. */
  readonly variant: readonly (string | undefined)[];
}

/** Answers a read: with a strong validator, or 304 for a client that has this very text (contract §3). */
export function readAnswer(result: unknown, { request, variant }: Answer): Response {
  const text = JSON.stringify(result);
  const etag = `"${hash('sha1', `${JSON.stringify(variant)}${text}`, 'base64url')}"`;
  const headers = { ETag: etag, 'Cache-Control': 'private, no-cache' };
  if (matches(request.headers.get('if-none-match'), etag)) return new Response(null, { status: 304, headers });
  const body = request.method === 'HEAD' ? null : text;
  return new Response(body, { headers: { 'Content-Type': json, ...headers } });
}

function matches(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  return ifNoneMatch.split(',').some((item) => item.trim() === '*' || item.trim().replace(/^W\//, '') === etag);
}

export function writeAnswer(result: unknown): Response {
  return new Response(JSON.stringify(result), { headers: { 'Content-Type': json, 'Cache-Control': 'no-store' } });
}

/** Answers a failure as the contract's §4 says. */
export function errorAnswer(error: SocialError, { origin, head }: { readonly origin: string; readonly head: boolean }) {
  const { code, message } = error.toWire();
  const headers = new Headers({ 'Content-Type': json, 'Cache-Control': 'no-store' });
  if (error.retryAfter !== undefined) headers.set('Retry-After', String(error.retryAfter));
  if (error.allow) headers.set('Allow', error.allow.join(', '));
  if (error.code === 'UNAUTHORIZED') {
    headers.set('WWW-Authenticate', `OAuth realm="${origin}", oauth_problem="${error.problem ?? 'permission_denied'}"`);
  }
  return new Response(head ? null : JSON.stringify({ error: { code, message } }), { status: error.status, headers });
}

/** Brings every failure to the one error class; what is not ours to explain becomes INTERNAL. */
export function asSocialError(error: unknown): SocialError {
  if (error instanceof SocialError) return error;
  if (error instanceof OAuthError) {
    const code = error.status === 401 ? 'UNAUTHORIZED' : 'BAD_REQUEST';
    return new SocialError(code, error.message, { problem: error.problem, cause: error });
  }
  if (error instanceof StoreError && error.reason === 'unavailable') {
    return new SocialError('UNAVAILABLE', 'The database is busy or down: try again.', { retryAfter: 1, cause: error });
  }
  if (error instanceof StoreError && error.reason === 'full') {
    return new SocialError('STORAGE_FULL', 'The server cannot store anything at present.', { cause: error });
  }
  return new SocialError('INTERNAL', 'Something went wrong on our side.', { cause: error });
}
