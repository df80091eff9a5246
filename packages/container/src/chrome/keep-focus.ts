import type { Gadget, Place } from '../gadget.ts';
import { createFocusRule } from './focus-rule.ts';
import { focusedElement } from './focused.ts';
import { giveFocus } from './give-focus.ts';

const taken = new WeakMap<Gadget, number>(); // by gadget, since an app can reload itself

const modifiers = ['Shift', 'Control', 'Alt', 'AltGraph', 'Meta', 'CapsLock'];
const buttons = ['button', 'submit', 'reset', 'image', 'file', 'checkbox', 'radio', 'range', 'color'];

/**
 * Restores the focus of a field of the page, or of a question of the container, if an app's frame
 * took it while the member was typing (security rule 28). Each time is an incident; from the second
 * on a notice offers to stop the app. An app that takes it in a storm is stopped.
 */
export function keepFocus({ frame, gadget, dispatch, fail, offerStop }: Place): () => void {
  const over = new AbortController();
  const options = { capture: true, signal: over.signal };
  const rule = createFocusRule<EventTarget>(() => performance.now());
  let left: EventTarget | undefined;

  function onBlur(event: FocusEvent): void {
    if (event.target !== window) {
      left = fieldOf(event);
      setTimeout(() => {
        left = undefined; // it moved within the page
      });
    } else if (!document.hasFocus()) {
      rule.leaveWindow();
    } else if (left instanceof HTMLElement && focusedElement() === frame && isKept(left)) {
      const isPointerOverFrame = frame.matches(':hover');
      const hasTouchScreen = matchMedia('(any-pointer: coarse)').matches;
      if (rule.isTaken({ field: left, isPointerOverFrame, hasTouchScreen })) giveBack(left);
    }
  }

  function giveBack(field: HTMLElement): void {
    const { isStorm } = rule;
    const times = (taken.get(gadget) ?? 0) + 1;
    taken.set(gadget, times);
    // In a task of its own: browsers ignore focus changes during `blur`.
    setTimeout(() => {
      if (isStorm || focusedElement() === frame) giveFocus(field);
    });
    if (isStorm) fail('focus');
    else if (times <= maxIncidents) {
      dispatch('gantry-incident', { app: gadget.context.app.id, kind: 'focus', detail: { times } });
      if (times > 1) offerStop();
    }
  }

  addEventListener('blur', onBlur, options);
  addEventListener(
    'keydown',
    (event) => {
      if (!modifiers.includes(event.key)) rule.press(fieldOf(event), event.key === 'Tab' ? 'tab' : 'key');
    },
    options,
  );
  addEventListener(
    'pointerdown',
    (event) => rule.press(fieldOf(event), event.pointerType === 'mouse' ? 'mouse' : 'touch'),
    options,
  );
  return () => over.abort();
}

const maxIncidents = 20;

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
