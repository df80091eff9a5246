import type { ContainerConnection } from '@gantry/bridge';
import { expect, test } from 'vitest';
import { reportErrors } from '../src/report-errors.ts';

function open() {
  const told: unknown[][] = [];
  const scope = new EventTarget();
  const act = async (...args: unknown[]) => {
    told.push(args);
    return { ok: null };
  };
  reportErrors({ act } as unknown as ContainerConnection, scope);
  return { told, fire: (type: string, values: object) => scope.dispatchEvent(Object.assign(new Event(type), values)) };
}

test('an uncaught error is told with its place, a rejection with its reason', () => {
  const { told, fire } = open();
  fire('error', { message: 'Uncaught TypeError: x', filename: 'https://apps.example/index.html', lineno: 12 });
  fire('unhandledrejection', { reason: new RangeError('too much') });
  expect(told).toEqual([
    ['error', 'Uncaught TypeError: x', 'https://apps.example/index.html', 12],
    ['error', 'RangeError: too much', undefined, undefined],
  ]);
});

test('no more than five of a load are told', () => {
  const { told, fire } = open();
  for (let index = 0; index < 20; index++) fire('error', { message: String(index) });
  expect(told.map(([, message]) => message)).toEqual(['0', '1', '2', '3', '4']);
});
