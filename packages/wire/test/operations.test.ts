import { type OperationId, operation, operations, type WorkingOperationId } from '@gantry/wire';
import { expect, expectTypeOf, test } from 'vitest';

const ids = Object.keys(operations) as OperationId[];

test('holds the 30 rows of the API document, 15 of which work (§4)', () => {
  expect(ids).toHaveLength(30);
  expect(
    ids.filter((id) => operation(id).status === 'works').map((id) => `${operation(id).method} ${operation(id).path}`),
  ).toEqual([
    'GET /people/{guid}/@friends',
    'GET /people/{guid}/@all/{pid}',
    'GET /people/{guid}/@self',
    'GET /people/@me/@self',
    'GET /activities/{guid}/@self',
    'GET /activities/{guid}/@self/{appid}',
    'GET /activities/{guid}/@friends',
    'GET /activities/{guid}/@friends/{appid}',
    'POST /activities/@me/@self',
    'GET /appData/{guid}/@self/{appid}',
    'POST /appData/{guid}/@self/{appid}',
    'DELETE /appData/{guid}/@self/{appid}',
    'GET /appData/{guid}/@friends/{appid}',
    'GET /albums/@me/@self',
    'GET /mediaitems/@me/@self/{albumId}',
  ]);
});

test('reads that work say how long they may be shown, writes say what they make stale', () => {
  const working = ids.map(operation).filter((row) => row.status === 'works');
  expect(working.filter((row) => row.method === 'GET' && !row.cache)).toEqual([]);
  expect(working.filter((row) => row.method !== 'GET' && (row.cache || !row.stales))).toEqual([]);
});

test('a handler map lacks no working row and has no other (compile time)', () => {
  expectTypeOf<'people.getFriends'>().toExtend<WorkingOperationId>();
  // @ts-expect-error the row is unimplemented, so it has no handler
  const extra: Partial<Record<WorkingOperationId, true>> = { 'people.getAll': true };
  // @ts-expect-error every working row needs a handler
  const missing: Record<WorkingOperationId, true> = { 'people.getFriends': true };
  expect([extra, missing]).toHaveLength(2);
});
