import type { Change } from '@gantry/wire';
import { createEventGroup, type EventGroup, type GroupSurroundings } from './event-group.ts';
import type { Followed } from './follow.ts';

/** What of a browser the streams need. Tests bring their own. */
export interface Surroundings extends GroupSurroundings {
  isHidden(): boolean;
  /** Tells when the page is shown, hidden, or back from the browser's memory (`returned`) or about to go there (`left`). */
  onShift(listener: (shift: 'seen' | 'hidden' | 'left' | 'returned') => void): void;
}

const patienceMs = 5 * 60_000; // a page that nobody has seen for so long need not know what changes
const mostSpreadMs = 2_000;

/**
 * Listens to what others change, while the page has gadgets and somebody sees it: one stream for all pages of a browser
 * that one member looks at (docs/decisions/0020-events.md).
 *
 * @returns To be called when a gadget was mounted.
 */
export function followChanges(page: Followed, surroundings: Surroundings = browser(page.isAlone)): () => void {
  let group: EventGroup | undefined;
  let viewer: string | null | undefined;
  const { clock } = page;
  let stopWaiting = () => {};

  function hear(changes: readonly Change[]): void {
    // An import concerns every page of the site: they do not all ask in the same moment.
    const isEverything = changes.some(({ topic, member }) => topic === 'people' && member === '*');
    if (!isEverything) {
      for (const { topic, app } of changes) if (topic === 'grants') page.onDecided(app);
      if (changes.some(({ topic }) => topic !== 'grants')) page.invalidate(changes);
      return;
    }
    setTimeout(() => {
      page.onDecided(); // of what was missed nothing is known
      page.invalidate(changes);
    }, clock.random() * mostSpreadMs);
  }

  function update(): void {
    const [first] = page.sessions();
    if (first !== undefined && first.scope.viewer !== viewer) {
      group?.end();
      viewer = first.scope.viewer;
      group = viewer === null ? undefined : createEventGroup({ page, viewer, hear, surroundings });
      if (surroundings.isHidden()) wait();
    }
    group?.join();
    group?.update();
  }

  function wait(): void {
    stopWaiting();
    stopWaiting = clock.after(patienceMs, () => group?.leave());
  }

  surroundings.onShift((shift) => {
    stopWaiting();
    if (shift === 'hidden') wait();
    else if (shift === 'left') group?.leave();
    else {
      if (shift === 'returned') hear(everything); // while the page was kept, nothing reached it
      group?.join();
    }
  });
  update();
  return update;
}

const everything: readonly Change[] = (['people', 'activities', 'appData', 'albums', 'mediaItems'] as const).map(
  (topic) => ({ topic, member: '*' }),
);

/** @param isAlone No other page listens for this one. */
function browser(isAlone: boolean): Surroundings {
  return {
    locks: isAlone ? undefined : navigator.locks, // absent on plain-http addresses
    openChannel: (name) => ('BroadcastChannel' in globalThis ? new BroadcastChannel(name) : undefined),
    isHidden: () => document.hidden,
    onOnline: (listener) => addEventListener('online', listener),
    onShift(listener) {
      document.addEventListener('visibilitychange', () => listener(document.hidden ? 'hidden' : 'seen'));
      addEventListener('pagehide', () => listener('left'));
      addEventListener('pageshow', ({ persisted }) => persisted && listener('returned'));
    },
  };
}
