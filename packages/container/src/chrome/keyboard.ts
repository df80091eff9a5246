import type { Action, Place } from '../gadget.ts';
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
): { readonly actions: Readonly<Record<'key' | 'focus.leave', Action>> } {
  const mayTell = createSlidingWindow({ count: 20, perMs: 1_000, now: () => performance.now() });
  return {
    actions: {
      key(pressed, code) {
        const shortcut = shortcutsAt(element).find((wanted) => wanted === pressed);
        if (shortcut === undefined || !hasFocus(frame) || !mayTell()) return false;
        const detail = {
          app: gadget.context.app.id,
          shortcut,
          code: typeof code === 'string' ? code.slice(0, 32) : '',
        };
        if (dispatch('gantry-key', detail) && shortcut === 'Escape') onEscape();
        return true;
      },
      'focus.leave'(direction) {
        if (!hasFocus(frame)) return false;
        const { shadowRoot } = element;
        const end = shadowRoot?.querySelector<HTMLElement>(direction === 'backward' ? '.skip' : '.end');
        end?.focus();
        return Boolean(end);
      },
    },
  };
}

export function hasFocus(frame: HTMLIFrameElement): boolean {
  return (frame.getRootNode() as ShadowRoot).activeElement === frame;
}
