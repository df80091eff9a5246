import { AsyncLocalStorage } from 'node:async_hooks';
import type { Entry } from '@gantry/lab';
import { type TestInfo, test } from '@playwright/test';

/** More than a person reads. An app that calls endlessly would fill the report. */
const mostSteps = 1_000;
const longestTitle = 160;
// Steps belong to the whole test: the app sends a call, not a line of the test.
const outsideOfSteps = AsyncLocalStorage.snapshot();

/** Makes each call a step until its reply. An error marks the step, not the test. */
export function createReportSteps({ file, line, column }: Pick<TestInfo, 'file' | 'line' | 'column'>) {
  const open = new Map<string, { readonly resolve: () => void; readonly reject: (error: Error) => void }>();
  const options = { box: false, location: { file, line, column } };
  let count = 0;

  function begin(key: string, { operation, params }: Extract<Entry, { kind: 'call' }>): void {
    count += 1;
    if (count > mostSteps) return;
    const ended = new Promise<void>((resolve, reject) => open.set(key, { resolve, reject }));
    ended.catch(() => {});
    const more = typeof params === 'object' && params !== null ? { params: { ...params } } : {};
    // A step that begins or ends after its test rejects; this is harmless.
    outsideOfSteps(() => test.step(titleOf(operation, params), () => ended, { ...options, ...more })).catch(() => {});
  }

  return {
    add(entry: Entry) {
      if (entry.kind !== 'call' && entry.kind !== 'reply') return;
      const key = JSON.stringify([entry.place, entry.call]);
      if (entry.kind === 'call') return begin(key, entry);
      const step = open.get(key);
      open.delete(key);
      const { error } = entry;
      if (error) step?.reject(withoutStack(`${error.code} ${error.data?.reason ?? ''}: ${error.message}`));
      else step?.resolve();
    },
    /** Ends the steps of calls that have no reply. */
    close(): void {
      count = mostSteps;
      for (const { resolve } of open.values()) resolve();
      open.clear();
    },
  };
}

function titleOf(operation: string, params: unknown): string {
  const text = `${operation} ${JSON.stringify(params) ?? ''}`.trimEnd();
  return text.length > longestTitle ? `${text.slice(0, longestTitle)}…` : text;
}

function withoutStack(message: string): Error {
  const error = new Error(message);
  error.stack = message; // without the kit's own stack
  return error;
}
