import { anyone, type Change, topics } from '@gantry/wire';
import type { Followed } from './followed.ts';
import { createEventGroup, type EventGroup, type GroupSurroundings } from './group.ts';

/** Browser parts that streams need. */
export interface Surroundings extends GroupSurroundings {
  isHidden(): boolean;
  /**
   * Listens for the page being shown, hidden, or restored from (`returned`) or kept in memory
   * (`left`).
   */
  onShift(listener: (shift: 'seen' | 'hidden' | 'left' | 'returned') => void): void;
}

const patienceMs = 5 * 60_000; // a page that was hidden for so long stops listening
const mostSpreadMs = 2_000;

/**
 * Listens for changes by others while the page has gadgets and is visible: one stream for all pages
 * of a browser and member (docs/decisions/0020-events.md). Returns the function to call after a
 * mount.
 *
 * @example
 * import { systemClock } from '@gantry/container';
 * const sessions = { list: () => [], viewerChanged() {} };
 * const base = new URL('https://social.example/gantry/');
 * const page = { base, fetch, clock: systemClock, sessions, invalidate() {}, onDecided() {} };
 * const browser = { locks: undefined, openChannel: () => undefined, isHidden: () => false };
 * const around = { ...browser, onOnline() {}, onShift() {} };
 * const update = followChanges({ ...page, isAlone: true }, around);
 * update(); // undefined
 */
export function followChanges(page: Followed, surroundings: Surroundings = browser(page.isAlone)): () => void {
  let group: EventGroup | undefined;
  let viewer: string | null | undefined;
  const { clock } = page;
  let stopWaiting = () => {};

  function hear(changes: readonly Change[]): void {
    // An import concerns every page of the site: they do not all ask in the same moment.
    const isEverything = changes.some(({ topic, member }) => topic === 'people' && member === anyone);
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
    const [first] = page.sessions.list();
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

const everything: readonly Change[] = topics.map((topic) => ({ topic, member: anyone }));

/** @param isAlone This page listens for itself. */
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
