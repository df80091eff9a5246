import { countText, grouped } from '@gantry/wire/runtime';
import type { Output } from './output.ts';

/** Progress of long work. */
export interface Step {
  /** Number of what is done. */
  readonly done: number;
  /** Fraction done, from 0 to 1, if known. */
  readonly part?: number;
}

const refreshMs = 200;
const lineMs = 30_000;

/**
 * Reports progress: on a terminal in place, else a line for each tenth or 30 seconds.
 *
 * @param noun Names what is counted.
 */
export function createProgress(output: Output, noun: string, now = Date.now) {
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
      const text = describe(step, first, noun, (reportedMs - startMs) / 1000);
      if (output.status) output.status(text);
      else output.err(text);
    },
    /** Clears the terminal's line. */
    end: (): void => output.status?.(''),
  };
}

// Work of an earlier run counts for the part, not for the rate.
function describe({ done, part }: Step, first: Step, noun: string, seconds: number): string {
  const rate = (done - first.done) / Math.max(seconds, 0.001);
  const facts = [countText(done, noun), `${grouped(Math.floor(rate))} a second`];
  if (part === undefined) return facts.join(', ');
  const gained = part - (first.part ?? 0);
  const left = gained > 0 ? (seconds * (1 - part)) / gained : undefined;
  const percent = `${Math.floor(part * 100)} %`;
  return [percent, ...facts, ...(left === undefined ? [] : [`${duration(left)} left`])].join(', ');
}

function duration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  return seconds < 5_400 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`;
}
