import type { Topic } from './operations/operation.ts';
import { operation } from './operations.ts';
import type { ResolvedRequest } from './resource-request.ts';

/** A change to a member's data of one topic, here or anywhere, without the new value. */
export interface Change {
  /**
   * `grants`: permissions of an app, which only pages of that member receive. `versions`: another
   * version of an app is live.
   */
  readonly topic: Topic | 'grants' | 'versions';
  /** Id, or `anyone`. */
  readonly member: string;
  /** Limits the change to this app's data; all of the topic when absent. */
  readonly app?: string;
}

/** Stands for all members, or for one that must stay secret. */
export const anyone = '*';

/** Returns the changes that a write makes. @param app Id of the app that writes. */
export function changesOf({ operation: id, segments }: ResolvedRequest, app: string): readonly Change[] {
  const member = segments[1] as string; // every path of a write names one
  return (operation(id).stales ?? []).map((topic) => ({ topic, member, ...(appTopics.has(topic) && { app }) }));
}

/**
 * Returns true if a change may make the result of a read stale. Friendships are not known here, so
 * any member's change makes every list of friends stale.
 *
 * @param app Id of the app that reads.
 */
export function dependsOn({ operation: id, segments }: ResolvedRequest, app: string, change: Change): boolean {
  const [, members = '', selector, third] = segments;
  const { topic } = operation(id);
  if (topic !== change.topic) return false;
  const readsOf = topic === 'people' || third === '@app' ? app : appTopics.has(topic) ? third : undefined;
  if (change.app !== undefined && readsOf !== undefined && change.app !== readsOf) return false;
  return (
    change.member === anyone ||
    selector === '@friends' ||
    members.split(',').includes(change.member) ||
    (topic === 'people' && third === change.member)
  );
}

// Apps share activities, but a read can name the app that posted them.
const appTopics: ReadonlySet<Change['topic']> = new Set(['appData', 'activities']);
