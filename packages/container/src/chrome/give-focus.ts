/**
 * Gives the focus to an element; into a frame by its window. Chromium goes on to call a frame that got it as an element the active
 * one when the member then clicks into another, and what that other app asks for would be refused as nobody's wish.
 */
export function giveFocus(element: HTMLElement | null | undefined): void {
  if (element instanceof HTMLIFrameElement) element.contentWindow?.focus();
  else element?.focus({ preventScroll: true });
}
