import { type ChangeLog, type Statement, sql } from '@gantry/store';
import { versionsTopic } from '../events/changes.ts';
import { auditEntry } from './audit.ts';
import { isVersion, nameVersion, type VersionName } from './stored-versions.ts';

/** A version that becomes the live one of its app. */
export interface LiveChange extends VersionName {
  /** Digest of the live version before, if any. */
  readonly from?: string | undefined;
  /** Maker, as in `AuditEntry.actor`. */
  readonly by: string;
  readonly nowMs: number;
  /** Default: `live`. */
  readonly action?: 'live' | 'rollback' | undefined;
  readonly detail?: string | undefined;
}

/**
 * Returns the statements that make an accepted version the live one, for one transaction with the
 * app's registration, if that is new, before them. Keys, registration and grants stay. The
 * transaction fails as a violated constraint if the version or the registration is not there.
 *
 * @param log Log that notifies the pages that show the app.
 */
export function pointTo(log: ChangeLog, change: LiveChange): readonly Statement[] {
  const { app, registration, digest, from, by, nowMs, action = 'live', detail } = change;
  const manifest = sql`(select manifest from app_versions where ${isVersion(change)} and state = 'accepted')`;
  const isDone = sql`exists (select 1 from app_registrations
    where id = ${app} and registration = ${registration} and version = ${digest})`;
  return [
    // First, so that the sweeper sees both in use.
    nameVersion(change, nowMs),
    ...(from === undefined ? [] : [nameVersion({ app, registration, digest: from }, nowMs)]),
    sql`
      update app_registrations set version = ${digest}, manifest = ${manifest}, updated_at_ms = ${nowMs}
      where id = ${app} and registration = ${registration}`,
    auditEntry({ atMs: nowMs, actor: by, app, action, from, to: digest, outcome: 'done', detail }, isDone),
    log.add({ topic: versionsTopic, memberId: '', appId: app }),
  ];
}
