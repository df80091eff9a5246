import { setTimeout as pause } from 'node:timers/promises';
import { countText } from '@gantry/wire/runtime';
import type { ExpectMatcherState, MatcherReturnType } from '@playwright/test';
import { type OpenPromises, openPromisesOf } from '../open-promises.ts';
import type { Call, ShownGadget } from '../types.ts';
import { lineOf } from '../waits.ts';
import { type LookAt, requireGadget, whyNothingSeen, whyNotShown } from './shown.ts';

export interface Outcome {
  readonly pass: boolean;
  /** Lines for the failure, in either direction. */
  readonly lines: () => readonly string[];
  /** Nothing can change it later. */
  readonly isFinal?: boolean;
}

const pausesMs = [20, 50, 100, 250];

interface RetryOptions {
  readonly gadget: ShownGadget;
  readonly matcher: string;
  readonly leastMs?: number;
  readonly whenThrown?: string;
  readonly seen?: LookAt;
  readonly check: (leftMs: number) => Promise<Outcome>;
}

/**
 * Checks until the outcome is the wanted one, or time runs out.
 *
 * @param options.check Gets the milliseconds that are left, at least `leastMs`. Default: 1.
 * @param options.whenThrown Begins the line of a check that threw, which passes in no direction.
 * Without it the error is thrown.
 * @param options.seen Lets a gadget that shows nothing there pass in no direction.
 * @throws TypeError if it is no gadget.
 */
export function retry(
  state: Pick<ExpectMatcherState, 'isNot' | 'timeout'>,
  options: RetryOptions,
): Promise<MatcherReturnType> {
  const { gadget, matcher } = options;
  requireGadget(matcher, gadget);
  const open = openPromisesOf(gadget);
  async function check(leftMs: number): Promise<Outcome> {
    const problem = options.seen && (await whyNothingSeen(gadget, options.seen, leftMs));
    return problem ? { pass: state.isNot, lines: () => [problem] } : options.check(leftMs);
  }
  const checked = checkUntil(state, { ...options, check }, open);
  return open ? open.add(`expect(gadget).${state.isNot ? 'not.' : ''}${matcher}()`, checked) : checked;
}

async function checkUntil(
  { isNot, timeout }: Pick<ExpectMatcherState, 'isNot' | 'timeout'>,
  { matcher, leastMs = 1, whenThrown, check }: RetryOptions,
  open: Pick<OpenPromises, 'isOver'> | undefined,
): Promise<MatcherReturnType> {
  const endMs = performance.now() + timeout;
  for (let tries = 0; ; tries += 1) {
    const { pass, lines, isFinal } = await check(Math.max(leastMs, endMs - performance.now())).catch(
      (error): Outcome => {
        if (whenThrown === undefined) throw error;
        return { pass: isNot, lines: () => [`${whenThrown}${lineOf(error)}`] };
      },
    );
    if (pass !== isNot || isFinal || open?.isOver || performance.now() >= endMs) {
      const head = `expect(gadget).${isNot ? 'not.' : ''}${matcher}`;
      return { pass, name: matcher, timeout, message: () => [head, '', ...lines()].join('\n') };
    }
    await pause(Math.min(pausesMs[tries] ?? 250, Math.max(1, endMs - performance.now())));
  }
}

/**
 * Waits until the gadget is settled and its page has reported everything. Calls that the test
 * itself holds may stay open. A blank app that has called nothing is not settled: it may not run.
 *
 * @param look.on `either`: the app, or a card.
 * @returns A line that says why it is not; nothing where it is.
 */
export async function whyUnsettled(
  gadget: ShownGadget,
  timeoutMs: number,
  look?: { readonly on?: LookAt['on'] | 'either' },
): Promise<string | undefined> {
  const hidden = await whyNotShown(gadget, look);
  if (hidden) return hidden;
  const endMs = performance.now() + timeoutMs;
  const leftMs = (): number => Math.max(1, endMs - performance.now());
  let blank: string | undefined;
  do {
    const held = heldIn(gadget);
    if (openCalls(gadget, held).length > 0) {
      await pause(Math.min(25, leftMs()));
      continue;
    }
    const problem = await gadget.settled({ timeout: leftMs(), held }).then(() => undefined, lineOf);
    const heldNow = heldIn(gadget);
    if (problem !== undefined && heldNow.length === held.length)
      return blank ?? `The gadget was not settled: ${problem}`;
    if (problem !== undefined || openCalls(gadget, heldNow).length > 0) continue;
    blank = await whyIdle(gadget, leftMs());
    if (blank === undefined) return undefined;
  } while (performance.now() < endMs);
  if (blank !== undefined) return blank;
  const open = openCalls(gadget, heldIn(gadget));
  if (open.length === 0) return 'The gadget was not settled: it goes on all the time.';
  const names = open.slice(0, 10).map(({ number, operation }) => `#${number} ${operation}`);
  return `The gadget was not settled: ${countText(open.length, 'call is', 'calls are')} open: ${names.join(', ')}.`;
}

/** Returns why nothing shows that the app ran: it has called nothing, and is blank. */
async function whyIdle(gadget: ShownGadget, limitMs: number): Promise<string | undefined> {
  if (gadget.calls.length > 0 || (await whyNotShown(gadget, { on: 'card' })) === undefined) return undefined;
  return whyNothingSeen(gadget, undefined, limitMs);
}

/** Operations of calls that the test holds. */
function heldIn({ lab, app, viewer }: ShownGadget): readonly string[] {
  const held = (lab?.calls.waiting ?? []).filter((one) => one.app === app && one.viewer === viewer);
  return held.map(({ operation }) => operation);
}

/** Lists calls without a reply, but not those that the test holds. */
function openCalls({ calls }: ShownGadget, held: readonly string[]): readonly Call[] {
  const heldNames = [...held];
  return calls.filter(({ isSettled, operation }) => {
    if (isSettled) return false;
    const at = heldNames.indexOf(operation);
    if (at >= 0) heldNames.splice(at, 1);
    return at < 0;
  });
}
