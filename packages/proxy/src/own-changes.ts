import {
  changeLog,
  createChangeFeed,
  type Database,
  type Every,
  type Listener,
  type LoggedChange,
  sql,
} from '@gantry/store';
import { changesOf } from '@gantry/wire';
import type { Asking, Stage } from './call-path.ts';
import type { Log } from './calls.ts';
import type { Changes } from './changes.ts';

/** What is written through this proxy, for pages before an upstream that tells nothing. */
export const proxyChanges = changeLog(sql`proxy_change_log`);

// Who is a friend of whom is not known here, so whoever has the app is told of each write: not more than once a second.
const lookEveryMs = 750;

/** Of these it is not known whether the write was done. */
const unknownOutcomes: ReadonlySet<number> = new Set([499, 502, 503, 504]);

export interface OwnChanges extends Changes {
  /** Notes what a write changed. */
  readonly stage: Stage;
}

/**
 * Before an upstream of somebody else, only what is written through this proxy can be told: to the member's own pages, and to
 * every other page with the app that *someone's* data changed, without saying whose. Who a member may see is the
 * upstream's knowledge, and `owner` is whoever a page names, so no other member is told of anyone by name.
 */
export function createOwnChanges(options: {
  readonly db: Database;
  readonly log: Log;
  readonly now: () => number;
  readonly every: Every;
}): OwnChanges {
  const { db, log, now, every } = options;
  const feed = createChangeFeed({ db, log: proxyChanges, now, every, lookEveryMs });
  const cacheFeed = createChangeFeed({ db, log: proxyChanges, now, every, lookEveryMs: 5_000 });

  async function note({ request, asker }: Asking): Promise<void> {
    const changed = changesOf(request, asker.app);
    const rows = changed.flatMap(({ topic, member: memberId }): LoggedChange[] => [
      { topic, memberId, appId: asker.app },
      { topic, memberId: '', appId: asker.app },
    ]);
    try {
      await db.batch(rows.map((row) => proxyChanges.add(row)));
    } catch (err) {
      log.error({ err }, 'a change could not be noted'); // the write itself is done
    }
  }

  return {
    feed,
    log: proxyChanges,
    cacheFeed,
    async audience(changes, listeners) {
      return changes.map(({ topic, memberId, appId = '' }): readonly Listener[] => {
        if (memberId !== '') return [...listeners.ofViewer(memberId)];
        return [...listeners].filter(({ apps }) => !ofOneApp.has(topic) || apps.has(appId));
      });
    },
    stage: (next) => async (asking) => {
      if (asking.request.method === 'GET') return next(asking);
      try {
        const reply = await next(asking);
        if ('ok' in reply || unknownOutcomes.has(reply.error.code)) await note(asking);
        return reply;
      } catch (error) {
        await note(asking);
        throw error;
      }
    },
  };
}

/** Topics of what belongs to one app: its AppData, and who has it. */
const ofOneApp: ReadonlySet<string> = new Set(['appData', 'people']);
