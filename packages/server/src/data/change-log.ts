import { proxyChangeLog } from '@gantry/proxy';
import { siteChanges } from '@gantry/service';
import type { ChangeLog, Database } from '@gantry/store';
import { databaseKind } from './database-kind.ts';

/** Returns the log that open pages are notified from, and whether it is a whole site's. */
export async function changeLogOf(db: Database): Promise<{ readonly isSite: boolean; readonly log: ChangeLog }> {
  const isSite = (await databaseKind(db)) !== 'proxy';
  return { isSite, log: isSite ? siteChanges : proxyChangeLog };
}
