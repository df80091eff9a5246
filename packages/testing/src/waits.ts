import { setTimeout as pause } from 'node:timers/promises';
import type { CDPSession, Page } from '@playwright/test';
import type { Missing } from './kit-protocol.ts';

const lookEveryMs = 250;

/**
 * Waits for the kit's page, which has a limit of its own: this one is for a page that hangs.
 *
 * @throws Error that names what was waited for.
 */
export async function askPage<Answer>(what: string, ask: () => Promise<Answer>, limitMs: number): Promise<Answer> {
  try {
    return await inTime(ask(), limitMs, `Waited for ${what}: the page has not answered for ${limitMs} ms.`);
  } catch (error) {
    throw new Error(pageMessage(error)); // without the stack of the minified page
  }
}

/** Waits for work in a page, which may never end. @throws Error `what` after `timeoutMs`. */
export async function inTime<T>(work: Promise<T>, timeoutMs: number, what: string): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(what)), timeoutMs);
  work.catch(() => {}); // after the limit nothing awaits it
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Waits for work in a page, and gives up when a page's process has had the processor for `limitMs`.
 * Time that other programs use does not count, except in browsers that do not measure it.
 *
 * @throws Error `what` after that time.
 */
export async function inOwnTime<T>(page: Page, work: Promise<T>, limitMs: number, what: string): Promise<T> {
  const done = work.then((value) => ({ value }));
  const first = await Promise.race([done, pause(lookEveryMs)]);
  if (first) return first.value;
  const session = await page
    .context()
    .browser()
    ?.newBrowserCDPSession()
    .catch(() => undefined);
  if (!session) return inTime(work, limitMs, what);
  try {
    const before = await processorMs(session);
    for (;;) {
      const last = await Promise.race([done, pause(lookEveryMs)]);
      if (last) return last.value;
      for (const [id, ms] of await processorMs(session))
        if (ms - (before.get(id) ?? 0) >= limitMs) throw new Error(what);
    }
  } finally {
    await session.detach().catch(() => {}); // the browser may be gone
  }
}

/** Returns the processor time of each process that runs pages. */
async function processorMs(session: CDPSession): Promise<ReadonlyMap<number, number>> {
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const pages = processInfo.filter(({ type }) => type === 'renderer');
  return new Map(pages.map(({ id, cpuTime }) => [id, cpuTime * 1_000]));
}

/** @throws Error that names what was expected, and the actual state. */
export function requireNothing(what: string, limitMs: number, { missing }: Missing): void {
  if (missing.length > 0) throw new Error(`Waited ${Math.round(limitMs)} ms for ${what}: ${missing.join('; ')}.`);
}

/** Returns the first line of an error, without Playwright's log. */
export function lineOf(error: unknown): string {
  return messageOf(error).split('\n', 1)[0] as string;
}

/** Takes Playwright's words and the page's stack off an error that the page threw. */
function pageMessage(error: unknown): string {
  const message = messageOf(error).replace(/^page\.evaluate: (?:Error: )?/, '');
  return (message.split('\n    at ')[0] as string).trim();
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
