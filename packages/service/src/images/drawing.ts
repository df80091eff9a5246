/** Runs the work on one picture in its turn, and settles as the work does. */
export type Draw = <T>(picture: Picture, work: () => Promise<T>) => Promise<T>;

/** Picture that waits to be drawn. */
export interface Picture {
  /** Members take turns, however many pictures each of them has waiting. */
  readonly member: string;
  /** Pixels of all frames together. */
  readonly pixels: number;
}

const atOnce = 2;
const mostWaiting = 32;
/** Pixels in work together. A picture with more is drawn while no other is. */
const pixelsAtOnce = 25_000_000;
/** Pictures with more are drawn one at a time. */
const largePixels = 12_000_000;

/**
 * Bounds the pictures in work by their pixels, which are what drawing costs: a file of 40 bytes can
 * have millions. @param options.full Makes the error for a picture that finds no place to wait.
 */
export function createDrawing({ full }: { readonly full: () => Error }): Draw {
  /** By member, in the order of their turns. */
  const waiting = new Map<string, { readonly picture: Picture; readonly start: () => void }[]>();
  let count = 0;
  const inWork = new Set<Picture>();

  function hasRoomFor({ pixels }: Picture): boolean {
    if (inWork.size === 0) return true;
    if (inWork.size >= atOnce) return false;
    const others = [...inWork];
    if (pixels > largePixels && others.some((other) => other.pixels > largePixels)) return false;
    return others.reduce((sum, other) => sum + other.pixels, pixels) <= pixelsAtOnce;
  }

  // The next picture waits for its room even if a later one would fit: else it could wait for ever.
  function startNext(): void {
    for (;;) {
      const [turn] = waiting;
      const next = turn?.[1][0];
      if (!turn || !next || !hasRoomFor(next.picture)) return;
      const [member, [, ...rest]] = turn;
      waiting.delete(member);
      if (rest.length > 0) waiting.set(member, rest); // at the end of the order
      count--;
      inWork.add(next.picture);
      next.start();
    }
  }

  return async (picture, work) => {
    if (count === 0 && hasRoomFor(picture)) inWork.add(picture);
    else {
      if (count >= mostWaiting) throw full();
      count++;
      await new Promise<void>((start) => {
        waiting.set(picture.member, [...(waiting.get(picture.member) ?? []), { picture, start }]);
      });
    }
    try {
      return await work();
    } finally {
      inWork.delete(picture);
      startNext();
    }
  };
}
