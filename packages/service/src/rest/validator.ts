import { hash } from 'node:crypto';
import { type OperationId, operation, type RouteParams, serviceColumnsOf } from '@gantry/wire';
import type { PreparedOperation } from '../handlers/operation-runner.ts';
import type { MatchedRoute } from '../http/find-route.ts';
import { parseGuids } from '../http/guids.ts';
import type { Dependency, VersionTopic } from '../store/versions.ts';

/**
 * Returns the data that an answer depends on, without reading it.
 *
 * @param request.memberId Id of the requester.
 * @returns `undefined` if too many versions would count; the text itself is hashed then.
 */
export function dependencyOf(request: MatchedRoute & { readonly memberId: string }): Dependency | undefined {
  const { operationId, params, selector, memberId } = request;
  const topic = operationId && topicOf(operationId, selector);
  return topic && { memberIds: [...new Set([memberId, ...namedIn(params, memberId)])], topic };
}

function namedIn({ guid = '', pid }: RouteParams, memberId: string): readonly string[] {
  const { ids } = parseGuids(guid, memberId);
  return pid === undefined ? ids : [...ids, ...parseGuids(pid, memberId).ids];
}

/**
 * Returns the validator of an answer before it is made, from the versions of its data, so that a
 * current client's copy costs no more (docs/decisions/0007-validators.md). The epoch is random, so
 * a validator cannot be guessed: a client that has it received the answer, with every permission,
 * and nothing that decides about a permission has changed since.
 *
 * @param options.edition Differs between versions of Gantry and public addresses, which turn the
 * same data into other texts.
 * @param options.versions Versions of `dependencyOf`.
 */
export function versionValidator(
  prepared: PreparedOperation,
  { epoch, edition, versions }: { readonly epoch: string; readonly edition: string; readonly versions: string },
): string {
  const { operationId, params, selector, requester, query, zonedTime, nowMs } = prepared;
  const showsAge = query.fields.includes('age') || query.fields.includes('@all');
  const today = showsAge ? zonedTime.dateTime(nowMs).slice(0, 10) : '';
  const { memberId, appId, hasApp } = requester;
  const parts = [operationId, params, selector, namedIn(params, memberId), query, today];
  return digest([edition, epoch, versions, memberId, appId, hasApp, ...parts]);
}

export function textValidator(text: string, variant: readonly (string | undefined)[]): string {
  return digest([...variant, text]);
}

function digest(parts: readonly unknown[]): string {
  return `"${hash('sha1', JSON.stringify(parts), 'base64url')}"`;
}

/** Returns the topic whose versions make the validator; nothing where the text is hashed. */
function topicOf(operationId: OperationId, selector: string): VersionTopic | undefined {
  const { topic } = operation(operationId);
  const { validator } = serviceColumnsOf(operationId);
  // One row serves a member and their friends, whose things change with every one of them.
  const isOfFriends = selector === '@friends' && topic !== 'people';
  return validator === 'text' || isOfFriends ? undefined : validator;
}
