import type { ShownGadget } from '../types.ts';
import { inOwnTime } from '../waits.ts';

/** Says where a matcher looks. */
export interface LookAt {
  /** The card that stands in the app's place: consent, or an app that was stopped or failed. */
  readonly on?: 'card';
}

const cards: readonly string[] = ['asking', 'stopped', 'failed'];
const running: readonly string[] = ['ready', 'unresponsive'];

/** @throws TypeError for a page, a locator or anything else that is no gadget. */
export function requireGadget(matcher: string, gadget: unknown): void {
  if (typeof gadget === 'object' && gadget !== null && 'record' in gadget && 'settled' in gadget) return;
  throw new TypeError(`${matcher} looks at a gadget: expect(gadget).${matcher}(…), with the gadget of the test.`);
}

/** Returns why nothing can be said of the app, or of the card; nothing if it is shown. */
export async function whyNotShown(
  { app, element }: ShownGadget,
  { on }: { readonly on?: LookAt['on'] | 'either' } = {},
): Promise<string | undefined> {
  if (app === '') return 'No gadget is mounted: await gadget.mount() first.';
  const state = await element.evaluateAll(([one]) => (one ? String((one as { state?: unknown }).state) : ''));
  if (state === '') return 'The gadget was taken off the page.';
  const isCard = cards.includes(state);
  if (on === 'card') return isCard ? undefined : `The gadget shows no card: it is ${state}.`;
  if (isCard && on !== 'either')
    return `The gadget is ${state}: a card stands in the place of ${app}. If that is meant: { on: 'card' }.`;
  return isCard || running.includes(state) ? undefined : `The gadget is ${state}.`;
}

/** The same for matchers that look at what is shown: an app that shows nothing is a reason. */
export async function whyNothingSeen(
  gadget: ShownGadget,
  look: LookAt | undefined,
  limitMs: number,
): Promise<string | undefined> {
  const problem = await whyNotShown(gadget, look);
  if (problem || look?.on === 'card') return problem;
  const looked = gadget.frame.locator('html').evaluate(showsNothing);
  const isBlank = await inOwnTime(gadget.page, looked, limitMs, 'The app does not answer.');
  return isBlank ? `${gadget.app} shows nothing: no text, no control, no picture.` : undefined;
}

/** Runs in the app's page. */
function showsNothing(html: Element): boolean {
  const things =
    'img, svg, canvas, video, audio[controls], input, button, select, textarea, iframe, object, meter, progress';
  const roots: (Element | ShadowRoot)[] = [html.querySelector('body') ?? html];
  for (const root of roots) {
    for (const element of root.querySelectorAll('*')) {
      if (element.shadowRoot) roots.push(element.shadowRoot);
      if (!element.checkVisibility({ visibilityProperty: true })) continue;
      const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim());
      const isClosed = element.localName.includes('-') && !element.shadowRoot; // its shadow may be closed
      const isDrawn = getComputedStyle(element).backgroundImage !== 'none';
      if ((hasText && !element.matches('script, style')) || isClosed || isDrawn || element.matches(things))
        return false;
    }
    if ([...root.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim())) return false;
  }
  return true;
}
