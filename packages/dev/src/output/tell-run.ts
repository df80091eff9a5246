import type { Record } from '@gantry/lab';
import type { Explainer } from '@gantry/lab/record';
import { createJsonLines } from './json-lines.ts';
import { followProblems } from './problems-of-run.ts';
import { createTerminal } from './terminal.ts';

/**
 * Reports a run as it goes: each problem with its cure, its repeats and its end.
 *
 * @param options.as Lines for people, or events for programs, one a line.
 * @returns Ends the report.
 */
export function tellRun(options: {
  readonly record: Record;
  readonly explain: Explainer;
  readonly write: (line: string) => void;
  readonly as: 'text' | 'json';
  readonly isColoured?: boolean;
  readonly isQuiet?: boolean;
}): () => void {
  const { record, explain, write, as, isColoured = false, isQuiet = false } = options;
  const reader = as === 'json' ? createJsonLines(write) : createTerminal({ write, isColoured, isQuiet });
  let isEnded = false;
  const follow = followProblems({
    explain,
    listener: reader,
    after(ms, run) {
      const timer = setTimeout(() => isEnded || run(), ms).unref();
      return () => clearTimeout(timer);
    },
  });
  const onEntry: Parameters<Record['subscribe']>[0] = (entry) => {
    reader.onEntry(entry);
    follow(entry);
  };
  for (const entry of record.entries) onEntry(entry);
  const stop = record.subscribe(onEntry);
  return () => {
    stop();
    isEnded = true;
  };
}
