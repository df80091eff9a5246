const patienceMs = 300;
const everyMs = 30;

/**
 * True if the member has just done something in this app: the browser counts a click or key of the last seconds, in the page or
 * any of its frames, and the focus is in this one. Focus alone an app can take; both together it has to be given.
 *
 * News of a click in a frame of another process can come after what the app says about it, so a no is not said at once.
 */
export async function wasUsed(frame: HTMLIFrameElement): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += everyMs) {
    if (isUsed(frame)) return true;
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
  return isUsed(frame);
}

function isUsed(frame: HTMLIFrameElement): boolean {
  const { activeElement } = frame.getRootNode() as ShadowRoot;
  return activeElement === frame && navigator.userActivation?.isActive !== false;
}

/** True if anybody can see it: in this tab, shown at all, and within the window. */
export function isSeen(frame: HTMLIFrameElement): boolean {
  if (document.visibilityState !== 'visible' || frame.checkVisibility?.() === false) return false;
  const { top, bottom, left, right } = frame.getBoundingClientRect();
  return bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
}
