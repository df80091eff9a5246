/** Something of an app that is painted over the page for a while: a toast. */
export interface Passing {
  /** Registered name of the app. */
  readonly app: string;
  show(): void;
  /** Takes it away. It waits for its next `show`. */
  hide(): void;
  /** Ends it: it waited too long. Must call the function that `add` returned. */
  close(): void;
}

/**
 * Decides what of an app may be painted while a question of the container is open (security rule
 * 26). A modal dialog makes the rest of the page inert, also what is painted above it, so that a
 * tap on a toast there would press the button of the question below.
 */
export interface LayerKeeper {
  /** A modal question opens. Call the returned function when it has closed. */
  openModal(): () => void;
  /**
   * Runs `act` now, or when no modal question is open. The returned function forgets it.
   */
  whenFree(act: () => void): () => void;
  /**
   * Adds a toast, hidden until the next `update`. Of more than three the oldest of the same app is
   * closed, else the oldest. The returned function forgets it.
   */
  add(passing: Passing): () => void;
  /** Shows and hides toasts, and ends those that waited too long. Called again while `isNeeded`. */
  update(): void;
  /** True while there are toasts, shown or waiting. */
  readonly isNeeded: boolean;
}

/** Time for a toast that could not be shown, counted from when no modal question is open. */
export const maxWaitMs = 10_000;
const maxToasts = 3;

/**
 * @param options.now Milliseconds of a clock that never goes back.
 * @param options.hasRoom True if toasts have a place where they cover no question, notice or menu.
 */
export function createLayerKeeper(options: {
  readonly now: () => number;
  readonly hasRoom: () => boolean;
}): LayerKeeper {
  const { now, hasRoom } = options;
  const modals = new Set<symbol>();
  const toasts = new Map<Passing, { isShown: boolean; waitsFromMs: number | undefined }>();
  const waiting = new Set<() => void>();

  function update(): void {
    if (toasts.size === 0) return;
    const mayShow = modals.size === 0 && hasRoom();
    for (const [toast, state] of [...toasts]) {
      if (mayShow !== state.isShown) {
        state.isShown = mayShow;
        if (mayShow) toast.show();
        else toast.hide();
      }
      if (mayShow || modals.size > 0) {
        state.waitsFromMs = undefined;
      } else {
        state.waitsFromMs ??= now();
        if (now() - state.waitsFromMs >= maxWaitMs) toast.close();
      }
    }
  }

  return {
    update,
    get isNeeded() {
      return toasts.size > 0;
    },
    openModal() {
      const modal = Symbol();
      modals.add(modal);
      update();
      return () => {
        if (!modals.delete(modal) || modals.size > 0) return;
        const acts = [...waiting];
        waiting.clear();
        for (const act of acts) act();
        update();
      };
    },
    whenFree(act) {
      if (modals.size === 0) act();
      else waiting.add(act);
      return () => waiting.delete(act);
    },
    add(passing) {
      const all = [...toasts.keys()];
      if (all.length >= maxToasts) (all.find(({ app }) => app === passing.app) ?? all[0])?.close();
      toasts.set(passing, { isShown: false, waitsFromMs: undefined });
      return () => toasts.delete(passing);
    },
  };
}
