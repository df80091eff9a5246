/** Runs work for one network in its turn; `busy` if there was no place to wait. */
export type FairQueue = <T>(network: string, work: () => Promise<T>) => Promise<T | 'busy'>;

/**
 * Makes a queue in which no network keeps the others out. Networks take turns, so that each is a
 * few pieces of work away from its own next one, however many wait for another. One network has at
 * most half of the places, and when all are taken, the network with the most of them gives one up
 * to a network with fewer.
 */
export function createFairQueue(options: { readonly atOnce: number; readonly mostWaiting: number }): FairQueue {
  const { atOnce, mostWaiting } = options;
  const mostOfOne = Math.max(1, Math.floor(mostWaiting / 2));
  /** By network, in the order of their turns. */
  const waiting = new Map<string, Place[]>();
  let count = 0;
  let running = 0;

  /** Resolves with true for the turn, with false for a place that was given up. */
  function waitFor(network: string): Promise<boolean> {
    const places = waiting.get(network) ?? [];
    if (places.length >= mostOfOne || !hasPlaceFor(places.length)) return Promise.resolve(false);
    return new Promise((resolve) => {
      waiting.set(network, [...places, resolve]);
      count++;
    });
  }

  function hasPlaceFor(lineLength: number): boolean {
    if (count < mostWaiting) return true;
    let largest: [string, Place[]] | undefined;
    for (const each of waiting) if (each[1].length > (largest?.[1].length ?? lineLength + 1)) largest = each;
    if (!largest) return false;
    const [network, places] = largest;
    take(network, places, places.length - 1)?.(false); // the latest one
    return true;
  }

  function take(network: string, places: readonly Place[], index: number): Place | undefined {
    const rest = places.filter((_, at) => at !== index);
    if (rest.length > 0) waiting.set(network, rest);
    else waiting.delete(network);
    count--;
    return places[index];
  }

  function startNext(): void {
    const [first] = waiting;
    if (!first) {
      running--;
      return;
    }
    const [network, places] = first;
    waiting.delete(network); // setting it again moves it to the end
    take(network, places, 0)?.(true);
  }

  return async (network, work) => {
    if (running < atOnce) running++;
    else if (!(await waitFor(network))) return 'busy';
    try {
      return await work();
    } finally {
      startNext();
    }
  };
}

type Place = (isTurn: boolean) => void;
