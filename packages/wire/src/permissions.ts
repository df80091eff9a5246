import type { Permission } from './operations/operation.ts';
import { type OperationId, operation } from './operations.ts';
import type { ResolvedRequest } from './resource-request.ts';
import { type OptionalPersonField, optionalFieldsIn } from './resources.ts';

/** Permission for operations, or for a profile field beyond those that always come. */
export type CallPermission = Permission | `people.${OptionalPersonField}`;

/**
 * Permission that a member decides about: one for calls, for data in the browser (`storage`), for a
 * host that the app's page loads from, or for the server of its own that a remote app comes from.
 */
export type PermissionName = CallPermission | 'storage' | `host:${string}` | `server:${string}`;

/** Returns the permissions that a request needs. */
export function permissionsFor(request: ResolvedRequest): readonly CallPermission[] {
  const { permission } = operation(request.operation);
  return [permission, ...personFieldsOf(request).map((field) => `people.${field}` as const)];
}

/**
 * Returns the permissions that a call of a row needs.
 *
 * @param fields Names as a client wrote them: `@all` is every optional field, unknown names none.
 */
export function callPermissions(id: OperationId, fields: readonly string[]): readonly CallPermission[] {
  const { permission, topic } = operation(id);
  if (topic !== 'people' || fields.length === 0) return [permission];
  return [permission, ...optionalFieldsIn(fields).map((field) => `people.${field}` as const)];
}

/** Returns the optional profile fields that a request for people names. */
export function personFieldsOf({ operation: id, query }: ResolvedRequest): readonly OptionalPersonField[] {
  const fields = operation(id).topic === 'people' && query.find(([name]) => name === 'fields')?.[1];
  return fields ? (fields.split(',') as OptionalPersonField[]) : [];
}

/** One sentence for each permission, for members. `{host}` stands for the host it is about. */
export type PermissionSentences = Readonly<Record<CallPermission | 'storage' | 'host' | 'server', string>>;

/** Returns the sentence for one permission, or its name if this version does not know it. */
export function sentenceFor(name: PermissionName, sentences: PermissionSentences): string {
  const [, kind, host = ''] = /^(host|server):https?:\/\/(.*)$/.exec(name) ?? [];
  if (kind !== undefined) return sentences[kind as 'host' | 'server'].replaceAll('{host}', () => host);
  return Object.hasOwn(sentences, name) ? sentences[name as keyof PermissionSentences] : name;
}
