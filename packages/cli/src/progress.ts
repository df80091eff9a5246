import type { Output } from './output.ts';

/** How far a long piece of work is. */
export interface Step {
  /** Records done so far. */
  readonly records: number;
  /** What is done of all there is, from 0 to 1, where that is known. */
  readonly part?: number;
}

/** Tells of progress: often and in one place on a terminal, else in lines, one for each tenth or each 30 seconds. */
export interface Progress {
  step(step: Step): void;
  /** Clears the terminal's line. */
  end(): void;
}

const refreshMs = 200;
const lineMs = 30_000;

export function createProgress(output: Output, now = Date.now): Progress {
  const startMs = now();
  let first: Step | undefined;
  let tenth = 0;
  let toldMs = startMs;

  function isTimely(step: Step): boolean {
    if (output.status) return now() - toldMs >= refreshMs;
    return step.part === undefined ? now() - toldMs >= lineMs : Math.floor(step.part * 10) > tenth;
  }

  return {
    step(step) {
      first ??= step;
      if (!isTimely(step)) return;
      toldMs = now();
      tenth = Math.floor((step.part ?? 0) * 10);
      const text = describe(step, first, (toldMs - startMs) / 1000);
      if (output.status) output.status(text);
      else output.err(text);
    },
    end: () => output.status?.(''),
  };
}

// What an earlier run had done counts for the part, not for the rate.
function describe({ records, part }: Step, first: Step, seconds: number): string {
  const rate = (records - first.records) / Math.max(seconds, 0.001);
  const done = [`${grouped(records)} records`, `${grouped(Math.floor(rate))} a second`];
  if (part === undefined) return done.join(', ');
  const gained = part - (first.part ?? 0);
  const left = gained > 0 ? (seconds * (1 - part)) / gained : undefined;
  const percent = `${Math.floor(part * 100)} %`;
  return [percent, ...done, ...(left === undefined ? [] : [`${duration(left)} left`])].join(', ');
}

/** Digits in groups of three. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

function duration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  return seconds < 5_400 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`;
}
