/** Says which input is too early to be meant for a dialog (security rule 7). */
export interface InputGuard {
  /** From now on, for half a second, nothing counts: the dialog appeared, or its window came back. */
  hold(): void;
  readonly isHeld: boolean;
  /** A key or button goes down. One that went down too early, or is held down since before, presses nothing later either. */
  press(options: { readonly repeat: boolean }): void;
  /** True if this click was meant: neither too early nor the end of a press that began too early. */
  takeClick(): boolean;
}

/** How long somebody needs to see that a dialog is there. */
export const guardMs = 500;

/** @param now Milliseconds since whenever. */
export function createInputGuard(now: () => number): InputGuard {
  let heldUntilMs = Number.NEGATIVE_INFINITY;
  let isSpoiled = false;

  const guard: InputGuard = {
    hold() {
      heldUntilMs = now() + guardMs;
    },
    get isHeld() {
      return now() < heldUntilMs;
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
