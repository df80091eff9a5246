import { OAuthError } from '@gantry/oauth';
import { isPassingFault, StoreError } from '@gantry/store';
import { type HttpResponse, SocialError } from '@gantry/wire';
import { contentTypes, type Format } from '../formats/format.ts';
import { writeFailure } from '../formats/write-result.ts';

/** Answers a read, with its strong validator (contract §3). */
export function readAnswer(
  text: string,
  { format, etag }: { readonly format: Format; readonly etag: string },
): HttpResponse {
  return { status: 200, headers: { 'Content-Type': contentTypes[format], ...validated(etag) }, body: text };
}

export function notModified(etag: string): HttpResponse {
  return { status: 304, headers: validated(etag), body: null };
}

function validated(etag: string): Readonly<Record<string, string>> {
  return { ETag: etag, 'Cache-Control': 'private, no-cache' };
}

/** @throws SocialError METHOD_NOT_ALLOWED for another method than GET and HEAD. */
export function refuseWrite(method: string, message: string): void {
  if (method === 'GET' || method === 'HEAD') return;
  throw new SocialError('METHOD_NOT_ALLOWED', message, { allow: ['GET', 'HEAD'] });
}

/** True if `If-None-Match` names this validator; `*` names any. */
export function etagMatches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(',').some((item) => item.trim() === '*' || item.trim().replace(/^W\//, '') === etag);
}

export function writeAnswer(text: string, format: Format): HttpResponse {
  return { status: 200, headers: { 'Content-Type': contentTypes[format], 'Cache-Control': 'no-store' }, body: text };
}

/** Answers a failure (contract §4), in the format that the request asks for. */
export function errorAnswer(
  error: SocialError,
  { origin, rawTarget }: { readonly origin: string; readonly rawTarget: string },
): HttpResponse {
  const { type, text } = writeFailure(error, rawTarget);
  const headers: Record<string, string> = { 'Content-Type': type, 'Cache-Control': 'no-store' };
  if (error.retryAfter !== undefined) headers['Retry-After'] = String(error.retryAfter);
  if (error.allow) headers.Allow = error.allow.join(', ');
  if (error.code === 'UNAUTHORIZED') {
    headers['WWW-Authenticate'] = authenticateHeader(origin, error.problem ?? 'permission_denied');
  }
  return { status: error.status, headers, body: text };
}

/** No value has `,`, `=`, `&` or a quote: some clients split on them (contract §4). */
export function authenticateHeader(origin: string, problem: string): string {
  return `OAuth realm="${origin}", oauth_problem="${problem}"`;
}

/** Converts any failure to a SocialError; unexpected ones become INTERNAL. */
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
  if (isPassingFault(error)) {
    return new SocialError('UNAVAILABLE', 'The file cannot be read now: try again.', { retryAfter: 1, cause: error });
  }
  return new SocialError('INTERNAL', 'Something went wrong on our side.', { cause: error });
}
