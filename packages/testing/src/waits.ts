import type { Missing } from './kit-protocol.ts';

/**
 * Waits for the kit's page, which has a limit of its own: this one is for a page that hangs.
 *
 * @throws Error that names what was waited for.
 */
export async function askPage<Answer>(what: string, ask: () => Promise<Answer>, limitMs: number): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new Error(`Waited for ${what}: the page has not answered for ${limitMs} ms.`)),
      limitMs,
    );
  });
  try {
    return await Promise.race([ask(), late]);
  } catch (error) {
    throw new Error(pageMessage(error)); // the stack and the cause are those of a minified page
  } finally {
    clearTimeout(timer);
  }
}

/** @throws Error that names what was expected, and the actual state. */
export function requireNothing(what: string, limitMs: number, { missing }: Missing): void {
  if (missing.length > 0) throw new Error(`Waited ${limitMs} ms for ${what}: ${missing.join('; ')}.`);
}

/** Takes Playwright's words and the page's stack off an error that the page threw. */
function pageMessage(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return (message.replace(/^page\.evaluate: (?:Error: )?/, '').split('\n    at ')[0] as string).trim();
}
