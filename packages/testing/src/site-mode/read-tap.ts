import { createPortReader, type PortReader, type Sighting } from './read-port.ts';
import type { TapDelivery } from './tap-protocol.ts';

/**
 * Turns what a tap delivers into what `createContainer({ observe })` tells. Calls of each place are
 * numbered from 1, continued when the page loads again.
 */
export function createTapReader() {
  const ports = new Map<string, PortReader>();
  const counts = new Map<string, number>();

  function nextCall(place: string): number {
    const next = (counts.get(place) ?? 0) + 1;
    counts.set(place, next);
    return next;
  }

  return {
    /** Returns observations in their order. @throws TypeError for what no tap delivers. */
    read({ document, tapped }: TapDelivery): readonly Sighting[] {
      return tapped.flatMap((one): readonly Sighting[] => {
        const { atMs } = one;
        if (one.kind === 'incident') {
          const { app, place, name, detail } = one;
          return [{ kind: 'incident', name: String(name), detail, app, place, atMs }];
        }
        const key = `${document}:${one.port}`;
        if (one.kind === 'port') {
          const { hello, place } = one;
          const app = place.slice(0, place.lastIndexOf('#'));
          ports.set(key, createPortReader({ hello, at: { app, place }, nextCall: () => nextCall(place) }));
          return [];
        }
        return ports.get(key)?.[one.kind](one.message, atMs) ?? [];
      });
    },
  };
}
