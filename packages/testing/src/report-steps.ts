import { AsyncLocalStorage } from 'node:async_hooks';
import type { Entry } from '@gantry/lab';
import { type TestInfo, test } from '@playwright/test';

/** Beyond any scenario that a person reads; an app that calls without end would fill the report. */
const mostSteps = 1_000;
const longestTitle = 160;
// Steps belong to the test as a whole: a call is sent by the app, not by the line of the test that happens to run.
const outsideOfSteps = AsyncLocalStorage.snapshot();

/** Shows calls of one gadget as steps of the report. */
export interface ReportSteps {
  /** @param entry Of the gadget; others than calls and replies are left alone. */
  hear(entry: Entry): void;
  /** Ends the steps of calls that have no reply. */
  close(): void;
}

/** Makes each call a step, from the moment it was recorded to its reply. A reply with an error marks the step, not the test. */
export function createReportSteps({ file, line, column }: Pick<TestInfo, 'file' | 'line' | 'column'>): ReportSteps {
  const open = new Map<string, { readonly resolve: () => void; readonly reject: (error: Error) => void }>();
  const options = { box: false, location: { file, line, column } };
  let count = 0;

  function begin(key: string, { operation, params }: Extract<Entry, { kind: 'call' }>): void {
    count += 1;
    if (count > mostSteps) return;
    const ended = new Promise<void>((resolve, reject) => open.set(key, { resolve, reject }));
    ended.catch(() => {});
    const shown = typeof params === 'object' && params !== null ? { params: { ...params } } : {};
    // A step that begins or ends when its test is over rejects, which is nothing to a test.
    outsideOfSteps(() => test.step(titleOf(operation, params), () => ended, { ...options, ...shown })).catch(() => {});
  }

  return {
    hear(entry) {
      if (entry.kind !== 'call' && entry.kind !== 'reply') return;
      const key = JSON.stringify([entry.place, entry.call]);
      if (entry.kind === 'call') return begin(key, entry);
      const step = open.get(key);
      open.delete(key);
      const { error } = entry;
      if (error) step?.reject(withoutStack(`${error.code} ${error.data?.reason ?? ''}: ${error.message}`));
      else step?.resolve();
    },
    close() {
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
  error.stack = message; // the stack would be the kit's
  return error;
}
