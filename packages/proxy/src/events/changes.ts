import type { ChangeFeed, ChangeLog, Listener, Listeners, LoggedChange, Statement } from '@gantry/store';
import { anyone, type Change, type Topic, topics } from '@gantry/wire';

/** Source of changes and of their permitted listeners (docs/decisions/0020-events.md). */
export interface ChangeSource {
  readonly feed: ChangeFeed;
  /** The log that `feed` reads. Changed grants are added to it. */
  readonly log: ChangeLog;
  /** A second feed for the cache, whose reads do not speed up delivery to pages. */
  readonly cacheFeed: ChangeFeed;
  /** Resolves with the permitted listeners of each change. */
  audience(changes: readonly LoggedChange[], listeners: Listeners): Promise<readonly (readonly Listener[])[]>;
}

export const grantsTopic = 'grants' satisfies Change['topic'];
/** Topic of an app that has another live version, or previews. */
export const versionsTopic = 'versions' satisfies Change['topic'];
const ofApps: ReadonlySet<string> = new Set([grantsTopic, versionsTopic]);

/**
 * Returns the statement that notifies every open page with an app that it was replaced, paused or
 * resumed.
 */
export function logAppChange(log: ChangeLog, appId: string): Statement {
  return log.add({ topic: grantsTopic, memberId: '', appId });
}

/**
 * Finds the listeners of each change. Changed grants and previews concern the member's own pages
 * with the app; an app that was replaced, paused or resumed, or that has another live version,
 * concerns every page with it.
 */
export async function audienceOf(
  { audience }: Pick<ChangeSource, 'audience'>,
  logged: readonly LoggedChange[],
  listeners: Listeners,
): Promise<readonly (readonly Listener[])[]> {
  const others = logged.filter(({ topic }) => !ofApps.has(topic));
  const audiences = (others.length > 0 ? await audience(others, listeners) : []).values();
  return logged.map(({ topic, memberId, appId = '' }) =>
    ofApps.has(topic)
      ? [...(memberId === '' ? listeners : listeners.ofViewer(memberId))].filter(({ apps }) => apps.has(appId))
      : (audiences.next().value ?? []),
  );
}

/** Removes repeated changes and keeps the order. */
export function distinctChanges(logged: readonly LoggedChange[]): readonly LoggedChange[] {
  const byKey = logged.map((one) => [JSON.stringify([one.topic, one.memberId, one.appId]), one] as const);
  return [...new Map(byKey).values()];
}

const mostAtOnce = 200;

/** Converts logged changes to those that pages receive, or to `allChanges` if there are many. */
export function toWireChanges(changes: readonly LoggedChange[]): readonly Change[] {
  const unique = new Map(changes.flatMap(wireChangesOf).map((change) => [JSON.stringify(change), change]));
  return unique.size > mostAtOnce ? allChanges : [...unique.values()];
}

export const allChanges: readonly Change[] = topics.map((topic) => ({ topic, member: anyone }));

function wireChangesOf({ topic, memberId, appId }: LoggedChange): readonly Change[] {
  const member = memberId || anyone;
  const of = (...changed: readonly Topic[]) => changed.map((each) => ({ topic: each, member }));
  switch (topic) {
    case 'people': // includes friendships and blocks, which decide who sees the rest
      return of(...topics);
    case 'albums':
      return of('albums', 'mediaItems');
    case 'activities':
    case 'mediaItems':
      return of(topic);
    case 'appData':
    case grantsTopic:
    case versionsTopic:
      return [{ topic, member, ...(appId !== undefined && { app: appId }) }];
    default:
      return allChanges; // an import, a setting
  }
}
