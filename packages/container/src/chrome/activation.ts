import { isInView } from '../load/load-order.ts';

const patienceMs = 300;
const everyMs = 30;

/**
 * Resolves with true if the member has just used this app: the page has transient activation (a
 * click or key of the last seconds, in any frame), and the focus is in this frame. An app can take
 * the focus by script, but not both.
 *
 * Waits before it resolves with false: the browser may learn of a click in a frame of another
 * process later than of the app's message about it.
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

/** Returns true if the frame is rendered, within the window, and the tab is visible. */
export function isSeen(frame: HTMLIFrameElement): boolean {
  if (document.visibilityState !== 'visible' || frame.checkVisibility?.() === false) return false;
  return isInView(frame.getBoundingClientRect());
}
