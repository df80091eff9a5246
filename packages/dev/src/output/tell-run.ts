import type { Record } from '@gantry/lab';
import type { Explainer } from '@gantry/lab/record';
import { createJsonLines } from './json-lines.ts';
import { createTerminal } from './terminal.ts';
import { followTroubles } from './troubles-of-run.ts';

/**
 * Tells of a run as it goes: each trouble with its cure, and what became of it.
 *
 * @param options.as Lines for people, or events for programs, one a line.
 * @returns Ends it.
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
  const timers = new Set<NodeJS.Timeout>();
  const follow = followTroubles({
    explain,
    listener: reader,
    after(ms, run) {
      const timer = setTimeout(() => {
        timers.delete(timer);
        run();
      }, ms);
      timers.add(timer);
      return () => {
        clearTimeout(timer);
        timers.delete(timer);
      };
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
    for (const timer of timers) clearTimeout(timer);
  };
}
