/**
 * Focuses an element; a frame through its window. Chromium keeps a frame that was focused as an
 * element the active one after a click into another frame, whose requests would then be refused as
 * not asked for by the member.
 */
export function giveFocus(element: HTMLElement | null | undefined): void {
  if (element instanceof HTMLIFrameElement) element.contentWindow?.focus();
  else element?.focus({ preventScroll: true });
}
