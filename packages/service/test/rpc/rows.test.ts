import { expect, test } from 'vitest';
import { findMethod, type RpcMethod } from '../../src/rpc/methods.ts';
import { toOperationRequest } from '../../src/rpc/operation-request.ts';

const settings = { apiVersion: '1.2' } as const;

/** A method as if its rows worked. */
function working(name: string, changes: Partial<RpcMethod> = {}): RpcMethod {
  const method = findMethod(name);
  if (!method) throw new Error(`There is no ${name}.`);
  return { ...method, works: true, ...changes };
}

test('a call whose path names no member reaches its row (contract §8)', () => {
  expect(toOperationRequest(working('people.getSupportedFields'), {}, settings).operationId).toBe(
    'people.getSupportedFields',
  );
});

test('a call whose rows have one selector needs no groupId (contract §8)', () => {
  expect(toOperationRequest(working('people.get', { selector: '@friends' }), {}, settings).operationId).toBe(
    'people.getFriends',
  );
});

test('a call reaches no row of another call (contract §8)', () => {
  const method = working('people.get', { rows: ['people.getFriends'] });
  expect(() => toOperationRequest(method, {}, settings)).toThrow('people.get does not take groupId @self');
});
