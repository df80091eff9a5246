import type { BrowserCommandContext } from 'vitest/node';
import type { AskedOfLab } from './protocol.ts';

/** Members that the provider for Playwright gives to commands, as far as they are needed here. */
interface PlaywrightContext {
  readonly iframe: { locator(selector: string): FoundElement };
}

interface FoundElement {
  innerText(options: { readonly timeout: number }): Promise<string>;
  waitFor(options: { readonly state: 'visible' | 'hidden'; readonly timeout: number }): Promise<void>;
}

/**
 * Waits for an element of an app's document, which no page can reach, and returns its text.
 *
 * @throws Error where it is not there in time, or where the provider cannot look into frames.
 */
export async function lookIntoFrame(
  { selector, state, limitMs }: Extract<AskedOfLab, { readonly ask: 'look' }>,
  context: BrowserCommandContext,
): Promise<string | undefined> {
  if (!canLook(context)) throw new Error('Only the provider of @vitest/browser-playwright can look into an app.');
  const element = context.iframe.locator(selector);
  await element.waitFor({ state, timeout: limitMs });
  return state === 'visible' ? element.innerText({ timeout: limitMs }) : undefined;
}

function canLook(context: object): context is PlaywrightContext {
  return 'iframe' in context;
}
