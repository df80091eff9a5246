import { isCovered, placementOf } from '../layers/placement.ts';
import { focusedElement } from './focused.ts';
import { createInputGuard, guardMs } from './input-guard.ts';

const everyMs = 100;

/**
 * Ignores input of a question that appeared, was covered, moved, was resized or regained the focus
 * in the last half second (security rules 7 and 26). Ends once the question is not in the page.
 *
 * @param target Contains the buttons. It appears now: it is inserted in this task.
 * @param buttons Marked as disabled while input is ignored.
 */
export function holdInput(target: HTMLElement, buttons: () => Iterable<HTMLElement>) {
  const guard = createInputGuard(() => performance.now());
  const over = new AbortController();
  const { signal } = over;
  let pointer: { readonly x: number; readonly y: number } | undefined;
  let isFocusInFrame = focusedElement() instanceof HTMLIFrameElement;
  let isScrolled = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** Ignores input for half a second: the question appeared, or has new content. */
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
  function onPointerMove({ clientX: x, clientY: y }: PointerEvent): void {
    if (isScrolled) checkPlacement(wasPointerIn); // before the pointer counts as moved
    pointer = { x, y };
    guard.movePointer();
  }
  function onKeyDown(event: KeyboardEvent): void {
    guard.press(event);
    if (guard.isHeld && ['Enter', ' ', 'Escape'].includes(event.key)) stop(event);
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
    if (!target.isConnected) return end();
    checkPlacement((box) => wasPointerIn(box) || target.matches(':hover') || matchMedia('(hover: none)').matches);
  }, everyMs);

  const captured = { capture: true, signal }; // before the question's own listeners
  window.addEventListener('pointerdown', () => checkPlacement(() => true), captured);
  window.addEventListener('pointermove', onPointerMove, captured);
  window.addEventListener('scroll', onScroll, captured);
  window.addEventListener('focus', onFocus, { signal });
  window.addEventListener('blur', onBlur, { signal });
  document.addEventListener('visibilitychange', onVisible, { signal });
  target.addEventListener('pointerdown', () => guard.press({ repeat: false }), captured);
  target.addEventListener('keydown', onKeyDown, captured);
  target.addEventListener('click', (event) => void (guard.takeClick() || stop(event)), captured);

  return {
    hold,
    /** Aborted by `end`. */
    signal,
    end,
    get isHeld(): boolean {
      return guard.isHeld;
    },
  };
}
