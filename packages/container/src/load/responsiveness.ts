import type { GadgetIncident } from '../gadget-state.ts';
import { isInView } from './load-order.ts';
import { createWatchdog, type Watch, type Watchdog, type Watched } from './watchdog.ts';

/** An app that does not respond. */
export interface SilentApp extends Watched {
  readonly id: string;
  readonly element: Element;
  /** Gives the app more time. */
  wait(): void;
  reload(): void;
  stop(): void;
}

/** One load of an app. */
export interface WatchedLoad
  extends Pick<SilentApp, 'id' | 'element' | 'group' | 'responseMs' | 'ping' | 'reload' | 'stop'> {
  /** 0 is never. */
  readonly restartMs: number;
  readonly report: (kind: GadgetIncident['kind'], detail: GadgetIncident['detail']) => void;
  /** @param apps Silent apps that this element shows; undefined if another element does. */
  readonly onSilence: (told: readonly SilentApp[] | undefined) => void;
  readonly onResponse: () => void;
  /** Called when it was silent for too long. */
  readonly restart: () => void;
}

/** Watches one load of an app until `end`. */
export type WatchLoad = (load: WatchedLoad) => Watch;

/** Watches the apps of a page, and restarts one that is silent for too long. */
export function createResponsiveness(isAsleep: () => boolean): WatchLoad {
  const watchdog = createWatchdog(isAsleep);
  return (load) => watchApp(watchdog, load);
}

function watchApp(watchdog: Watchdog, options: WatchedLoad): Watch {
  const { restartMs, report, onSilence, onResponse, restart } = options;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const app: SilentApp = {
    ...options,
    onSilence(silent, isNews) {
      const apps = silent as readonly SilentApp[]; // the watchdog returns the objects that it was given
      const isTeller = (apps.find(({ element }) => isInView(element.getBoundingClientRect())) ?? apps[0]) === app;
      onSilence(isTeller ? apps : undefined);
      if (!isNews) return;
      if (isTeller) report(apps.length > 1 ? 'process' : 'unresponsive', { apps: apps.map(({ id }) => id).sort() });
      if (restartMs > 0) timer ??= setTimeout(restart, restartMs);
    },
    onResponse() {
      clearTimeout(timer);
      timer = undefined;
      onResponse();
    },
    wait() {
      clearTimeout(timer); // without forgetting it: the member chose to wait
      onSilence(undefined);
    },
  };
  const watch = watchdog(app);
  return {
    check: watch.check,
    end() {
      clearTimeout(timer);
      watch.end();
    },
  };
}
