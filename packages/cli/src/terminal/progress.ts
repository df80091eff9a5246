import type { Output } from './output.ts';

/** Progress of long work. */
export interface Step {
  readonly records: number;
  /** Fraction done, from 0 to 1, if known. */
  readonly part?: number;
}

const refreshMs = 200;
const lineMs = 30_000;

/** Reports progress: on a terminal in place, else a line for each tenth or 30 seconds. */
export function createProgress(output: Output, now = Date.now) {
  const startMs = now();
  let first: Step | undefined;
  let tenth = 0;
  let reportedMs = startMs;

  function isTimely(step: Step): boolean {
    if (output.status) return now() - reportedMs >= refreshMs;
    return step.part === undefined ? now() - reportedMs >= lineMs : Math.floor(step.part * 10) > tenth;
  }

  return {
    step(step: Step): void {
      first ??= step;
      if (!isTimely(step)) return;
      reportedMs = now();
      tenth = Math.floor((step.part ?? 0) * 10);
      const text = describe(step, first, (reportedMs - startMs) / 1000);
      if (output.status) output.status(text);
      else output.err(text);
    },
    /** Clears the terminal's line. */
    end: (): void => output.status?.(''),
  };
}

// Work of an earlier run counts for the part, not for the rate.
function describe({ records, part }: Step, first: Step, seconds: number): string {
  const rate = (records - first.records) / Math.max(seconds, 0.001);
  const done = [`${grouped(records)} records`, `${grouped(Math.floor(rate))} a second`];
  if (part === undefined) return done.join(', ');
  const gained = part - (first.part ?? 0);
  const left = gained > 0 ? (seconds * (1 - part)) / gained : undefined;
  const percent = `${Math.floor(part * 100)} %`;
  return [percent, ...done, ...(left === undefined ? [] : [`${duration(left)} left`])].join(', ');
}

/** Formats a number with its digits in groups of three. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

function duration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  return seconds < 5_400 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`;
}
