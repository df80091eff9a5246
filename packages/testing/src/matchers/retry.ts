import { setTimeout as pause } from 'node:timers/promises';
import type { ExpectMatcherState, MatcherReturnType } from '@playwright/test';
import type { Call, ShownGadget } from '../types.ts';

/** Outcome of one check. */
export interface Look {
  readonly pass: boolean;
  /** Lines for the failure, in either direction. */
  readonly lines: () => readonly string[];
  /** Nothing can change it later. */
  readonly isFinal?: boolean;
}

const pausesMs = [20, 50, 100, 250];

/**
 * Checks until the outcome is the wanted one, or time runs out.
 *
 * @param look Gets the milliseconds that are left, at least 1.
 */
export async function retry(
  { isNot, timeout }: Pick<ExpectMatcherState, 'isNot' | 'timeout'>,
  { matcher, look }: { readonly matcher: string; readonly look: (leftMs: number) => Look | Promise<Look> },
): Promise<MatcherReturnType> {
  const endMs = performance.now() + timeout;
  const leftMs = (): number => Math.max(1, endMs - performance.now());
  for (let tries = 0; ; tries += 1) {
    const { pass, lines, isFinal } = await look(leftMs());
    if (pass !== isNot || isFinal || performance.now() >= endMs) {
      const head = `expect(gadget).${isNot ? 'not.' : ''}${matcher}`;
      return { pass, name: matcher, timeout, message: () => [head, '', ...lines()].join('\n') };
    }
    await pause(Math.min(pausesMs[tries] ?? 250, leftMs()));
  }
}

/**
 * Waits until the gadget is settled and its page has reported everything. Calls that the test
 * itself holds may stay open.
 *
 * @returns A line that says why it is not; nothing where it is.
 */
export async function whyUnsettled(gadget: ShownGadget, timeoutMs: number): Promise<string | undefined> {
  const endMs = performance.now() + timeoutMs;
  const leftMs = (): number => Math.max(1, endMs - performance.now());
  do {
    const open = openCalls(gadget);
    if (open.every(({ isHeld }) => isHeld)) {
      const problem = open.length === 0 ? await problemOf(gadget.settled({ timeout: leftMs() })) : undefined;
      if (problem !== undefined) return `The gadget was not settled: ${problem}`;
      if (open.length > 0) await gadget.context(); // this also updates the record, as `settled` does
      if (openCalls(gadget).every(({ isHeld }) => isHeld)) return undefined;
    } else await pause(Math.min(25, leftMs()));
  } while (performance.now() < endMs);
  const open = openCalls(gadget).filter(({ isHeld }) => !isHeld);
  if (open.length === 0) return 'The gadget was not settled: it goes on all the time.';
  const names = open.slice(0, 10).map(({ call: { number, operation } }) => `#${number} ${operation}`);
  return `The gadget was not settled: ${open.length} call${open.length === 1 ? ' is' : 's are'} open: ${names.join(', ')}.`;
}

function openCalls({
  calls,
  lab,
  app,
  viewer,
}: ShownGadget): readonly { readonly call: Call; readonly isHeld: boolean }[] {
  const held = (lab?.calls.waiting ?? []).filter((one) => one.app === app && one.viewer === viewer);
  const heldNames = held.map(({ operation }) => operation);
  return calls.flatMap((call) => {
    if (call.isSettled) return [];
    const at = heldNames.indexOf(call.operation);
    if (at >= 0) heldNames.splice(at, 1);
    return [{ call, isHeld: at >= 0 }];
  });
}

/** Returns the first line of the error that a promise rejects with. */
async function problemOf(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    return firstLine(error);
  }
}

function firstLine(problem: unknown): string {
  const text = problem instanceof Error ? problem.message : String(problem);
  return text.split('\n', 1)[0] as string;
}
