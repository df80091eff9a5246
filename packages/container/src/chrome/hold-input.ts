import { focusedElement } from './focused.ts';
import { createInputGuard, guardMs } from './input-guard.ts';
import { isCovered, placeOf } from './sight.ts';

/** Keeps input that comes too early to be meant away from what the container asks (security rules 7 and 26). */
export interface HeldInput {
  /** For half a second from now: the question appeared, or asks something else. */
  hold(): void;
  readonly isHeld: boolean;
  end(): void;
  /** Aborted at the end. */
  readonly signal: AbortSignal;
}

const everyMs = 100;

/**
 * Holds input of a question that appeared, was covered, moved, was resized or regained the focus in
 * the last half second. Ends when the question is taken out of the page.
 *
 * @param target Holds the buttons; it appears now.
 * @param options.buttons Shown as disabled while nothing counts.
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
  function look(isUnderPointer: (box: DOMRect) => boolean): void {
    if (!target.isConnected) return;
    isScrolled = false;
    const box = target.getBoundingClientRect();
    guard.see({ ...placeOf(target), isCovered: isCovered(buttons()), isUnderPointer: isUnderPointer(box) });
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
    // A press on the page after one in an app gives the page the focus, too: that is no return to the window.
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
    look((box) => wasPointerIn(box) || target.matches(':hover') || matchMedia('(hover: none)').matches);
  }, everyMs);

  // Before the question's own listeners. A press is in the question only if the pointer is.
  window.addEventListener('pointerdown', () => look(() => true), { capture: true, signal });
  window.addEventListener('scroll', onScroll, { capture: true, signal });
  window.addEventListener(
    'pointermove',
    ({ clientX: x, clientY: y }) => {
      if (isScrolled) look(wasPointerIn); // before the pointer counts as moved
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
