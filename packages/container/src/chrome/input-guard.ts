/** How a question stands in the window. */
export interface Sighting {
  /** In CSS pixels. */
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** How far all that contains it is scrolled, summed up. */
  readonly scrolledX: number;
  readonly scrolledY: number;
  /** Something else is painted over one of its buttons. */
  readonly isCovered: boolean;
  readonly isUnderPointer: boolean;
}

/** Decides which input is too early to be meant for a question (security rules 7 and 26). */
export interface InputGuard {
  /** For half a second from now nothing counts: the question appeared, or its window regained the focus. */
  hold(): void;
  readonly isHeld: boolean;
  /**
   * Compares the question with how it stood before, and holds input if it moved, was resized or
   * was uncovered. Scrolling holds only what it brings below a pointer that does not move.
   */
  see(sighting: Sighting): void;
  /** The pointer moved, so what is below it now is where the member wants it. */
  movePointer(): void;
  /** A key or button goes down. One that went down too early, or is held down since before, presses nothing later either. */
  press(options: { readonly repeat: boolean }): void;
  /** True if this click was meant: neither too early nor the end of a press that began too early. */
  takeClick(): boolean;
}

/** How long somebody needs to see that a question is there. */
export const guardMs = 500;

/** @param now Milliseconds of a clock that never goes back. */
export function createInputGuard(now: () => number): InputGuard {
  let heldUntilMs = Number.NEGATIVE_INFINITY;
  let scrolledAtMs = Number.NEGATIVE_INFINITY;
  let pointerMovedAtMs = Number.NEGATIVE_INFINITY;
  let isSpoiled = false;
  let seen: Sighting | undefined;

  const guard: InputGuard = {
    hold() {
      heldUntilMs = now() + guardMs;
    },
    get isHeld() {
      return now() < heldUntilMs;
    },
    see(sighting) {
      const before = seen;
      seen = sighting;
      if (!before) return;
      const change = compare(before, sighting);
      if (change === 'scrolled') scrolledAtMs = now();
      else if (change === 'changed') guard.hold();
      const isRecent = now() < scrolledAtMs + guardMs;
      if (isRecent && sighting.isUnderPointer && pointerMovedAtMs < scrolledAtMs) {
        heldUntilMs = Math.max(heldUntilMs, scrolledAtMs + guardMs);
      }
    },
    movePointer() {
      pointerMovedAtMs = now();
    },
    press({ repeat }) {
      isSpoiled = repeat || guard.isHeld;
    },
    takeClick() {
      const isMeant = !isSpoiled && !guard.isHeld;
      isSpoiled = false; // what assistive technology clicks later has no press of its own
      return isMeant;
    },
  };
  return guard;
}

function compare(before: Sighting, now: Sighting): 'same' | 'scrolled' | 'changed' {
  if (differ(before.width, now.width) || differ(before.height, now.height)) return 'changed';
  const isMoved = differ(before.left, now.left) || differ(before.top, now.top);
  const isCarried =
    !differ(before.left + before.scrolledX, now.left + now.scrolledX) &&
    !differ(before.top + before.scrolledY, now.top + now.scrolledY);
  const isUncovered = before.isCovered && !now.isCovered;
  if (isMoved) return isCarried ? 'scrolled' : 'changed';
  return isUncovered ? 'changed' : 'same';
}

// Browsers round positions, and what is scrolled, each in their own way.
function differ(a: number, b: number): boolean {
  return Math.abs(a - b) >= 1;
}
