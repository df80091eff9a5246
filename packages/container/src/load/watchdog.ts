import { perTick } from '../calls/per-tick.ts';

/** An app that should respond. */
export interface Watched {
  /** Apps that may share a process, so that one busy app silences all. */
  readonly group: string;
  /** Time for a response. */
  readonly responseMs: number;
  /** Resolves with the milliseconds until the app responded; rejects when its document is over. */
  ping(): Promise<number>;
  /**
   * @param silent Apps of its group that do not respond, itself among them.
   * @param isNews One of them fell silent just now.
   */
  onSilence(silent: readonly Watched[], isNews: boolean): void;
  /** Called when it responded after all. */
  onResponse(): void;
}

export interface Watch {
  /** Asks now, unless a response is pending. */
  check(): void;
  end(): void;
}

/** Watches an app by asking again and again. */
export type Watchdog = (watched: Watched) => Watch;

const intervalMs = 5_000;
/** Gathers silent apps, and responses that arrived while the page was busy. */
const graceMs = 250;

/** @param isAsleep True for a hidden page, whose timers are slow, like its apps. */
export function createWatchdog(isAsleep: () => boolean): Watchdog {
  const checks = new Map<Watched, () => void>();
  const silent = new Set<Watched>();
  let timer: ReturnType<typeof setInterval> | undefined;

  function notify(group: string, isNews: boolean): void {
    const concerned = [...silent].filter((watched) => watched.group === group);
    for (const watched of concerned) watched.onSilence(concerned, isNews);
  }
  const notifyNews = perTick<Watched>((missed) => {
    for (const group of new Set(missed.map((watched) => watched.group))) notify(group, true);
  }, graceMs);

  function forget(watched: Watched): void {
    if (silent.delete(watched)) notify(watched.group, false);
  }

  async function ask(watched: Watched): Promise<void> {
    let patience: ReturnType<typeof setTimeout> | undefined;
    const expect = () => {
      patience = setTimeout(miss, watched.responseMs);
    };
    const miss = () => {
      if (isAsleep()) return expect();
      silent.add(watched);
      notifyNews(watched);
    };
    expect();
    try {
      await watched.ping();
      watched.onResponse();
      forget(watched);
    } catch {
      // the end of its document
    } finally {
      clearTimeout(patience);
    }
  }

  return (watched) => {
    let isAsking = false;
    const check = () => {
      if (isAsking) return;
      isAsking = true;
      void ask(watched).finally(() => {
        isAsking = false;
      });
    };
    checks.set(watched, check);
    timer ??= setInterval(() => {
      if (!isAsleep()) for (const check of checks.values()) check();
    }, intervalMs);
    return {
      check,
      end() {
        checks.delete(watched);
        forget(watched);
        if (checks.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      },
    };
  };
}
