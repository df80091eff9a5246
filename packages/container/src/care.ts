import type { GadgetIncident } from './incident.ts';
import { isInView } from './turns.ts';
import { createWatchdog, type Watch, type Watchdog, type Watched } from './watchdog.ts';

/** An app that does not answer, and what can be done about it. */
export interface SilentApp extends Watched {
  readonly id: string;
  readonly element: Element;
  /** Lets it take its time. */
  wait(): void;
  reload(): void;
  stop(): void;
}

/** One load of an app, as it is watched. */
export interface Patient
  extends Pick<SilentApp, 'id' | 'element' | 'group' | 'responseMs' | 'ping' | 'reload' | 'stop'> {
  /** 0 is never. */
  readonly restartMs: number;
  readonly report: (kind: GadgetIncident['kind'], detail: GadgetIncident['detail']) => void;
  /** @param told Apps of which the member learns at this element; none where another element tells. */
  readonly onSilence: (told: readonly SilentApp[] | undefined) => void;
  readonly onAnswer: () => void;
  /** It was silent for too long. */
  readonly restart: () => void;
}

/** Watches the apps of a page: says when one falls silent and when it is back, and has it started anew when that takes too long. */
export function createCare(isAsleep: () => boolean): (patient: Patient) => Watch {
  const watchdog = createWatchdog(isAsleep);
  return (patient) => watchApp(watchdog, patient);
}

function watchApp(watchdog: Watchdog, options: Patient): Watch {
  const { restartMs, report, onSilence, onAnswer, restart } = options;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const app: SilentApp = {
    ...options,
    onSilence(silent, isNews) {
      const apps = silent as readonly SilentApp[]; // the watchdog hands back what it was given
      const isTeller = (apps.find(({ element }) => isInView(element.getBoundingClientRect())) ?? apps[0]) === app;
      onSilence(isTeller ? apps : undefined);
      if (!isNews) return;
      if (isTeller) report(apps.length > 1 ? 'process' : 'unresponsive', { apps: apps.map(({ id }) => id).sort() });
      if (restartMs > 0) timer ??= setTimeout(restart, restartMs);
    },
    onAnswer() {
      clearTimeout(timer);
      timer = undefined;
      onAnswer();
    },
    wait() {
      clearTimeout(timer); // but not forgotten: nobody who chose to wait is overruled
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
