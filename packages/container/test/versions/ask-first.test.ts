import type { GadgetContext } from '@gantry/wire';
import { expect, test } from 'vitest';
import { askFirst } from '../../src/versions/ask-first.ts';

function gadgetOf(tools: object, id: string) {
  return { tools, context: { app: { id, title: id } } as GadgetContext };
}

test('of several gadgets of an app one asks, and the next one when it is gone', () => {
  const page = {};
  const asked: string[] = [];
  const end = ['first', 'second', 'third'].map((name) => askFirst(gadgetOf(page, 'chess'), () => asked.push(name)));
  expect(asked).toEqual(['first']);
  end[1]?.();
  expect(asked).toEqual(['first']);
  end[0]?.();
  expect(asked).toEqual(['first', 'third']);
  end[2]?.();
  expect(asked).toEqual(['first', 'third']);
});

test('another app and another container ask for themselves', () => {
  const page = {};
  const asked: string[] = [];
  for (const [tools, app] of [
    [page, 'chess'],
    [page, 'notes'],
    [{}, 'chess'],
  ] as const)
    askFirst(gadgetOf(tools, app), () => asked.push(app));
  expect(asked).toEqual(['chess', 'notes', 'chess']);
});
