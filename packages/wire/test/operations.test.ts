import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { operationIds as ids, operation, type WorkingOperationId } from '@gantry/wire';
import { expect, expectTypeOf, test } from 'vitest';
import type { Rows, ServiceColumnsOf } from '../src/operations/operation.ts';

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

test('a working row without a column that it needs does not compile (compile time)', () => {
  const read = { method: 'GET', path: '/people/{guid}/@new', status: 'works', osapi: 'people.get' } as const;
  const row = { ...read, topic: 'people', permission: 'people' } as const;
  const whole = { 'people.getNew': { ...row, cache: { freshMs: 1_000, staleMs: 2_000 } } } satisfies Rows;
  // @ts-expect-error a read needs a cache policy
  const uncached = { 'people.getNew': row } satisfies Rows;
  // @ts-expect-error a write needs to say if a repeat leaves the same
  const unrepeatable = { 'people.deleteNew': { ...row, method: 'DELETE', stales: ['people'] } } satisfies Rows;
  const columns = { summary: 'New', result: 'list' } as const;
  // @ts-expect-error a read needs a validator
  const unversioned: ServiceColumnsOf<typeof row> = columns;
  // @ts-expect-error a POST needs a body
  const empty: ServiceColumnsOf<{ readonly status: 'works'; readonly method: 'POST' }> = columns;
  expect([whole, uncached, unrepeatable, unversioned, empty]).toHaveLength(5);
});

test('no source compares an operation or a call with text: columns decide (decision 63)', () => {
  const services = '(?:people|activities|app[dD]ata|albums|media[iI]tems)';
  const comparison = new RegExp(`(?:[!=]==|case|startsWith\\(|includes\\() ?['"\`]${services}\\.\\w`, 'g');
  const root = join(import.meta.dirname, '../../..');
  const files = globSync('packages/*/src/**/*.ts', { cwd: root });
  expect(files.length).toBeGreaterThan(300);
  expect("if (id === 'activities.create')").toMatch(comparison); // control
  const matches = files.flatMap((file) =>
    Array.from(readFileSync(join(root, file), 'utf8').matchAll(comparison), ([text]) => `${file}: ${text}`),
  );
  expect(matches).toEqual([]);
});

test('a handler map lacks no working row and has no other (compile time)', () => {
  expectTypeOf<'people.getFriends'>().toExtend<WorkingOperationId>();
  // @ts-expect-error the row is unimplemented, so it has no handler
  const extra: Partial<Record<WorkingOperationId, true>> = { 'people.getAll': true };
  // @ts-expect-error every working row needs a handler
  const missing: Record<WorkingOperationId, true> = { 'people.getFriends': true };
  expect([extra, missing]).toHaveLength(2);
});
