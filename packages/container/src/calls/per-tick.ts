/**
 * Collects the items of one tick. A tick is a macrotask, so messages of several ports that are in
 * the event loop already belong to it.
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
