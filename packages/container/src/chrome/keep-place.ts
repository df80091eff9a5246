import type { Place } from '../place.ts';

const focusable = 'a[href],button,input,select,textarea,summary,iframe,[tabindex],[contenteditable]';

/**
 * Gives the focus on when a gadget that has it is taken out of the page: to what comes next there, else to what came before.
 * Browsers begin again at the top of the page when a frame that had the focus goes. A gadget that was only put elsewhere
 * gets it back.
 */
export function keepPlace({ element }: Place): () => void {
  const over = new AbortController();
  const options = { signal: over.signal, capture: true };
  let place: Range | undefined; // of the element while it has the focus: it stays where that was when it goes

  function look(): void {
    const { activeElement } = element.getRootNode() as Document | ShadowRoot;
    if (activeElement !== element) place = undefined;
    else if (!place) {
      place = document.createRange();
      place.selectNode(element);
    }
  }

  // A page hears of the focus within itself, and that it went from there, which may be into a frame.
  for (const type of ['focusin', 'focus', 'blur']) addEventListener(type, look, options);
  look();
  return () => {
    over.abort();
    if (!place || document.activeElement !== document.body) return; // the site may have given it on by itself
    if (element.isConnected) element.shadowRoot?.querySelector<HTMLElement>('.stage')?.focus();
    else focusNear(place, element.localName);
  };
}

/** @param gadget Tag name of gadgets, which are focused at their first button. */
function focusNear(place: Range, gadget: string): void {
  const root = place.startContainer.getRootNode() as Document | ShadowRoot;
  if (!root.isConnected) return;
  const all = [...root.querySelectorAll<HTMLElement>(`${focusable},${gadget}`)];
  const isBehind = (one: HTMLElement) => place.comparePoint(one, 0) > 0;
  const candidates = [...all.filter(isBehind), ...all.filter((one) => !isBehind(one)).reverse()];
  candidates.find((one) => {
    const target = one.localName === gadget ? one.shadowRoot?.querySelector<HTMLElement>('.skip') : one;
    if (target && target.tabIndex >= 0) target.focus();
    return document.activeElement !== document.body;
  });
}
