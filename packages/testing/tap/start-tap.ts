import type { TapSettings } from '@gantry/testing/tap-protocol';
import { createDelivery } from './delivery.ts';
import { createPlaces } from './places.ts';
import { watchPorts } from './watch-ports.ts';

/**
 * Listens to the bridge ports of a page and delivers their messages. In a frame it only removes the
 * function that takes deliveries, before the frame's own scripts run.
 */
export function startTap(page: Window & typeof globalThis, { name }: TapSettings): void {
  const deliver: unknown = Reflect.get(page, name);
  Reflect.deleteProperty(page, name);
  if (page.parent !== page || typeof deliver !== 'function') return;
  const { add } = createDelivery(page, { name, deliver: (text) => void deliver(text) });
  const places = createPlaces(page.document);
  const soon = page.queueMicrotask.bind(page);
  watchPorts({ page, places, see: add });
  page.addEventListener(
    'gantry-incident',
    (event) => {
      const at = places.ofElement(event.composedPath()[0]);
      if (!at || !(event instanceof CustomEvent)) return;
      const atMs = performance.timeOrigin + performance.now();
      const { kind: name, detail } = event.detail;
      soon(() => add(() => ({ kind: 'incident', ...at, atMs, name, detail }))); // after the action that caused it
    },
    true,
  );
}
