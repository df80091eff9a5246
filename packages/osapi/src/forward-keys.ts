import type { ContainerConnection } from '@gantry/bridge';
import type { Gantry } from './create-app-api.ts';

/**
 * Forwards the page's shortcuts, unless the app prevented or stopped the key or the member is
 * typing. Prevents the browser's default for those with Control, Alt or Meta. A key's name is its
 * modifiers and `KeyboardEvent.key`, as in `Control+k`; Shift counts for named keys only.
 *
 * @param scope The app's window.
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
  // Re-added at each key, so that it runs after every listener of the app.
  scope.addEventListener(
    'keydown',
    () => {
      scope.removeEventListener('keydown', forward);
      scope.addEventListener('keydown', forward);
    },
    true,
  );
}
