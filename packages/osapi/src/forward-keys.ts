import type { ContainerConnection } from '@gantry/bridge';
import type { Gantry } from './create-gantry.ts';

/**
 * Tells the page of keys that it wants to hear of and the app left alone: nobody prevented or stopped them, and they are no
 * typing. Those with Control, Alt or Meta do not do in the browser what they would do there. A key's name is that of the held
 * modifiers and `KeyboardEvent.key`, as in `Control+k`; Shift counts only where the key is no sign.
 *
 * @param scope The window, where keys arrive last.
 */
export function forwardKeys({ act }: ContainerConnection, gantry: Gantry, scope: EventTarget): void {
  const forward = (event: Event): void => {
    const { key, code, ctrlKey, altKey, metaKey, shiftKey, repeat, isComposing } = event as KeyboardEvent;
    const { isContentEditable, tagName } = event.composedPath()[0] as HTMLElement;
    const modifiers = (ctrlKey ? 'Control+' : '') + (altKey ? 'Alt+' : '') + (metaKey ? 'Meta+' : '');
    const name = modifiers + (shiftKey && key[1] ? 'Shift+' : '') + key;
    const isTyping = !modifiers && (isContentEditable || /^(INPUT|SELECT|TEXTAREA)$/.test(tagName));
    if (event.defaultPrevented || repeat || isComposing || isTyping) return;
    if (!gantry.context?.shortcuts?.includes(name)) return;
    if (modifiers) event.preventDefault();
    void act('key', name, code);
  };
  // For each key it is put last anew, behind every listener of the app.
  scope.addEventListener(
    'keydown',
    () => {
      scope.removeEventListener('keydown', forward);
      scope.addEventListener('keydown', forward);
    },
    true,
  );
}
