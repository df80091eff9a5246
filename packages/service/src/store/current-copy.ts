import { type Database, flushedPosition, hasReplayed, sql } from '@gantry/store';
import { isOneOf } from './one-of.ts';
import { type Dependency, type VersionRow, versionsText } from './versions.ts';

/** State of the database that an answer must not be older than. */
export interface NeededState {
  readonly epoch: string;
  /** Data that the answer depends on; `undefined` if that is more than versions can tell. */
  readonly dependency: Dependency | undefined;
  /** Versions of that data. */
  readonly versions: string | undefined;
}

/**
 * Resolves with the database that reads from a copy which is as new as the state, or with the
 * database itself (docs/decisions/0092-reads-from-standbys.md).
 */
export async function currentCopy(db: Database, needed: NeededState): Promise<Database> {
  if (db.copies === undefined) return db;
  const { epoch, dependency, versions } = needed;
  if (dependency !== undefined) {
    const isSame = async (copy: Database) => {
      const state = await readState(copy, dependency);
      return state?.epoch === epoch && state.versions === versions;
    };
    return (await db.copies.find(isSame)) ?? db;
  }
  const position = await flushedPosition(db);
  return (await db.copies.find((copy) => hasReplayed(copy, position))) ?? db;
}

async function readState(copy: Database, { memberIds, topic }: Dependency) {
  const rows = await copy.query<VersionRow & { readonly epoch: string }>(sql`
    select epoch, member_id as version_of, topic, n from site_version
      left join member_version on ${isOneOf(sql`member_id`, memberIds)} and topic in ('people', ${topic})
    where one = 1 order by member_id, topic`);
  return rows[0] && { epoch: rows[0].epoch, versions: versionsText(rows) };
}
