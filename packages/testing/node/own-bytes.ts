/**
 * Restores the process's own `Uint8Array` if a simulated document (jsdom) replaced it: Node makes
 * the site's keys and signatures, and libraries check `instanceof`.
 *
 * @returns Puts the replacement back.
 */
export function restoreOwnBytes(): () => void {
  const simulated = globalThis.Uint8Array;
  const native = Object.getPrototypeOf(Buffer) as typeof Uint8Array;
  if (simulated === native) return () => {};
  globalThis.Uint8Array = native;
  return () => {
    globalThis.Uint8Array = simulated;
  };
}
