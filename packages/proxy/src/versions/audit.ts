import { randomBytes } from 'node:crypto';
import { type Database, type Statement, sql } from '@gantry/store';
import { SocialError } from '@gantry/wire';

/** A change of an app, or the attempt at one. Rows are only added, never changed. */
export interface AuditEntry {
  readonly atMs: number;
  /** Maker of the change, such as `cli:anna`, `server` or `key:` and the id of a key. */
  readonly actor: string;
  readonly app: string;
  /** Such as `store`, `live`, `rollback`, `approve`, `refuse`, `preview`, `pause` or `remove`. */
  readonly action: string;
  /** Digests of the versions before and after. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** `refused`: the attempt changed nothing. */
  readonly outcome: 'done' | 'refused';
  /** Plain text for the site's owner, without secrets. */
  readonly detail?: string | undefined;
}

/** An entry as it is stored. */
export interface LoggedAudit extends AuditEntry {
  /** Orders entries by time. Pass the last one's as `before` for the next page. */
  readonly id: string;
}

/** Characters of a detail; the rest is cut off. */
export const maxAuditDetail = 1_000;
/** Entries in one answer of `listAudit`. */
export const maxAuditEntries = 200;

/**
 * Returns the statement that adds an entry, for the transaction that makes the change.
 *
 * @param isDone Condition that holds after the change. If it does not, the transaction fails as a
 * violated constraint, and nothing has been changed.
 */
export function auditEntry(entry: AuditEntry, isDone?: Statement): Statement {
  const { atMs, actor, app, action, from = null, to = null, outcome, detail } = entry;
  // By time, then in the order in which a process made them.
  const order = [atMs, process.hrtime.bigint()].map((number) => number.toString(36).padStart(13, '0'));
  const id = `${order.join('')}${randomBytes(6).toString('base64url')}`;
  const proven = isDone ? sql`(select cast(${outcome} as text) where ${isDone})` : sql`${outcome}`;
  return sql`
    insert into app_audit (id, at_ms, actor, app_id, action, from_version, to_version, outcome, detail)
    values (${id}, ${atMs}, ${actor}, ${app}, ${action}, ${from}, ${to}, ${proven},
      ${detail?.slice(0, maxAuditDetail) ?? null})`;
}

/** Does work, and adds an entry of the refused attempt if it throws a SocialError. */
export async function audited<T>(
  db: Database,
  attempt: Omit<AuditEntry, 'outcome' | 'detail'>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SocialError) {
      await db.query(auditEntry({ ...attempt, outcome: 'refused', detail: error.message }));
    }
    throw error;
  }
}

/**
 * Lists entries, the newest first.
 *
 * @param options.limit At most 200. Default: 50.
 * @param options.before Id of an entry, whose predecessors are listed.
 */
export async function listAudit(
  db: Database,
  { app, limit = 50, before }: { readonly app?: string; readonly limit?: number; readonly before?: string } = {},
): Promise<readonly LoggedAudit[]> {
  const rows = await db.query<AuditRow>(sql`
    select id, at_ms, actor, app_id, action, from_version, to_version, outcome, detail from app_audit
    where ${app === undefined ? sql`true` : sql`app_id = ${app}`} and ${before === undefined ? sql`true` : sql`id < ${before}`}
    order by id desc limit ${Math.min(limit, maxAuditEntries)}`);
  return rows.map(({ id, at_ms: atMs, actor, app_id, action, from_version, to_version, outcome, detail }) => ({
    ...{ id, atMs, actor, app: app_id, action, outcome },
    ...(from_version !== null && { from: from_version }),
    ...(to_version !== null && { to: to_version }),
    ...(detail !== null && { detail }),
  }));
}

interface AuditRow extends Pick<LoggedAudit, 'id' | 'actor' | 'action' | 'outcome'> {
  readonly at_ms: number;
  readonly app_id: string;
  readonly from_version: string | null;
  readonly to_version: string | null;
  readonly detail: string | null;
}
