/** Decides when elements may load their documents: those in view at once, those near it when these have loaded. */
export interface Turns {
  /**
   * @param begin Called once, unless the returned function is called before. Resolves when its document has loaded.
   * @returns Gives the turn up.
   */
  wait(element: Element, begin: () => Promise<void>): () => void;
}

interface Waiting {
  readonly begin: () => Promise<void>;
  isNear: boolean;
}

const margin = '100%'; // a view's height, and width, all around

export function createTurns(): Turns {
  const waiting = new Map<Element, Waiting>();
  let inView = 0; // documents that load now, and that somebody looks at
  let observer: IntersectionObserver | undefined;

  function look(entries: readonly IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting, boundingClientRect } of entries) {
      const turn = waiting.get(target);
      if (turn === undefined) continue;
      turn.isNear = isIntersecting;
      if (isIntersecting && isInView(boundingClientRect)) {
        inView += 1;
        take(target, turn).finally(() => {
          inView -= 1;
          takeNear();
        });
      }
    }
    takeNear();
  }

  function takeNear(): void {
    if (inView > 0) return;
    for (const [element, turn] of waiting) if (turn.isNear) void take(element, turn);
  }

  function take(element: Element, { begin }: Waiting): Promise<void> {
    leave(element);
    return begin();
  }

  function leave(element: Element): void {
    waiting.delete(element);
    observer?.unobserve(element);
    if (waiting.size > 0) return;
    observer?.disconnect();
    observer = undefined;
    removeEventListener('beforeprint', takeAll);
  }

  function takeAll(): void {
    for (const [element, turn] of waiting) void take(element, turn);
  }

  return {
    wait(element, begin) {
      const turn: Waiting = { begin, isNear: false };
      waiting.set(element, turn);
      if (observer === undefined) {
        observer = new IntersectionObserver(look, { rootMargin: margin });
        addEventListener('beforeprint', takeAll); // paper shows everything
      }
      observer.observe(element);
      return () => {
        if (waiting.get(element) === turn) leave(element);
      };
    },
  };
}

/** True for what is at least partly in the window. */
export function isInView({ top, left, bottom, right }: DOMRectReadOnly): boolean {
  return bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
}
