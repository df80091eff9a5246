/** A toast of an app, as the layer keeper handles it. */
export interface ToastLayer {
  /** Registered name of the app. */
  readonly app: string;
  show(): void;
  /** Hides it until the next `show`. */
  hide(): void;
  /** Closes it: it waited too long. Must call the function that `add` returned. */
  close(): void;
}

/** Time after which a toast without room expires; does not count while a modal question is open. */
export const maxWaitMs = 10_000;
const maxToasts = 3;

/**
 * Decides which layers of apps may be painted while a question of the container is open (security
 * rule 26). A modal dialog makes the rest of the page inert, also layers above it, so that a tap on
 * a toast would press the button of the question below.
 *
 * @param options.now Milliseconds of a clock that never goes back.
 * @param options.hasRoom Returns true if toasts fit where they cover no question, notice or menu.
 */
export function createLayerKeeper(options: { readonly now: () => number; readonly hasRoom: () => boolean }) {
  const { now, hasRoom } = options;
  const modals = new Set<symbol>();
  const toasts = new Map<ToastLayer, { isShown: boolean; waitsFromMs: number | undefined }>();
  const waiting = new Set<() => void>();

  /** Shows, hides and expires toasts. Call it in each frame while `isNeeded`. */
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
    /** True while there are toasts, shown or waiting. */
    get isNeeded(): boolean {
      return toasts.size > 0;
    },
    get hasModal(): boolean {
      return modals.size > 0;
    },
    /** Records that a modal question opened. Call the returned function when it has closed. */
    openModal(): () => void {
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
    /** Runs `act` as soon as no modal question is open. The returned function cancels it. */
    whenFree(act: () => void): () => void {
      if (modals.size === 0) act();
      else waiting.add(act);
      return () => waiting.delete(act);
    },
    /**
     * Adds a toast, hidden until the next `update`. A fourth closes the oldest of the same app,
     * else the oldest of all. The returned function removes it.
     */
    add(passing: ToastLayer): () => void {
      const all = [...toasts.keys()];
      if (all.length >= maxToasts) (all.find(({ app }) => app === passing.app) ?? all[0])?.close();
      toasts.set(passing, { isShown: false, waitsFromMs: undefined });
      return () => toasts.delete(passing);
    },
  };
}
