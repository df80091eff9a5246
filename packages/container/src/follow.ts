import type { Change, Clock } from '@gantry/wire';
import type { Fetch } from './proxy-client.ts';
import type { Session } from './session.ts';

/** What a stream of events needs of a page. */
export interface Followed {
  /** Absolute URL of `/gantry/`. */
  readonly base: URL;
  readonly fetch: Fetch;
  readonly clock: Clock;
  /** Speaks with no other page. */
  readonly isAlone: boolean;
  /** Of the gadgets that are mounted now, all of one viewer. */
  sessions(): readonly Session[];
  invalidate(changes: readonly Change[]): void;
  onViewerChanged(noticedBy: Session): void;
  /** The viewer decided about an app somewhere; without a name, about any. */
  onDecided(app?: string): void;
}

/** Begins to listen for changes. @returns To be called when a gadget was mounted. */
export type Follow = (page: Followed) => () => void;

const delayMs = 500; // what the gadgets themselves load comes first

/** Fetches what listens, once the page has had time to start: from where on it listens, the first instance says. */
export const followLater: Follow = (page) => {
  let update = () => {};
  setTimeout(async () => {
    try {
      update = (await import('./event-stream.ts')).followChanges(page);
    } catch {
      // offline, or the site was updated: results are then as fresh as their policy says
    }
  }, delayMs);
  return () => update();
};
