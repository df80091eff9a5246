/**
 * Gives the process its own `Uint8Array` back where a simulated document (jsdom) has put another in its place: the site's keys and
 * signatures are made by Node, and libraries tell them by `instanceof`.
 *
 * @returns Puts the other one there again.
 */
export function restoreOwnBytes(): () => void {
  const simulated = globalThis.Uint8Array;
  const own = Object.getPrototypeOf(Buffer) as typeof Uint8Array;
  if (simulated === own) return () => {};
  globalThis.Uint8Array = own;
  return () => {
    globalThis.Uint8Array = simulated;
  };
}
