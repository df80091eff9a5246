import type { Actions, Place } from '../gadget.ts';
import { shortcutsAt } from '../shortcuts.ts';
import { createSlidingWindow } from './sliding-window.ts';

/**
 * Dispatches shortcuts that were pressed in a focused app, if the site registered them. An app can
 * claim a key without any press, so a shortcut must not do what cannot be undone. Also lets an app
 * that handles Tab itself move the focus out of its frame.
 *
 * @param onEscape Called on Escape, unless the site prevents the event.
 */
export function createKeyboard(
  { element, frame, gadget, dispatch }: Place,
  onEscape: () => void,
): Actions<'key' | 'focus.leave'> {
  const { id: app } = gadget.context.app;
  const mayTell = createSlidingWindow({ count: 20, perMs: 1_000, now: () => performance.now() });
  return {
    key(pressed, wantedCode) {
      const shortcut = shortcutsAt(element).find((one) => one === pressed);
      if (shortcut === undefined || !hasFocus(frame) || !mayTell()) return false;
      const code = typeof wantedCode === 'string' ? wantedCode.slice(0, 32) : '';
      if (dispatch('gantry-key', { app, shortcut, code }) && shortcut === 'Escape') onEscape();
      return true;
    },
    'focus.leave'(direction) {
      if (!hasFocus(frame)) return false;
      const end = element.shadowRoot?.querySelector<HTMLElement>(direction === 'backward' ? '.skip' : '.end');
      end?.focus();
      return Boolean(end);
    },
  };
}

export function hasFocus(frame: HTMLIFrameElement): boolean {
  return (frame.getRootNode() as ShadowRoot).activeElement === frame;
}
