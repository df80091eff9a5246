import type { ChangeFeed, ChangeLog, Listener, Listeners, LoggedChange, Statement } from '@gantry/store';
import { anyone, type Change, type Topic } from '@gantry/wire';

/** Where the proxy hears of changes, and who decides whom each concerns: nobody else is told (docs/decisions/0020-events.md). */
export interface Changes {
  readonly feed: ChangeFeed;
  /** What `feed` reads: what members decide about apps is noted there too. */
  readonly log: ChangeLog;
  /** The same for the proxy's own cache, which looks when it has to: pages are not told sooner because somebody reads. */
  readonly cacheFeed: ChangeFeed;
  /** @returns Of each change those who may hear of it. */
  audience(changes: readonly LoggedChange[], listeners: Listeners): Promise<readonly (readonly Listener[])[]>;
}

/** Topic of the log for what a member lets an app do. */
const grants = 'grants';

/** Says in the transaction of a decision that it was made, in whatever process. */
export function grantsChanged(
  log: ChangeLog,
  { viewer, app }: { readonly viewer: string; readonly app: string },
): Statement {
  return log.add({ topic: grants, memberId: viewer, appId: app });
}

/** Tells every open page with an app that it was replaced, paused or resumed. */
export function appChanged(log: ChangeLog, appId: string): Statement {
  return log.add({ topic: grants, memberId: '', appId });
}

/**
 * Finds the listeners of each change. A decision concerns the member's own pages with that app only, friends' pages
 * not; an app that the site replaces, pauses or resumes concerns every page with it.
 */
export async function audienceOf(
  { audience }: Pick<Changes, 'audience'>,
  logged: readonly LoggedChange[],
  listeners: Listeners,
): Promise<readonly (readonly Listener[])[]> {
  const others = logged.filter(({ topic }) => topic !== grants);
  const heard = (others.length > 0 ? await audience(others, listeners) : []).values();
  return logged.map(({ topic, memberId, appId = '' }) =>
    topic === grants
      ? [...(memberId === '' ? listeners : listeners.ofViewer(memberId))].filter(({ apps }) => apps.has(appId))
      : (heard.next().value ?? []),
  );
}

/** Each of these once, in the order in which they came first: a change that is repeated says nothing new. */
export function distinct(logged: readonly LoggedChange[]): readonly LoggedChange[] {
  const known = new Map<string, LoggedChange>();
  for (const change of logged) {
    const key = JSON.stringify([change.topic, change.memberId, change.appId]);
    if (!known.has(key)) known.set(key, change);
  }
  return [...known.values()];
}

// Many changes at once are told as one that concerns everything.
const mostAtOnce = 200;

/** What pages are told: topics of results, each once. */
export function toldOf(changes: readonly LoggedChange[]): readonly Change[] {
  const told = new Map(changes.flatMap(changesOf).map((change) => [JSON.stringify(change), change]));
  return told.size > mostAtOnce ? everything : [...told.values()];
}

/** What may have changed for anyone: all of it. */
export const everything: readonly Change[] = (
  ['people', 'activities', 'appData', 'albums', 'mediaItems'] satisfies Topic[]
).map((topic) => ({ topic, member: anyone }));

function changesOf({ topic, memberId, appId }: LoggedChange): readonly Change[] {
  const member = memberId || anyone;
  const of = (...topics: Topic[]) => topics.map((each) => ({ topic: each, member }));
  switch (topic) {
    case 'people': // also whose friend somebody is, and has blocked whom: on that depends who sees the rest
      return of('people', 'activities', 'appData', 'albums', 'mediaItems');
    case 'albums':
      return of('albums', 'mediaItems');
    case 'activities':
    case 'mediaItems':
      return of(topic);
    case 'appData':
    case grants:
      return [{ topic, member, ...(appId !== undefined && { app: appId }) }];
    default:
      return everything; // an import, a setting
  }
}
