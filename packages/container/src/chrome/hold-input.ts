import { createInputGuard, guardMs } from './input-guard.ts';

/** Keeps input that comes too early to be meant away from what the container asks (security rule 7). */
export interface HeldInput {
  /** From now on, for half a second: it appeared, moved, or its window regained the focus. */
  hold(): void;
  readonly isHeld: boolean;
  end(): void;
  /** Aborted at the end. */
  readonly signal: AbortSignal;
}

/**
 * @param target Holds the buttons; it appears now.
 * @param options.buttons Shown as disabled while nothing counts.
 * @param options.now Milliseconds since whenever.
 */
export function holdInput(
  target: HTMLElement,
  options: { readonly buttons: () => Iterable<HTMLElement>; readonly now: () => number },
): HeldInput {
  const { buttons, now } = options;
  const guard = createInputGuard(now);
  const over = new AbortController();
  const { signal } = over;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function hold(): void {
    guard.hold();
    clearTimeout(timer);
    timer = setTimeout(showHeld, guardMs + 1);
    showHeld();
  }
  function showHeld(): void {
    for (const button of buttons()) button.ariaDisabled = String(guard.isHeld);
  }
  function onVisible(): void {
    if (document.visibilityState === 'visible') hold();
  }
  function stop(event: Event): void {
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  target.addEventListener('pointerdown', () => guard.press({ repeat: false }), { capture: true, signal });
  target.addEventListener(
    'keydown',
    (event) => {
      guard.press(event);
      if (guard.isHeld && ['Enter', ' ', 'Escape'].includes(event.key)) stop(event);
    },
    { capture: true, signal },
  );
  target.addEventListener('click', (event) => void (guard.takeClick() || stop(event)), { capture: true, signal });
  window.addEventListener('focus', hold, { signal });
  document.addEventListener('visibilitychange', onVisible, { signal });

  return {
    hold,
    signal,
    get isHeld() {
      return guard.isHeld;
    },
    end() {
      clearTimeout(timer);
      over.abort();
    },
  };
}
