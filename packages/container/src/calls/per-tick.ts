/**
 * Collects the items of one tick. A tick is a macrotask, so messages of several ports that are in
 * the event loop already belong to it.
 *
 * @param delayMs Makes the tick longer; `first` has it end before tasks that the browser has
 * queued. The first of all then ends with the script that runs: elements that a page has when
 * they are defined have all been upgraded.
 */
export function perTick<T>(flush: (items: readonly T[]) => void, delayMs: number | 'first' = 0): (item: T) => void {
  let items: T[] = [];
  let isFirst = delayMs === 'first';
  function end(): void {
    const collected = items;
    items = [];
    isFirst = false;
    flush(collected);
  }
  return (item) => {
    if (items.push(item) > 1) return;
    if (delayMs !== 'first') setTimeout(end, delayMs);
    else if (isFirst) queueMicrotask(end);
    else if (scope.scheduler) void scope.scheduler.postTask(end, { priority: 'user-blocking' });
    else setTimeout(end);
  };
}

/** Absent in Node and older browsers. */
const scope: {
  readonly scheduler?: { postTask(task: () => void, options: { readonly priority: 'user-blocking' }): Promise<void> };
} = globalThis;
