import { type Database, type Statement, sql } from '@gantry/store';
import { isOneOf } from '../store/one-of.ts';
import type { LineRecord } from './line-record.ts';

/*
 * Databases check the foreign key of each row with a look-up that costs more than storing a
 * friendship, PostgreSQL ten times as much. An import into an empty site looks members up in memory
 * instead (ADR 101).
 */

/** Most members whose ids are kept, about 60 bytes each. */
const mostMembers = 2_000_000;

/** Transaction of some records, and statements that it includes. */
export interface BulkBatch {
  readonly batch: Database['batch'];
  readonly guard: readonly Statement[];
}

/** Chooses transactions without checks for friendships and posts whose members and apps exist. */
export function createKnownMembers(db: Database, { most = mostMembers } = {}) {
  const checked: BulkBatch = { batch: db.batch, guard: [] };
  let members: Set<string> | undefined;
  let removals = '';

  async function load(): Promise<Set<string>> {
    const [row] = await db.query<{ members: number; removed: number; removals: string }>(sql`
      select (select count(*) from member) as members, (select count(*) from removed_member) as removed,
        ${sumOfRemovals} as removals`);
    removals = row?.removals ?? '';
    if (Number(row?.members) > most || Number(row?.removed) > most) return new Set();
    const [ids] = await db.query<{ ids: string | null }>(sql`select string_agg(id, ',') as ids from member`);
    return new Set(ids?.ids?.split(',')); // ids have no commas
  }

  return {
    /** Returns how to store the records: with checks unless all that they refer to is known. */
    async batchFor(records: readonly LineRecord[]): Promise<BulkBatch> {
      const { batchUnchecked } = db;
      if (!batchUnchecked || !records.every(({ list }) => list === 'friendships' || list === 'activities'))
        return checked;
      const known = members ?? (await load());
      members = known;
      const apps = new Set((await db.query<{ id: string }>(sql`select id from app`)).map(({ id }) => id));
      const exists = ({ list, record }: LineRecord) =>
        list === 'friendships'
          ? known.has(record[0]) && known.has(record[1])
          : list === 'activities' && known.has(record.userId) && (record.appId === undefined || apps.has(record.appId));
      if (!records.every(exists)) return checked;
      const used = records.flatMap(({ list, record }) => (list === 'activities' ? (record.appId ?? []) : []));
      return {
        batch: (statements) => batchUnchecked(statements, sql`removed_member, app`),
        guard: [guard({ removals, apps: [...new Set(used)] })],
      };
    },
    /** Adds the members of records that are stored. */
    add(records: readonly LineRecord[]): void {
      if (members === undefined || members.size === 0) return;
      for (const { list, record } of records) if (list === 'members') members.add(record.id);
      if (members.size > most) members = new Set();
    },
  };
}

/** Grows with every removal. Text, because the sum of a few thousand times is beyond 2^53. */
const sumOfRemovals = sql`(select cast(coalesce(sum(removed_at_ms), 0) as text) from removed_member)`;

/** Fails the transaction, by a check of its table, if another process removed a member or app. */
function guard({ removals, apps }: { readonly removals: string; readonly apps: readonly string[] }): Statement {
  const counted = sql`(select count(*) from app where ${isOneOf(sql`id`, apps)})`;
  return sql`
    insert into unfinished_import (one, file, fingerprint, indexes_last, next_offset, next_line, records)
    select 2, '', '', 0, 0, 0, 0 where ${sumOfRemovals} <> ${removals} or ${counted} <> ${apps.length}`;
}
