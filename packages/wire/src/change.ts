import { operation, type Topic } from './operations.ts';
import type { ResolvedRequest } from './resource-request.ts';

/** What a member has of a topic is not what it was: a write did it, here or anywhere. Plain data, without the new value. */
export interface Change {
  /** `grants`: what the member lets an app do. Only pages of that member hear of it. */
  readonly topic: Topic | 'grants';
  /** Id, or `anyone`. */
  readonly member: string;
  /** Only what belongs to this app; everything of the topic when absent. */
  readonly app?: string;
}

/** Stands for a member where nobody may know which one, or where it is all of them. */
export const anyone = '*';

/**
 * What a write changes once it is done.
 *
 * @param app Id of the app that writes.
 */
export function changesOf({ operation: id, segments }: ResolvedRequest, app: string): readonly Change[] {
  const member = segments[1] as string; // every path of a write names one
  return (operation(id).stales ?? []).map((topic) => ({ topic, member, ...(appTopics.has(topic) && { app }) }));
}

/**
 * True if the result of a read may differ after a change. Who is whose friend is not known here, so anybody's change
 * concerns every list of friends.
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

// Where apps keep things apart. Activities are everybody's, but can be asked for by app.
const appTopics: ReadonlySet<Change['topic']> = new Set(['appData', 'activities']);
