/**
 * Collects what is added during one tick and hands it over together.
 *
 * A tick is a macrotask: messages of several ports that are already in the event loop are still part of it.
 *
 * @param delayMs Makes the tick longer.
 */
export function perTick<T>(flush: (items: readonly T[]) => void, delayMs = 0): (item: T) => void {
  let items: T[] = [];
  return (item) => {
    if (items.push(item) > 1) return;
    setTimeout(() => {
      const collected = items;
      items = [];
      flush(collected);
    }, delayMs);
  };
}
