/** Decides whether an app took the focus from a member who was typing (security rule 28). */
export interface FocusRule<Field> {
  /** A key or pointer went down in a field. */
  press(field: Field, kind: 'key' | 'tab' | 'mouse' | 'touch'): void;
  /** The window lost the focus to something else than a frame: what was typed before says nothing about later. */
  leaveWindow(): void;
  /**
   * True if the focus that `field` lost to a frame has to come back. It counts as typed in then,
   * so that an app that tries again at once fails again.
   */
  isTaken(options: {
    readonly field: Field;
    readonly isPointerOverFrame: boolean;
    /** A touch in a frame is seen by nobody else, and comes later after a key than what a script does. */
    readonly hasTouchScreen: boolean;
  }): boolean;
  /** True if it was taken so often within a second that keys get lost whoever has it in the end. */
  readonly isStorm: boolean;
}

const recentMs = 1_000;
const recentWithTouchMs = 200;
const stormCount = 20;

/** @param now Milliseconds of a clock that never goes back. */
export function createFocusRule<Field>(now: () => number): FocusRule<Field> {
  let last: { readonly field: Field; readonly kind: 'key' | 'tab' | 'mouse'; readonly atMs: number } | undefined;
  let isTouchInUse = false;
  let takenAtMs: readonly number[] = [];

  return {
    press(field, kind) {
      if (kind === 'touch' || kind === 'mouse') isTouchInUse = kind === 'touch';
      last = kind === 'touch' ? undefined : { field, kind, atMs: now() };
    },
    leaveWindow() {
      last = undefined;
    },
    isTaken({ field, isPointerOverFrame, hasTouchScreen }) {
      if (last?.field !== field || last.kind === 'tab' || isTouchInUse || isPointerOverFrame) return false;
      if (now() - last.atMs >= (hasTouchScreen ? recentWithTouchMs : recentMs)) return false;
      last = { ...last, atMs: now() };
      takenAtMs = [...takenAtMs, now()].slice(-stormCount);
      return true;
    },
    get isStorm() {
      return takenAtMs.length === stormCount && now() - (takenAtMs[0] as number) < recentMs;
    },
  };
}
