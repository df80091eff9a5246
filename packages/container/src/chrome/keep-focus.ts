import type { Gadget } from '../gadget.ts';
import type { Place } from '../place.ts';
import { createFocusRule } from './focus-rule.ts';
import { focusedElement } from './focused.ts';
import { giveFocus } from './give-focus.ts';

const taken = new WeakMap<Gadget, number>(); // a gadget outlives its loads, and an app can have itself loaded anew

const modifiers = ['Shift', 'Control', 'Alt', 'AltGraph', 'Meta', 'CapsLock'];
const buttons = ['button', 'submit', 'reset', 'image', 'file', 'checkbox', 'radio', 'range', 'color'];

/**
 * Gives the focus back to a field of the page, or a question of the container, that lost it to the
 * frame of an app while its member was typing there (security rule 28). Each time is an incident;
 * from the second on a notice offers to stop the app, and one that does it in a storm is stopped.
 */
export function keepFocus({ element, frame, gadget, tell, fail }: Place): () => void {
  const over = new AbortController();
  const options = { capture: true, signal: over.signal };
  const rule = createFocusRule<EventTarget>(() => performance.now());
  let left: EventTarget | undefined;

  function onBlur(event: FocusEvent): void {
    if (event.target !== window) {
      left = fieldOf(event);
      setTimeout(() => {
        left = undefined; // it went elsewhere in the page
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
    // Later, since a browser ignores it while it says that the focus is gone.
    setTimeout(() => {
      if (isStorm || focusedElement() === frame) giveFocus(field);
    });
    if (isStorm) fail('focus');
    else if (times <= maxIncidents) report(times);
  }

  function report(times: number): void {
    tell('gantry-incident', { app: gadget.context.app.id, kind: 'focus', detail: { times } });
    if (times > 1) void import('../gadget-chrome.ts').then(({ offerStop }) => offerStop(element)).catch(() => {});
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

/** Returns the field of an event, also in a shadow tree; an editable text counts as one. */
function fieldOf(event: Event): EventTarget {
  const target = event.composedPath()[0] as EventTarget;
  if (!(target instanceof HTMLElement)) return target;
  const label = target.closest('label')?.control;
  if (label) return label;
  let field = target;
  while (field.isContentEditable && field.parentElement?.isContentEditable) field = field.parentElement;
  return field;
}

/** True for a field in which text is written, and for what stands in a question of the container. */
function isKept(field: HTMLElement): boolean {
  if (!field.isConnected) return false; // its dialog closed
  if (field instanceof HTMLInputElement) return !buttons.includes(field.type);
  if (field instanceof HTMLTextAreaElement || field instanceof HTMLSelectElement || field.isContentEditable)
    return true;
  return field.getRootNode() instanceof ShadowRoot && field.closest('dialog[open], .consent, .notice') !== null;
}
