import { anyone, type Change, topics } from '@gantry/wire';
import type { Followed } from './followed.ts';
import { createEventGroup, type EventGroup, type GroupEnvironment } from './group.ts';

/** Browser parts that streams need. */
export interface Environment extends GroupEnvironment {
  isHidden(): boolean;
  /** Listens for the page's lifecycle. A `pageshow` restores it from the back/forward cache. */
  onLifecycle(listener: (event: 'visible' | 'hidden' | 'pagehide' | 'pageshow') => void): void;
}

const patienceMs = 5 * 60_000; // a page that was hidden for so long stops listening
const mostSpreadMs = 2_000;
const mostVersionSpreadMs = 30_000; // all pages with the app hear of it in the same moment

/**
 * Listens for changes by others while the page has gadgets and is visible: one stream for all pages
 * of a browser and member (docs/decisions/0020-events.md). Returns the function to call after a
 * mount.
 */
export function followChanges(page: Followed, environment: Environment = browser(page.isAlone)): () => void {
  let group: EventGroup | undefined;
  let viewer: string | null | undefined;
  const { clock } = page;
  const asking = new Set<string | undefined>();
  let stopWaiting = () => {};

  function hear(changes: readonly Change[]): void {
    // An import concerns every page of the site: they do not all ask in the same moment.
    const isEverything = changes.some(({ topic, member }) => topic === 'people' && member === anyone);
    if (!isEverything) {
      for (const { topic, app } of changes) {
        if (topic === 'grants') page.onAppChanged(app);
        else if (topic === 'versions') askLater(app);
      }
      const results = changes.filter(({ topic }) => topic !== 'grants' && topic !== 'versions');
      if (results.length > 0) page.invalidate(results);
      return;
    }
    setTimeout(() => {
      page.onAppChanged(); // decisions may have been missed
      page.invalidate(changes);
    }, clock.random() * mostSpreadMs);
  }

  function askLater(app: string | undefined): void {
    if (asking.has(app)) return;
    asking.add(app);
    clock.after(clock.random() * mostVersionSpreadMs, () => {
      asking.delete(app);
      page.onAppChanged(app);
    });
  }

  function update(): void {
    const [first] = page.sessions.list();
    if (first !== undefined && first.scope.viewer !== viewer) {
      group?.end();
      viewer = first.scope.viewer;
      group = viewer === null ? undefined : createEventGroup({ page, viewer, hear, environment });
      if (environment.isHidden()) wait();
    }
    group?.join();
    group?.update();
  }

  function wait(): void {
    stopWaiting();
    stopWaiting = clock.after(patienceMs, () => group?.leave());
  }

  environment.onLifecycle((event) => {
    stopWaiting();
    if (event === 'hidden') wait();
    else if (event === 'pagehide') group?.leave();
    else {
      if (event === 'pageshow') hear(everything); // cached pages get no events
      group?.join();
    }
  });
  update();
  return update;
}

const everything: readonly Change[] = topics.map((topic) => ({ topic, member: anyone }));

/** @param isAlone This page listens for itself. */
function browser(isAlone: boolean): Environment {
  return {
    locks: isAlone ? undefined : navigator.locks, // absent on plain-http addresses
    openChannel: (name) => ('BroadcastChannel' in globalThis ? new BroadcastChannel(name) : undefined),
    isHidden: () => document.hidden,
    onOnline: (listener) => addEventListener('online', listener),
    onLifecycle(listener) {
      document.addEventListener('visibilitychange', () => listener(document.hidden ? 'hidden' : 'visible'));
      addEventListener('pagehide', () => listener('pagehide'));
      document.addEventListener('freeze', () => listener('pagehide')); // it could not pass on what it hears
      document.addEventListener('resume', () => document.hidden || listener('visible'));
      addEventListener('pageshow', ({ persisted }) => persisted && listener('pageshow'));
    },
  };
}
