import { type ContainerConnection, OsapiError } from '@gantry/bridge';
import type { ErrorData } from '@gantry/wire';
import { expect, test, vi } from 'vitest';
import { reportErrors } from '../src/report-errors.ts';

function open(welcome: Promise<unknown> = new Promise(() => {})) {
  const acts: unknown[][] = [];
  const scope = new EventTarget();
  const act = async (...args: unknown[]) => {
    acts.push(args);
    return { ok: null };
  };
  reportErrors({ act, welcome } as unknown as ContainerConnection, scope);
  return { acts, fire: (type: string, values: object) => scope.dispatchEvent(Object.assign(new Event(type), values)) };
}

test('an uncaught error is reported with its place, a rejection with its reason', () => {
  const { acts, fire } = open();
  fire('error', { message: 'Uncaught TypeError: x', filename: 'https://apps.example/index.html', lineno: 12 });
  fire('unhandledrejection', { reason: new RangeError('too much') });
  expect(acts).toEqual([
    ['error', 'Uncaught TypeError: x', 'https://apps.example/index.html', 12],
    ['error', 'RangeError: too much', undefined, undefined],
  ]);
});

test('at most five errors of a load are reported', () => {
  const { acts, fire } = open();
  for (let index = 0; index < 20; index++) fire('error', { message: String(index) });
  expect(acts.map(([, message]) => message)).toEqual(['0', '1', '2', '3', '4']);
});

test('a page that speaks no version of the app is one line in the console; a document without a page is none', async () => {
  const console = vi.spyOn(globalThis.console, 'error').mockReturnValue();
  const message = 'The app speaks protocol 3, this page 1: the site needs Gantry 0.3.0 or later.';
  const refused = (data: ErrorData) => Promise.reject(new OsapiError({ code: 503, message, data }));
  open(refused({ reason: 'VERSION_MISMATCH', versions: { app: [3, 3], page: [1, 1], update: 'site' } }));
  open(refused({ reason: 'UNAVAILABLE' }));
  await Promise.resolve();
  expect(console.mock.calls).toEqual([[message]]);
  console.mockRestore();
});
