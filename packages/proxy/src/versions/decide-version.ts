import { type Database, type Statement, sql } from '@gantry/store';
import { SocialError } from '@gantry/wire';
import { auditEntry, audited } from './audit.ts';
import { isConstraint } from './chunk-store.ts';
import { isVersion, type VersionName } from './stored-versions.ts';

/** An administrator's decision about a version. */
export interface VersionDecision extends VersionName {
  readonly approve: boolean;
  /** Maker, as in `AuditEntry.actor`. */
  readonly by: string;
  readonly nowMs: number;
  /** Reason, for the author. */
  readonly detail?: string | undefined;
}

/**
 * Returns the statements that store a decision about a version that is not accepted yet, for one
 * transaction, perhaps with those of `pointTo`. It fails as a violated constraint if the version is
 * accepted, refused or gone meanwhile. A refused version can be approved later.
 */
export function planDecision(decision: VersionDecision): readonly Statement[] {
  const { app, registration, digest, approve, by, nowMs, detail } = decision;
  const [state, action] = approve ? ['accepted', 'approve'] : ['refused', 'refuse'];
  const open = approve ? sql`state <> 'accepted'` : sql`state in ('waiting', 'preview')`;
  const isOpen = sql`exists (select 1 from app_versions where ${isVersion(decision)} and ${open})`;
  return [
    // Locks the row, then proves that it was open, before it is changed.
    sql`update app_versions set named_at_ms = ${nowMs} where ${isVersion(decision)}`,
    auditEntry({ atMs: nowMs, actor: by, app, action, to: digest, outcome: 'done', detail }, isOpen),
    sql`
      update app_versions set state = ${state}, decided_by = ${by}, decided_at_ms = ${nowMs}
      where ${isVersion(decision)}`,
    ...(approve
      ? []
      : [
          sql`
            delete from app_previews
            where app_id = ${app} and registration = ${registration} and version = ${digest}`,
        ]),
  ];
}

/** Stores a decision. @throws SocialError CONFLICT if the version is accepted, refused or gone. */
export async function decideVersion(db: Database, decision: VersionDecision): Promise<void> {
  const { app, digest, approve, by, nowMs } = decision;
  const attempt = { atMs: nowMs, actor: by, app, action: approve ? 'approve' : 'refuse', to: digest };
  await audited(db, attempt, async () => {
    try {
      await db.batch(planDecision(decision));
    } catch (cause) {
      if (!isConstraint(cause)) throw cause;
      throw new SocialError('CONFLICT', 'This version is decided on already, or it is gone.', { cause });
    }
  });
}
