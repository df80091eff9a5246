import { createFocusRule, createStormRule } from './focus-rule.ts';
import { focusedElement } from './focused.ts';
import { giveFocus } from './give-focus.ts';

const modifiers = ['Shift', 'Control', 'Alt', 'AltGraph', 'Meta', 'CapsLock'];
const buttons = ['button', 'submit', 'reset', 'image', 'file', 'checkbox', 'radio', 'range', 'color'];

/** Guards a frame until the returned function is called. */
export type GuardFocus = (frame: HTMLIFrameElement, onTaken: (isStorm: boolean) => void) => () => void;

/**
 * Restores the focus of a field of the page, or of a question of the container, if an app's frame
 * took it while the member was typing (security rule 28). From the page's start on, since no app
 * needs a hello, or to be seen, to take what is typed next.
 *
 * @returns Function that guards a frame: `onTaken` is called each time, and `isStorm` if it was so
 * often that the app must be stopped.
 */
export function createFocusGuard(): GuardFocus {
  const rule = createFocusRule<EventTarget>(() => performance.now());
  const guarded = new Map<Element | null, () => boolean>();
  let left: EventTarget | undefined;

  function onBlur(event: FocusEvent): void {
    if (event.target !== window) {
      left = fieldOf(event);
      setTimeout(() => {
        left = undefined; // it moved within the page
      });
    } else if (!document.hasFocus()) {
      rule.leaveWindow();
    } else {
      const frame = focusedElement();
      const take = guarded.get(frame);
      if (!take || !(left instanceof HTMLElement) || !isKept(left)) return;
      const isPointerOverFrame = frame?.matches(':hover') === true;
      const hasTouchScreen = matchMedia('(any-pointer: coarse)').matches;
      if (rule.isTaken({ field: left, isPointerOverFrame, hasTouchScreen })) giveBack(left, { frame, isStorm: take() });
    }
  }

  addEventListener('blur', onBlur, { capture: true });
  addEventListener(
    'keydown',
    (event) => {
      if (!modifiers.includes(event.key)) rule.press(fieldOf(event), event.key === 'Tab' ? 'tab' : 'key');
    },
    { capture: true },
  );
  addEventListener(
    'pointerdown',
    (event) => rule.press(fieldOf(event), event.pointerType === 'mouse' ? 'mouse' : 'touch'),
    { capture: true },
  );

  return (frame, onTaken) => {
    const isStorm = createStormRule(() => performance.now());
    guarded.set(frame, () => {
      const isStormNow = isStorm();
      onTaken(isStormNow);
      return isStormNow;
    });
    return () => void guarded.delete(frame);
  };
}

function giveBack(
  field: HTMLElement,
  { frame, isStorm }: { readonly frame: Element | null; readonly isStorm: boolean },
): void {
  // In a task of its own: browsers ignore focus changes during `blur`.
  setTimeout(() => {
    if (isStorm || focusedElement() === frame) giveFocus(field);
  });
}

/** Returns the field of an event, also in a shadow tree; editable text counts as one field. */
function fieldOf(event: Event): EventTarget {
  const target = event.composedPath()[0] as EventTarget;
  if (!(target instanceof HTMLElement)) return target;
  const label = target.closest('label')?.control;
  if (label) return label;
  let field = target;
  while (field.isContentEditable && field.parentElement?.isContentEditable) field = field.parentElement;
  return field;
}

/** Returns true for text fields, and for anything in a question of the container. */
function isKept(field: HTMLElement): boolean {
  if (!field.isConnected) return false; // its dialog closed
  if (field instanceof HTMLInputElement) return !buttons.includes(field.type);
  if (field instanceof HTMLTextAreaElement || field instanceof HTMLSelectElement || field.isContentEditable)
    return true;
  return field.getRootNode() instanceof ShadowRoot && field.closest('dialog[open], .consent, .notice') !== null;
}
