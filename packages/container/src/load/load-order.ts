import { perTick } from '../calls/per-tick.ts';

/** Decides when elements load: those in view at once, those near it when these have loaded. */
export type LoadOrder = ReturnType<typeof createLoadOrder>;

interface Waiting {
  readonly begin: () => Promise<void>;
  isNear: boolean;
}

const margin = '100%'; // one viewport on each side

export function createLoadOrder() {
  const resumeTogether = perTick<() => void>((waiting) => {
    for (const resume of waiting) resume();
  });
  const waiting = new Map<Element, Waiting>();
  let inView = 0; // documents in the window that load now
  let observer: IntersectionObserver | undefined;

  function onIntersection(entries: readonly IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting, boundingClientRect } of entries) {
      const turn = waiting.get(target);
      if (turn === undefined) continue;
      turn.isNear = isIntersecting;
      if (isIntersecting && isInView(boundingClientRect)) {
        void takeInView(target, turn);
      }
    }
    takeNear();
  }

  async function takeInView(element: Element, turn: Waiting): Promise<void> {
    inView += 1;
    try {
      await take(element, turn);
    } finally {
      inView -= 1;
      takeNear();
    }
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
    /** Resolves in the next task, the same for all callers: nothing is drawn between them. */
    nextTask: (): Promise<void> => new Promise(resumeTogether),
    /**
     * @param begin Called once, when it is the element's turn. Resolves when its document has
     * loaded.
     * @returns Function that gives the turn up.
     */
    wait(element: Element, begin: () => Promise<void>): () => void {
      const turn: Waiting = { begin, isNear: false };
      waiting.set(element, turn);
      if (observer === undefined) {
        observer = new IntersectionObserver(onIntersection, { rootMargin: margin });
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
