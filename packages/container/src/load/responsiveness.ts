import { perTick } from '../calls/per-tick.ts';
import type { GadgetIncident } from '../gadget-state.ts';
import { isInView } from './load-order.ts';

/** An app that does not respond, as its notice offers to treat it. */
export interface SilentApp {
  /** Gives the app more time. */
  wait(): void;
  reload(): void;
  stop(): void;
}

/** One load of an app, which should respond. */
export interface WatchedLoad extends Pick<SilentApp, 'reload' | 'stop'> {
  readonly id: string;
  readonly element: Element;
  /** Apps that may share a process, so that one busy app silences all. */
  readonly group: string;
  readonly responseMs: number;
  /** Silence until `restart`; 0 is never. */
  readonly restartMs: number;
  /** Resolves with the milliseconds until the app responded; rejects when its document is over. */
  ping(): Promise<number>;
  report(kind: GadgetIncident['kind'], detail: GadgetIncident['detail']): void;
  /** @param apps Silent apps that this element shows; undefined if another element does. */
  onSilence(apps: readonly SilentApp[] | undefined): void;
  onResponse(): void;
  restart(): void;
}

export interface Watch {
  /** Pings now, unless a response is pending. */
  check(): void;
  end(): void;
}

/** Watches one load of an app until `end`. */
export type WatchLoad = (load: WatchedLoad) => Watch;

interface WatchedApp extends SilentApp {
  readonly load: WatchedLoad;
  isPinged: boolean;
  restartTimer: ReturnType<typeof setTimeout> | undefined;
}

const intervalMs = 5_000;
/** Gathers silent apps, and responses that arrived while the page was busy. */
const graceMs = 250;

/**
 * Pings the apps of a page again and again, and restarts one that is silent for too long.
 *
 * @param isAsleep True for a hidden page, whose timers are slow, like its apps.
 */
export function createResponsiveness(isAsleep: () => boolean): WatchLoad {
  const apps = new Set<WatchedApp>();
  const silent = new Set<WatchedApp>();
  let timer: ReturnType<typeof setInterval> | undefined;

  function notify(group: string, isNews: boolean): void {
    const together = [...silent].filter(({ load }) => load.group === group);
    const teller = together.find(({ load }) => isInView(load.element.getBoundingClientRect())) ?? together[0];
    for (const app of together) {
      const { onSilence, restart, restartMs } = app.load;
      onSilence(app === teller ? together : undefined);
      if (isNews && restartMs > 0) app.restartTimer ??= setTimeout(restart, restartMs);
    }
    const ids = together.map(({ load }) => load.id).sort();
    if (isNews) teller?.load.report(ids.length > 1 ? 'process' : 'unresponsive', { apps: ids });
  }
  const notifyNews = perTick<WatchedApp>((missed) => {
    for (const group of new Set(missed.map(({ load }) => load.group))) notify(group, true);
  }, graceMs);

  function forget(app: WatchedApp): void {
    clearTimeout(app.restartTimer);
    app.restartTimer = undefined;
    if (silent.delete(app)) notify(app.load.group, false);
  }

  async function check(app: WatchedApp): Promise<void> {
    app.isPinged = true;
    try {
      await app.load.ping();
      app.load.onResponse();
      forget(app);
    } catch {
      // the end of its document
    } finally {
      app.isPinged = false;
    }
  }

  /** Pings those that have no pending ping, with one timer for all that have the same time. */
  function checkAll(list: Iterable<WatchedApp>): void {
    const due = [...list].filter(({ isPinged }) => !isPinged);
    for (const responseMs of new Set(due.map(({ load }) => load.responseMs))) {
      const pending = new Set(due.filter(({ load }) => load.responseMs === responseMs));
      const onLate = (): void => {
        if (isAsleep()) patience = setTimeout(onLate, responseMs);
        else for (const app of pending) miss(app);
      };
      let patience = setTimeout(onLate, responseMs);
      for (const app of pending) {
        void check(app).then(() => {
          pending.delete(app);
          if (pending.size === 0) clearTimeout(patience);
        });
      }
    }
  }

  function miss(app: WatchedApp): void {
    silent.add(app);
    notifyNews(app);
  }

  return (load) => {
    const app: WatchedApp = {
      load,
      isPinged: false,
      restartTimer: undefined,
      wait() {
        clearTimeout(app.restartTimer); // without forgetting it: the member chose to wait
        load.onSilence(undefined);
      },
      reload: load.reload,
      stop: load.stop,
    };
    apps.add(app);
    timer ??= setInterval(() => {
      if (!isAsleep()) checkAll(apps);
    }, intervalMs);
    return {
      check: () => checkAll([app]),
      end() {
        apps.delete(app);
        forget(app);
        if (apps.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      },
    };
  };
}
