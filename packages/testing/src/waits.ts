import type { Missing } from './kit-protocol.ts';

/**
 * Waits for the kit's page, which has a limit of its own: this one is for a page that hangs.
 *
 * @throws Error that names what was waited for.
 */
export async function askPage<Answer>(what: string, ask: () => Promise<Answer>, limitMs: number): Promise<Answer> {
  try {
    return await inTime(ask(), limitMs, `Waited for ${what}: the page has not answered for ${limitMs} ms.`);
  } catch (error) {
    throw new Error(pageMessage(error)); // the stack and the cause are those of a minified page
  }
}

/**
 * Waits for work in a page, which may never end while a script of the app runs.
 *
 * @throws Error `what` after `timeoutMs`.
 */
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

/** @throws Error that names what was expected, and the actual state. */
export function requireNothing(what: string, limitMs: number, { missing }: Missing): void {
  if (missing.length > 0) throw new Error(`Waited ${limitMs} ms for ${what}: ${missing.join('; ')}.`);
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
