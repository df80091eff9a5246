import type { Action } from '../place.ts';
import { shortcutsAt } from '../shortcuts.ts';
import type { ChromePlace } from './attend.ts';
import { createRate } from './rate.ts';

/**
 * Tells the page of a key that its member pressed in an app, if the site wants to hear of it and the focus is there; an app can
 * say so without any key, so nothing that cannot be undone may hang on it. And lets an app that keeps Tab for itself give the
 * focus back: it can give away only what it has.
 *
 * @param onEscape What the container itself does, unless the site prevents it.
 */
export function createKeyboard(
  { element, frame, gadget, tell }: ChromePlace,
  onEscape: () => void,
): { readonly actions: Readonly<Record<'key' | 'focus.leave', Action>> } {
  const mayTell = createRate({ count: 20, perMs: 1_000, now: () => performance.now() });
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
        if (tell('gantry-key', detail) && shortcut === 'Escape') onEscape();
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
