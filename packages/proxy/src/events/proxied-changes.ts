import { changeLog, createChangeFeed, type Listener, type LoggedChange, sql } from '@gantry/store';
import { changesOf } from '@gantry/wire';
import type { CallContext, Middleware } from '../call-path.ts';
import type { Ports } from '../ports.ts';
import type { ChangeSource } from './changes.ts';

/** Log of writes through this proxy, for an upstream that reports no changes. */
export const proxyChangeLog = changeLog(sql`proxy_change_log`);

// Writes notify all pages with the app, as friendships are unknown: at most about one a second.
const lookEveryMs = 750;

/** Statuses after which the write may have been done. */
const unknownOutcomes: ReadonlySet<number> = new Set([499, 502, 503, 504]);

/**
 * Makes the source of changes for a foreign upstream, where only writes through this proxy are
 * known. They reach the member's own pages, and all other pages with the app without the member's
 * id: only the upstream knows which members a viewer may see. `middleware` logs each write's
 * changes.
 */
export function createProxiedChanges(
  ports: Pick<Ports, 'db' | 'log' | 'now' | 'every'>,
): ChangeSource & { readonly middleware: Middleware } {
  const { db, log, now, every } = ports;
  const feed = createChangeFeed({ db, log: proxyChangeLog, now, every, lookEveryMs });
  const cacheFeed = createChangeFeed({ db, log: proxyChangeLog, now, every, lookEveryMs: 5_000 });

  async function logChanges({ request, asker }: CallContext): Promise<void> {
    const changed = changesOf(request, asker.app);
    const rows = changed.flatMap(({ topic, member: memberId }): LoggedChange[] => [
      { topic, memberId, appId: asker.app },
      { topic, memberId: '', appId: asker.app },
    ]);
    try {
      await db.batch(rows.map((row) => proxyChangeLog.add(row)));
    } catch (err) {
      log.error({ err }, 'a change could not be logged'); // the write itself is done
    }
  }

  return {
    feed,
    log: proxyChangeLog,
    cacheFeed,
    async audience(changes, listeners) {
      return changes.map(({ topic, memberId, appId = '' }): readonly Listener[] => {
        if (memberId !== '') return [...listeners.ofViewer(memberId)];
        return [...listeners].filter(({ apps }) => !ofOneApp.has(topic) || apps.has(appId));
      });
    },
    middleware: (next) => async (context) => {
      if (context.request.method === 'GET') return next(context);
      let mayBeDone = true;
      try {
        const reply = await next(context);
        mayBeDone = 'ok' in reply || unknownOutcomes.has(reply.error.code);
        return reply;
      } finally {
        if (mayBeDone) await logChanges(context);
      }
    },
  };
}

/** Topics whose data depends on the app: AppData, and `hasApp` of people. */
const ofOneApp: ReadonlySet<string> = new Set(['appData', 'people']);
