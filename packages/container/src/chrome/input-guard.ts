/** Position of a question in the window. */
export interface Placement {
  /** In CSS pixels. */
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** Sum of the scroll offsets of all ancestors. */
  readonly scrolledX: number;
  readonly scrolledY: number;
  /** True if something is painted over one of its buttons. */
  readonly isCovered: boolean;
  readonly isUnderPointer: boolean;
}

/** Decides which input is too early to be meant for a question (security rules 7 and 26). */
export interface InputGuard {
  /** Ignores input for half a second: the question appeared, or its window regained the focus. */
  hold(): void;
  readonly isHeld: boolean;
  /**
   * Compares the placement with the last one, and holds input if the question moved, was resized or
   * uncovered. Scrolling holds input only if it brings the question below a resting pointer.
   */
  update(placement: Placement): void;
  /** Records that the pointer moved: the member chose what is below it. */
  movePointer(): void;
  /** Records a press. One that began too early, or is a held key, never leads to a click. */
  press(options: { readonly repeat: boolean }): void;
  /** Returns true if this click is neither too early nor the end of a press that was. */
  takeClick(): boolean;
}

/** Time that a member needs to notice a question. */
export const guardMs = 500;

/** @param now Milliseconds of a clock that never goes back. */
export function createInputGuard(now: () => number): InputGuard {
  let heldUntilMs = Number.NEGATIVE_INFINITY;
  let scrolledAtMs = Number.NEGATIVE_INFINITY;
  let pointerMovedAtMs = Number.NEGATIVE_INFINITY;
  let isSpoiled = false;
  let seen: Placement | undefined;

  const guard: InputGuard = {
    hold() {
      heldUntilMs = now() + guardMs;
    },
    get isHeld() {
      return now() < heldUntilMs;
    },
    update(placement) {
      const before = seen;
      seen = placement;
      if (!before) return;
      const change = compare(before, placement);
      if (change === 'scrolled') scrolledAtMs = now();
      else if (change === 'changed') guard.hold();
      const isRecent = now() < scrolledAtMs + guardMs;
      if (isRecent && placement.isUnderPointer && pointerMovedAtMs < scrolledAtMs) {
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
      isSpoiled = false; // clicks of assistive technology come without a press
      return isMeant;
    },
  };
  return guard;
}

function compare(before: Placement, now: Placement): 'same' | 'scrolled' | 'changed' {
  if (differ(before.width, now.width) || differ(before.height, now.height)) return 'changed';
  const isMoved = differ(before.left, now.left) || differ(before.top, now.top);
  const isCarried =
    !differ(before.left + before.scrolledX, now.left + now.scrolledX) &&
    !differ(before.top + before.scrolledY, now.top + now.scrolledY);
  const isUncovered = before.isCovered && !now.isCovered;
  if (isMoved) return isCarried ? 'scrolled' : 'changed';
  return isUncovered ? 'changed' : 'same';
}

// Browsers round positions and scroll offsets differently.
function differ(a: number, b: number): boolean {
  return Math.abs(a - b) >= 1;
}
