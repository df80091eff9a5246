import { explainParams } from '@gantry/lab/record';
import { isRecord, operations, resolveRequest } from '@gantry/wire';
import { closest, countText } from '@gantry/wire/runtime';
import type { ExpectMatcherState, MatcherReturnType } from '@playwright/test';
import { requireKnown } from '../known-options.ts';
import type { Call, ShownGadget } from '../types.ts';
import { brief, cut, listed } from './brief.ts';
import { mismatchesOf } from './params-match.ts';
import { retry, whyUnsettled } from './retry.ts';

const rows: ReadonlySet<string> = new Set(Object.keys(operations));
const names: readonly string[] = [...new Set(Object.values(operations).map(({ osapi }) => osapi))];

/** Decides which calls a test means. */
interface Wanted {
  readonly operation: string;
  readonly params: unknown;
}

/**
 * Passes when the app has made such a call. With `not` and with `times` it looks when the gadget is
 * settled.
 *
 * @example
 * await expect(gadget).toHaveCalled('people.get', { userId: '@viewer', groupId: '@friends' });
 * const activity = { title: expect.stringContaining('won') };
 * await expect(gadget).toHaveCalled('activities.create', { activity }, { times: 2 });
 * @param operation Name as apps write it, or of one row of the API (`people.getFriends`).
 * @param params Members that the parameters have, as the app gave them, among others. Default: any.
 * @param options.times Calls that there are exactly. Default: at least one.
 */
export async function toHaveCalled(
  this: ExpectMatcherState,
  gadget: ShownGadget,
  operation: string,
  params?: object,
  options: { readonly times?: number } = {},
): Promise<MatcherReturnType> {
  requireKnown('toHaveCalled', options, ['times']);
  const { times } = options;
  const pattern = { operation, params };
  const { isNot } = this;
  return retry(this, {
    gadget,
    matcher: 'toHaveCalled',
    async check(leftMs) {
      const isCounted = times !== undefined;
      let found = matching(gadget, pattern);
      if (isNot ? found.length === 0 || isCounted : isCounted && found.length >= times) {
        const problem = await whyUnsettled(gadget, leftMs, { on: 'either' });
        if (problem) return { pass: isNot, isFinal: true, lines: () => [problem] };
        found = matching(gadget, pattern);
      }
      const pass = isCounted ? found.length === times : found.length > 0;
      const isFinal = isCounted ? found.length > times && !isNot : isNot;
      return { pass, isFinal, lines: () => report(gadget, { ...pattern, found, pass, times }) };
    },
  });
}

/** Passes when the app made exactly one such call before the gadget settled. */
export async function toHaveCalledOnce(
  this: ExpectMatcherState,
  gadget: ShownGadget,
  operation: string,
  params?: object,
): Promise<MatcherReturnType> {
  const { message, ...result } = await toHaveCalled.call(this, gadget, operation, params, { times: 1 });
  return { ...result, name: 'toHaveCalledOnce', message: () => message().replace('toHaveCalled', 'toHaveCalledOnce') };
}

function matching(gadget: ShownGadget, { operation, params }: Wanted): readonly Call[] {
  const { calls } = gadget;
  const isNamed = nameCheck(gadget, calls, operation);
  requireParams(operation, params, calls.filter(isNamed));
  return calls.filter(
    (call) => isNamed(call) && (params === undefined || mismatchesOf(params, call.params).length === 0),
  );
}

/** @throws Error for a name that no call can have: such a test would always pass. */
function nameCheck({ app, viewer }: ShownGadget, calls: readonly Call[], name: string): (call: Call) => boolean {
  const isOwnName = ({ operation }: Call): boolean => operation === name;
  if (names.includes(name) || calls.some(isOwnName)) return isOwnName;
  if (!rows.has(name)) {
    const near = closest(name, [...names, ...rows]);
    throw new Error(`There is no operation ${brief(name)}${near ? `: did you mean ${near}?` : '.'}`);
  }
  return ({ operation, params }) => {
    try {
      const call = { operation, params: (params ?? {}) as Readonly<Record<string, unknown>> };
      return resolveRequest(call, { app, viewer, owner: viewer }).operation === name;
    } catch {
      return false; // a call that cannot be meant belongs to no row
    }
  };
}

/** @throws Error for a parameter that the operation does not have, and that no call gave it. */
function requireParams(operation: string, params: unknown, calls: readonly Call[]): void {
  if (!isRecord(params) || Object.getPrototypeOf(params) !== Object.prototype) return; // such as expect.anything()
  const isGiven = (key: string) => calls.some((call) => isRecord(call.params) && Object.hasOwn(call.params, key));
  const unknown = explainParams(
    operation,
    Object.keys(params).filter((key) => !isGiven(key)),
  );
  if (unknown) throw new Error(`${unknown.what} ${unknown.cure}`);
}

function report(
  gadget: ShownGadget,
  {
    operation,
    params,
    found,
    pass,
    times,
  }: Wanted & { found: readonly Call[]; pass: boolean; times: number | undefined },
): readonly string[] {
  const what = `${operation}${params === undefined ? '' : ` with ${brief(params)}`}`;
  const count = times === undefined ? 'a call' : countText(times, 'call');
  const head = pass ? `Not expected: ${count} of ${what}.` : `Expected: ${count} of ${what}.`;
  const had = found.length === 0 ? [] : ['', `Such calls: ${found.length}`, ...shown(found.map((call) => [call, []]))];
  if (pass || found.length > 0) return [head, ...had];
  const { calls } = gadget;
  if (calls.length === 0) return [head, '', `${gadget.app || 'The app'} has made no call.`];
  const nearest = nearestOf(gadget, calls, { operation, params });
  return [head, '', `Called instead (${calls.length} in all), the nearest first:`, ...shown(nearest)];
}

type Near = readonly [call: Call, differences: readonly string[]];

function nearestOf(gadget: ShownGadget, calls: readonly Call[], { operation, params }: Wanted): readonly Near[] {
  const isNamed = nameCheck(gadget, calls, operation);
  const [service] = operation.split('.');
  const scored = calls.map((call) => {
    const mismatches = isNamed(call) && params !== undefined ? mismatchesOf(params, call.params) : undefined;
    const far = mismatches ? mismatches.length : call.operation.split('.')[0] === service ? 1_000 : 2_000;
    const differences = mismatches?.slice(0, 5).flatMap(({ path, expected, actual }) => {
      const member = path === '' ? '' : `${path}: `;
      return [`- ${member}${expected}`, `+ ${member}${actual}`];
    });
    return { near: [call, differences ?? []] as const, far };
  });
  return scored.toSorted((a, b) => a.far - b.far).map(({ near }) => near);
}

function shown(calls: readonly Near[]): readonly string[] {
  const items = calls.map(([{ number, operation, params, error }, differences]) => {
    const failed = error ? `  (${error.code} ${error.data?.reason ?? ''})` : '';
    return [`#${number} ${cut(operation, 80)} ${brief(params)}${failed}`, ...differences.map((line) => `     ${line}`)];
  });
  return listed(items);
}
