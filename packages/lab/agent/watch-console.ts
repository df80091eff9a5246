import type { SourcePlace } from '@gantry/lab/record';
import type { Report } from './report.ts';
import { summarize } from './summarize.ts';

const levels = ['debug', 'log', 'info', 'warn', 'error'] as const;

/** Reports the app's console output, which still appears in the console. */
export function watchConsole(console: Pick<Console, (typeof levels)[number]>, report: Report): void {
  for (const level of levels) {
    const native = console[level].bind(console);
    console[level] = function write(...values: unknown[]): void {
      native(...values);
      report(() => ({ kind: 'console', level, text: summarize(values), ...callerOf(write) }));
    };
  }
}

/** Returns the place of the caller, if the browser has it. */
export function callerOf(called: (...values: never[]) => unknown): { readonly where?: SourcePlace } {
  const trace: { stack?: string } = {};
  (Error as { captureStackTrace?: (target: object, above: unknown) => void }).captureStackTrace?.(trace, called);
  const match = /(https?:[^\s()]+):(\d+):(\d+)/.exec(trace.stack ?? '');
  return match ? { where: { file: match[1] ?? '', line: Number(match[2]), column: Number(match[3]) } } : {};
}
