import type { Action } from '../place.ts';
import { clamp, heightOf, setHeight } from '../set-height.ts';
import type { ChromePlace } from './attend.ts';
import { createResizeLoop } from './resize-loop.ts';

/** Gives the frame the height that its app asks for, within limits, unless its manifest leaves that to the page. */
export function createSizing(place: ChromePlace): { readonly actions: { readonly adjustHeight: Action }; end(): void } {
  const { element, gadget, tell, messages } = place;
  const { app, sizing = 'automatic' } = gadget.context;
  const loop = createResizeLoop(() => performance.now());

  function fill(): void {
    setHeight(place, innerHeight);
  }
  function set(wanted: number): void {
    const { height, isFound } = loop.next(clamp(wanted));
    setHeight(place, height);
    if (!isFound) return;
    console.warn(`Gantry: ${app.id} resizes in a loop: its height follows its frame's. Held at ${height} px.`);
    tell('gantry-incident', { app: app.id, kind: 'resize-loop', detail: { message: messages.resizeLoop } });
  }

  if (sizing === 'maximal') {
    fill();
    addEventListener('resize', fill);
  }
  return {
    actions: {
      adjustHeight(wanted) {
        const mayAsk = sizing === 'automatic' && !element.hasAttribute('maximised');
        if (mayAsk && typeof wanted === 'number' && wanted > 0) set(wanted);
        return heightOf(element);
      },
    },
    end: () => removeEventListener('resize', fill),
  };
}
