import { callRows, isWorking, operation, operationIds, type Permission, type WireError } from '@gantry/wire';
import type { Explanation, Known } from './explanation.ts';
import { declares, isOptional } from './manifest-line.ts';
import { problem } from './problems.ts';

const fieldPermission = /^people\.(\w+)$/;

/** Problems by `error.data.reason`. */
const ids = {
  UNAVAILABLE: 'unreachable',
  TIMED_OUT: 'unreachable',
  UPSTREAM_FAILED: 'unreachable',
  APP_NOT_ADDED: 'app-not-added',
  TOO_LARGE: 'too-large',
  STORAGE_FULL: 'storage-full',
  OUTCOME_UNKNOWN: 'outcome-unknown',
  NOT_IMPLEMENTED: 'not-implemented',
  UNAUTHORIZED: 'signed-out',
  BAD_REQUEST: 'bad-request',
} as const;

export function explainReply(error: WireError, known: Known): Explanation | undefined {
  const { retryAfter } = error.data ?? {};
  const reason = /^AppData of one member and app may hold/.test(error.message)
    ? 'TOO_LARGE'
    : (error.data?.reason ?? '');
  if (reason === 'NOT_GRANTED') return explainRefusal(error, known);
  const call = known.call?.operation ?? 'A call';
  const facts = {
    call,
    later: retryAfter === undefined ? 'later' : `in ${retryAfter} s`,
    isWrite: isWrite(call),
    message: /[.!?]$/.test(error.message) ? error.message : `${error.message}.`,
  };
  if (reason === 'POSTED_TOO_SOON' || reason === 'RATE_LIMITED') {
    const isPost = callRows.get(call)?.some((id) => operation(id).hasInterval);
    return { ...problem(isPost ? 'posted-too-soon' : 'rate-limited', facts), subject: call };
  }
  return Object.hasOwn(ids, reason) ? { ...problem(ids[reason as keyof typeof ids], facts), subject: call } : undefined;
}

/** Returns whether a call, such as `appdata.update`, changes what a site has. */
export function isWrite(call: string): boolean {
  return callRows.get(call)?.some((id) => operation(id).method !== 'GET') ?? false;
}

function explainRefusal({ data, message }: WireError, { call: made, manifest }: Known): Explanation {
  const permissions = data?.missing ?? [];
  const missing = permissions.join(', ') || 'this app';
  const call = made?.operation ?? callFor(permissions[0]) ?? 'the call';
  const needed = permissions.flatMap((permission) => fieldPermission.exec(permission)?.[1] ?? []);
  const fields = needed.filter((field) => manifest !== undefined && !declares(manifest, 'fields', field)).join(', ');
  if (/does not list it/.test(message) || (manifest !== undefined && made && !declares(manifest, 'uses', call))) {
    return { ...problem('undeclared-call', { call, manifest }), subject: call };
  }
  if (fields !== '') return { ...problem('undeclared-field', { call, manifest, fields }), subject: fields };
  const asked = isOptional(manifest, 'uses', call) || needed.some((field) => isOptional(manifest, 'fields', field));
  return { ...problem(asked ? 'optional-not-asked' : 'permission-refused', { call, missing }), subject: call };
}

/** Returns the call that needs a permission, if only one does. */
function callFor(permission: string | undefined): string | undefined {
  const names = new Set(
    operationIds
      .filter((id) => operation(id).permission === (permission as Permission) && isWorking(id))
      .map((id) => operation(id).osapi),
  );
  return names.size === 1 ? [...names][0] : undefined;
}
