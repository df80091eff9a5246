import { gadgets } from '@gantry/osapi';
import { element } from './element.ts';

const screens = ['message', 'albums', 'album', 'photo'] as const;

/** Shows one screen instead of the others. */
export function show(screen: (typeof screens)[number]): void {
  for (const id of screens) element(id).hidden = id !== screen;
  element('retry').hidden = true;
  gadgets.window.adjustHeight();
}

/** Shows one message instead of a screen; `retry` adds a button. */
export function say(text: string, retry?: () => void): void {
  element('message').textContent = text;
  show('message');
  element('retry').hidden = retry === undefined;
  element('retry').onclick = retry ?? null;
  gadgets.window.adjustHeight();
}
