import { hash } from 'node:crypto';
import type { Database } from '@gantry/store';
import type { WorkingOperationId } from '@gantry/wire';
import { parseGuids } from './guids.ts';
import type { Prepared } from './perform.ts';
import { readVersions, type VersionTopic } from './store/versions.ts';

/**
 * The validator of an answer before it is made, from the versions of what it is made of, so that a client that has it costs no
 * more than that (docs/decisions/0007-validators.md). It cannot be guessed, because the epoch is random: who has it was
 * given the answer, with every permission, and nothing that decides about one has changed since.
 *
 * @param options.edition What the code makes of data: differs between versions of Gantry and public addresses.
 * @returns `undefined` where too much would have to be counted; the text itself is hashed then.
 */
export async function versionValidator(
  db: Database,
  prepared: Prepared,
  { epoch, edition }: { readonly epoch: string; readonly edition: string },
): Promise<string | undefined> {
  const topic = topicOf(prepared);
  if (topic === undefined) return undefined;
  const { operationId, params, selector, requester, query, guids, siteTime, nowMs } = prepared;
  const named =
    params.pid === undefined ? guids.ids : [...guids.ids, ...parseGuids(params.pid, requester.memberId).ids];
  const versions = await readVersions(db, { memberIds: [...new Set([requester.memberId, ...named])], topic });
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
    named,
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
const topics: { readonly [Id in WorkingOperationId]?: VersionTopic } = {
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

function topicOf({ operationId, selector }: Prepared): VersionTopic | undefined {
  return operationId === 'albums.get' && selector === '@friends' ? undefined : topics[operationId];
}
