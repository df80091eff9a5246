const recentMs = 1_000;
const recentWithTouchMs = 200;
const stormCount = 20;

/**
 * Decides whether an app took the focus from a member who was typing (security rule 28).
 *
 * @param now Milliseconds of a clock that never goes back.
 */
export function createFocusRule<Field>(now: () => number) {
  let last: { readonly field: Field; readonly kind: 'key' | 'tab' | 'mouse'; readonly atMs: number } | undefined;
  let isTouchInUse = false;

  return {
    /** Records that a key or pointer went down in a field. */
    press(field: Field, kind: 'key' | 'tab' | 'mouse' | 'touch'): void {
      if (kind === 'touch' || kind === 'mouse') isTouchInUse = kind === 'touch';
      last = kind === 'touch' ? undefined : { field, kind, atMs: now() };
    },
    /** Forgets the last key: the window lost the focus to something else than a frame. */
    leaveWindow(): void {
      last = undefined;
    },
    /**
     * Returns true if a frame took the focus from `field`. That counts as typing in the field, so
     * that a second try at once fails too.
     *
     * @param options.hasTouchScreen Shortens the time: the page sees no touch in a frame, which
     * scripts outrun.
     */
    isTaken(options: {
      readonly field: Field;
      readonly isPointerOverFrame: boolean;
      readonly hasTouchScreen: boolean;
    }): boolean {
      const { field, isPointerOverFrame, hasTouchScreen } = options;
      if (last?.field !== field || last.kind === 'tab' || isTouchInUse || isPointerOverFrame) return false;
      if (now() - last.atMs >= (hasTouchScreen ? recentWithTouchMs : recentMs)) return false;
      last = { ...last, atMs: now() };
      return true;
    },
  };
}

/**
 * Returns a function that counts a theft of one frame, and says if it took the focus so often
 * within a second that keys get lost even if it comes back.
 */
export function createStormRule(now: () => number): () => boolean {
  let takenAtMs: readonly number[] = [];
  return () => {
    takenAtMs = [...takenAtMs, now()].slice(-stormCount);
    return takenAtMs.length === stormCount && now() - (takenAtMs[0] as number) < recentMs;
  };
}
