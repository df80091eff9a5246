import type { Actions, Place } from '../gadget.ts';
import { createResizeLoop } from './resize-loop.ts';
import { clamp, heightOf, setHeight } from './set-height.ts';

/** Sets the frame to the height that its app requests, within limits, if its manifest says so. */
export function createSizing(place: Place): { readonly actions: Actions<'adjustHeight'>; end(): void } {
  const { element, gadget, dispatch, messages } = place;
  const { app, sizing = 'automatic' } = gadget.context;
  const loop = createResizeLoop(() => performance.now());

  function fill(): void {
    setHeight(place, innerHeight);
  }
  function set(target: number): void {
    const { height, isFound } = loop.next(clamp(target));
    setHeight(place, height);
    if (!isFound) return;
    console.warn(`Gantry: ${app.id} resizes in a loop: its height depends on its frame's. Held at ${height} px.`);
    dispatch('gantry-incident', { app: app.id, kind: 'resize-loop', detail: { message: messages.resizeLoop } });
  }

  if (sizing === 'maximal') {
    fill();
    addEventListener('resize', fill);
  }
  return {
    actions: {
      adjustHeight(target) {
        const mayAsk = sizing === 'automatic' && !element.hasAttribute('maximised');
        if (mayAsk && typeof target === 'number' && target > 0) set(target);
        return heightOf(element);
      },
    },
    end: () => removeEventListener('resize', fill),
  };
}
