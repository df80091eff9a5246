import { hash } from 'node:crypto';
import type { OperationId, RouteParams } from '@gantry/wire';
import { parseGuids } from './guids.ts';
import type { Prepared } from './perform.ts';
import type { Dependency, VersionTopic } from './store/versions.ts';

/**
 * What an answer is made of, before anything of it is read.
 *
 * @param asked.memberId Of the requester.
 * @returns `undefined` where too much would have to be counted; the text itself is hashed then.
 */
export function dependencyOf({ operationId, params, selector, memberId }: Asked): Dependency | undefined {
  const topic = operationId && topicOf(operationId, selector);
  return topic && { memberIds: [...new Set([memberId, ...namedIn(params, memberId)])], topic };
}

interface Asked {
  readonly operationId: OperationId | undefined;
  readonly params: RouteParams;
  readonly selector: string;
  readonly memberId: string;
}

function namedIn({ guid = '', pid }: RouteParams, memberId: string): readonly string[] {
  const { ids } = parseGuids(guid, memberId);
  return pid === undefined ? ids : [...ids, ...parseGuids(pid, memberId).ids];
}

/**
 * The validator of an answer before it is made, from the versions of what it is made of, so that a client that has it costs no
 * more than that (docs/decisions/0007-validators.md). It cannot be guessed, because the epoch is random: who has it was
 * given the answer, with every permission, and nothing that decides about one has changed since.
 *
 * @param options.edition What the code makes of data: differs between versions of Gantry and public addresses.
 * @param options.versions Of what `dependencyOf` says.
 */
export function versionValidator(
  prepared: Prepared,
  { epoch, edition, versions }: { readonly epoch: string; readonly edition: string; readonly versions: string },
): string {
  const { operationId, params, selector, requester, query, siteTime, nowMs } = prepared;
  const showsAge = query.fields.includes('age') || query.fields.includes('@all');
  const today = showsAge ? siteTime.dateTime(nowMs).slice(0, 10) : '';
  const { memberId, appId, hasApp } = requester;
  return digest([
    edition,
    epoch,
    versions,
    memberId,
    appId,
    hasApp,
    operationId,
    params,
    selector,
    namedIn(params, memberId),
    query,
    today,
  ]);
}

/** The validator of an answer whose text is at hand. */
export function textValidator(text: string, variant: readonly (string | undefined)[]): string {
  return digest([...variant, text]);
}

function digest(parts: readonly unknown[]): string {
  return `"${hash('sha1', JSON.stringify(parts), 'base64url')}"`;
}

/** What an answer is made of, beside people. A stream of friends changes with every one of them: its text is hashed. */
const topics: { readonly [Id in OperationId]?: VersionTopic } = {
  'people.getFriends': 'people',
  'people.getPerson': 'people',
  'people.getSelf': 'people',
  'people.getMe': 'people',
  'activities.getSelf': 'activities',
  'activities.getSelfByApp': 'activities',
  'appData.getSelf': 'appData',
  'albums.get': 'albums',
  'mediaItems.get': 'albums',
};

function topicOf(operationId: OperationId, selector: string): VersionTopic | undefined {
  return operationId === 'albums.get' && selector === '@friends' ? undefined : topics[operationId];
}
