/**
 * True if the member has just done something in this app: the browser counts a click or key of the last seconds, in the page or
 * any of its frames, and the focus is in this one. Focus alone an app can take; both together it has to be given.
 */
export function wasUsed(frame: HTMLIFrameElement): boolean {
  const { activeElement } = frame.getRootNode() as ShadowRoot;
  return activeElement === frame && navigator.userActivation?.isActive !== false;
}

/** True if anybody can see it: in this tab, shown at all, and within the window. */
export function isSeen(frame: HTMLIFrameElement): boolean {
  if (document.visibilityState !== 'visible' || frame.checkVisibility?.() === false) return false;
  const { top, bottom, left, right } = frame.getBoundingClientRect();
  return bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
}
