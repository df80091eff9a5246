import { perTick } from './per-tick.ts';

/** An app whose document should be there and answer. */
export interface Watched {
  /** The same for apps that may share a process: when one of them is busy, none answers. */
  readonly group: string;
  /** Time for an answer. */
  readonly responseMs: number;
  /** Milliseconds until the app answered. Stays open while it does not; rejects when its document is over. */
  ping(): Promise<number>;
  /**
   * It does not answer, or others of its group changed meanwhile.
   *
   * @param silent What does not answer in its group, itself among them.
   * @param isNews Something fell silent just now.
   */
  onSilence(silent: readonly Watched[], isNews: boolean): void;
  /** It answered after all. */
  onAnswer(): void;
}

export interface Watch {
  /** Asks now, unless it waits for an answer already. */
  check(): void;
  end(): void;
}

/** Asks each app again and again whether it runs. */
export type Watchdog = (watched: Watched) => Watch;

const intervalMs = 5_000;
/** Answers that came while the page itself was busy are heard first, and what falls silent together is told together. */
const graceMs = 250;

/** @param isAsleep True while nobody sees the page: its timers are slow then, and so are its apps. */
export function createWatchdog(isAsleep: () => boolean): Watchdog {
  const checks = new Map<Watched, () => void>();
  const silent = new Set<Watched>();
  let timer: ReturnType<typeof setInterval> | undefined;

  function tell(group: string, isNews: boolean): void {
    const concerned = [...silent].filter((watched) => watched.group === group);
    for (const watched of concerned) watched.onSilence(concerned, isNews);
  }
  const tellNews = perTick<Watched>((missed) => {
    for (const group of new Set(missed.map((watched) => watched.group))) tell(group, true);
  }, graceMs);

  function forget(watched: Watched): void {
    if (silent.delete(watched)) tell(watched.group, false);
  }

  async function ask(watched: Watched): Promise<void> {
    let patience: ReturnType<typeof setTimeout> | undefined;
    const expect = () => {
      patience = setTimeout(miss, watched.responseMs);
    };
    const miss = () => {
      if (isAsleep()) return expect();
      silent.add(watched);
      tellNews(watched);
    };
    expect();
    try {
      await watched.ping();
      watched.onAnswer();
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
