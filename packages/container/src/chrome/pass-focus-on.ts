import type { Place } from '../gadget.ts';

const focusable = 'a[href],button,input,select,textarea,summary,iframe,[tabindex],[contenteditable]';

/**
 * Moves the focus on when a focused gadget leaves the page: to the next focusable element, else to
 * the one before. Browsers would start again at the top of the page. A gadget that was only moved
 * within the page is focused again.
 */
export function passFocusOn({ element }: Place): () => void {
  const over = new AbortController();
  const options = { signal: over.signal, capture: true };
  let place: Range | undefined; // survives the element's removal

  function track(): void {
    const { activeElement } = element.getRootNode() as Document | ShadowRoot;
    if (activeElement !== element) place = undefined;
    else if (!place) {
      place = document.createRange();
      place.selectNode(element);
    }
  }

  // A page gets no event when the focus enters a frame, only that its own element lost it.
  for (const type of ['focusin', 'focus', 'blur']) addEventListener(type, track, options);
  track();
  return () => {
    over.abort();
    if (!place || document.activeElement !== document.body) return; // the site moved it
    if (element.isConnected) element.shadowRoot?.querySelector<HTMLElement>('.pane')?.focus();
    else focusNear(place, element.localName);
  };
}

/** @param gadget Tag name of gadgets, which are focused at their skip button. */
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
