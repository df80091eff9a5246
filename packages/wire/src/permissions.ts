import { type OperationId, operation, type Permission } from './operations.ts';
import type { ResolvedRequest } from './resource-request.ts';
import { type OptionalPersonField, optionalPersonFields } from './resources.ts';

/** What calls need to be granted: the use of operations, and each profile field beyond the ones that always come. */
export type CallPermission = Permission | `people.${OptionalPersonField}`;

/**
 * What a member decides about an app: what its calls need, to keep data in the browser, and each place beside the site
 * that it can talk to: a host that its page loads from, or the server of its own that a remote app comes from.
 */
export type PermissionName = CallPermission | 'storage' | `host:${string}` | `server:${string}`;

/** All that a request needs. */
export function permissionsFor(request: ResolvedRequest): readonly CallPermission[] {
  const { permission } = operation(request.operation);
  return [permission, ...personFieldsOf(request).map((field) => `people.${field}` as const)];
}

/**
 * All that a call needs of a member.
 *
 * @param fields Names as a client wrote them; `@all` stands for every optional field, and other names count for nothing.
 */
export function callPermissions(id: OperationId, fields: readonly string[]): readonly CallPermission[] {
  const { permission, topic } = operation(id);
  if (topic !== 'people' || fields.length === 0) return [permission];
  const named = new Set(fields);
  const read = named.has('@all') ? optionalPersonFields : optionalPersonFields.filter((field) => named.has(field));
  return [permission, ...read.map((field) => `people.${field}` as const)];
}

/** The profile fields that a request for people names, beyond those that always come. */
export function personFieldsOf({ operation: id, query }: ResolvedRequest): readonly OptionalPersonField[] {
  const fields = operation(id).topic === 'people' && query.find(([name]) => name === 'fields')?.[1];
  return fields ? (fields.split(',') as OptionalPersonField[]) : [];
}
