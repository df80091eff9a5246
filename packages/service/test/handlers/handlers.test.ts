import { expect, test } from 'vitest';
import type { Handlers } from '../../src/handlers/handler.ts';
import { handlers } from '../../src/handlers/handlers.ts';

test('every row that works has its handler, and no other row has one (architecture: one table)', () => {
  const { 'albums.get': _, ...incomplete } = handlers;
  // @ts-expect-error: a missing handler does not compile
  const missing: Handlers = incomplete;
  // @ts-expect-error: nor does one for an operation that does not work
  const surplus: Handlers = { ...handlers, 'albums.create': handlers['albums.get'] };
  expect([missing, surplus].map((map) => Object.keys(map).length)).toEqual([14, 16]);
});
