import { focusedElement } from './focused.ts';
import { createInputGuard, guardMs } from './input-guard.ts';
import { isCovered, placementOf } from './placement.ts';

/** Input of a question of the container, which is ignored while too early to be meant. */
export interface HeldInput {
  /** Ignores input for half a second: the question appeared, or has new content. */
  hold(): void;
  readonly isHeld: boolean;
  end(): void;
  /** Aborted by `end`. */
  readonly signal: AbortSignal;
}

const everyMs = 100;

/**
 * Ignores input of a question that appeared, was covered, moved, was resized or regained the focus
 * in the last half second (security rules 7 and 26). Ends when the question leaves the page.
 *
 * @param target Contains the buttons; it appears now.
 * @param options.buttons Marked as disabled while input is ignored.
 * @param options.now Milliseconds of a clock that never goes back.
 */
export function holdInput(
  target: HTMLElement,
  options: { readonly buttons: () => Iterable<HTMLElement>; readonly now: () => number },
): HeldInput {
  const { buttons, now } = options;
  const guard = createInputGuard(now);
  const over = new AbortController();
  const { signal } = over;
  let pointer: { readonly x: number; readonly y: number } | undefined;
  let isFocusInFrame = focusedElement() instanceof HTMLIFrameElement;
  let isScrolled = false;
  let wasConnected = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function hold(): void {
    guard.hold();
    clearTimeout(timer);
    timer = setTimeout(showHeld, guardMs + 1);
    showHeld();
  }
  function showHeld(): void {
    const held = String(guard.isHeld);
    for (const button of buttons()) if (button.ariaDisabled !== held) button.ariaDisabled = held;
  }
  function checkPlacement(isUnderPointer: (box: DOMRect) => boolean): void {
    if (!target.isConnected) return;
    isScrolled = false;
    const box = target.getBoundingClientRect();
    guard.update({ ...placementOf(target), isCovered: isCovered(buttons()), isUnderPointer: isUnderPointer(box) });
    showHeld();
  }
  function wasPointerIn({ left, right, top, bottom }: DOMRect): boolean {
    return pointer !== undefined && pointer.x >= left && pointer.x < right && pointer.y >= top && pointer.y < bottom;
  }
  function onVisible(): void {
    if (document.visibilityState === 'visible') hold();
  }
  function onScroll(): void {
    isScrolled = true;
  }
  function onBlur(): void {
    isFocusInFrame = document.hasFocus();
  }
  function onFocus(): void {
    // A press on the page after one in an app focuses the window too, without a return to it.
    if (!isFocusInFrame) hold();
    isFocusInFrame = false;
  }
  function stop(event: Event): void {
    event.preventDefault();
    event.stopImmediatePropagation();
  }
  function end(): void {
    clearTimeout(timer);
    clearInterval(watch);
    over.abort();
  }

  const watch = setInterval(() => {
    if (wasConnected && !target.isConnected) return end();
    wasConnected ||= target.isConnected;
    checkPlacement((box) => wasPointerIn(box) || target.matches(':hover') || matchMedia('(hover: none)').matches);
  }, everyMs);

  // Captured, so that it runs before the question's own listeners.
  window.addEventListener('pointerdown', () => checkPlacement(() => true), { capture: true, signal });
  window.addEventListener('scroll', onScroll, { capture: true, signal });
  window.addEventListener(
    'pointermove',
    ({ clientX: x, clientY: y }) => {
      if (isScrolled) checkPlacement(wasPointerIn); // before the pointer counts as moved
      pointer = { x, y };
      guard.movePointer();
    },
    { capture: true, signal },
  );
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
  window.addEventListener('focus', onFocus, { signal });
  window.addEventListener('blur', onBlur, { signal });
  document.addEventListener('visibilitychange', onVisible, { signal });

  return {
    hold,
    signal,
    end,
    get isHeld() {
      return guard.isHeld;
    },
  };
}
