import { hash } from 'node:crypto';
import { OAuthError } from '@gantry/oauth';
import { StoreError } from '@gantry/store';
import { SocialError } from '@gantry/wire';
import type { Answer, Incoming } from './exchange.ts';

const json = 'application/json; charset=utf-8';

export interface ReadAnswer {
  readonly incoming: Incoming;
  /** What makes two answers with the same text different things: viewer, app, format. */
  readonly variant: readonly (string | undefined)[];
}

/** Answers a read: with a strong validator, or 304 for a client that has this very text (contract §3). */
export function readAnswer(result: unknown, { incoming, variant }: ReadAnswer): Answer {
  const text = JSON.stringify(result);
  const etag = `"${hash('sha1', `${JSON.stringify(variant)}${text}`, 'base64url')}"`;
  const headers = { ETag: etag, 'Cache-Control': 'private, no-cache' };
  if (matches(incoming.header('if-none-match'), etag)) return { status: 304, headers, body: null };
  const body = incoming.method === 'HEAD' ? null : text;
  return { status: 200, headers: { 'Content-Type': json, ...headers }, body };
}

function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(',').some((item) => item.trim() === '*' || item.trim().replace(/^W\//, '') === etag);
}

export function writeAnswer(result: unknown): Answer {
  return { status: 200, headers: { 'Content-Type': json, 'Cache-Control': 'no-store' }, body: JSON.stringify(result) };
}

/** Answers a failure as the contract's §4 says. */
export function errorAnswer(
  error: SocialError,
  { origin, head }: { readonly origin: string; readonly head: boolean },
): Answer {
  const { code, message } = error.toWire();
  const headers: Record<string, string> = { 'Content-Type': json, 'Cache-Control': 'no-store' };
  if (error.retryAfter !== undefined) headers['Retry-After'] = String(error.retryAfter);
  if (error.allow) headers.Allow = error.allow.join(', ');
  if (error.code === 'UNAUTHORIZED') {
    headers['WWW-Authenticate'] = `OAuth realm="${origin}", oauth_problem="${error.problem ?? 'permission_denied'}"`;
  }
  return { status: error.status, headers, body: head ? null : JSON.stringify({ error: { code, message } }) };
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
