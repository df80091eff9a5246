import type { CallContext } from '@gantry/proxy';
import { type ErrorCode, errorStatus, operations, SocialError, type WireError } from '@gantry/wire';
import { closest } from '@gantry/wire/runtime';

/** Narrows a fault or a handler to calls of one member, or of one app. */
export interface FaultScope {
  readonly viewer?: string | undefined;
  readonly app?: string | undefined;
  /** A test may end without such a call. Default: one that no call met fails it. */
  readonly optional?: boolean | undefined;
}

/** Makes the error of a fault or handler that no call met: its test would pass without it. */
export function unmetBy(name: string): Error {
  return new Error(`${name} met no call. Remove it, or allow that with { optional: true }.`);
}

/** Calls of one operation, as apps write it or as a row of the API; `*` for any. */
export interface CallFilter extends FaultScope {
  readonly operation: string;
}

/** A call, as far as filters look at it. */
export interface FilteredCall extends FaultScope {
  /** Names of the operation: the app's, and the row's. */
  readonly names: readonly string[];
}

const knownNames: ReadonlySet<string> = new Set([
  '*',
  ...Object.entries(operations).flatMap(([id, { osapi }]) => [id, osapi]),
]);

/** @throws SocialError BAD_REQUEST for an unknown name. */
export function callFilter(operation: string, of: FaultScope): CallFilter {
  if (knownNames.has(operation)) return { ...of, operation };
  const meant = closest(operation, [...knownNames]);
  const cure = meant ? `did you mean ${meant}?` : 'name one such as people.get, or *.';
  throw new SocialError('BAD_REQUEST', `There is no operation ${operation}: ${cure}`);
}

export function matches({ operation, viewer, app }: CallFilter, call: FilteredCall): boolean {
  if (viewer !== undefined && viewer !== call.viewer) return false;
  if (app !== undefined && app !== call.app) return false;
  return operation === '*' || call.names.includes(operation);
}

export function filteredCall({ call, request, asker }: CallContext): FilteredCall {
  return { app: asker.app, viewer: asker.viewer, names: [call.operation, request.operation] };
}

/** Makes the error of a failed call. Without `Retry-After`, proxy and page would retry some. */
export function failure(
  status: number,
  reason: string = codeOf(status) ?? (status < 500 ? 'BAD_REQUEST' : 'UPSTREAM_FAILED'),
): WireError {
  if (!Number.isInteger(status) || status < 400 || status > 599) {
    throw new SocialError('BAD_REQUEST', 'A call fails with a status from 400 to 599.');
  }
  const data = status === 429 || status === 503 ? { reason, retryAfter: 1 } : { reason };
  return { code: status, message: `The lab made this call fail with ${status}.`, data };
}

/** Returns the error that the API answers with a status, the first one of several. */
export function codeOf(status: number): ErrorCode | undefined {
  const codes = Object.entries(errorStatus) as [ErrorCode, number][];
  return codes.find(([, number]) => number === status)?.[0];
}
