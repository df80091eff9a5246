import { type Database, sql } from '@gantry/store';
import { nameProblem } from '@gantry/wire';
import { isOneOf } from '../store/one-of.ts';
import { applyRecords } from './apply-records.ts';
import type { Problem } from './check-record.ts';
import { groupRecords, type LineRecord, parseLineRecord, recordPath } from './line-record.ts';
import type { RecordOptions } from './store-world.ts';
import { refuseDuringImport } from './unfinished-import.ts';

/** Number of stored records, by list: `members`, `friendships`, `removed` and so on. */
export interface SavedRecords {
  readonly records: number;
  readonly counts: Readonly<Record<string, number>>;
}

export interface RecordProblem {
  readonly index: number;
  /** Sentence without full stop. */
  readonly message: string;
}

/** Most problems to report; later records are not checked. */
const mostProblems = 20;

/**
 * Checks records and stores them as one transaction: all of them, or none (contract §9).
 *
 * @returns Counts, or the faults of the records.
 * @throws SocialError UNAVAILABLE during an import.
 */
export async function saveRecords(
  db: Database,
  inputs: readonly unknown[],
  options: RecordOptions,
): Promise<SavedRecords | { readonly problems: readonly RecordProblem[] }> {
  const records: LineRecord[] = [];
  const problems: RecordProblem[] = [];
  for (const [index, input] of inputs.entries()) {
    const record = parseLineRecord(input);
    const problem = 'problem' in record ? record.problem : newNameProblem(record);
    if (problem === undefined) records.push(record as LineRecord);
    else if (problems.push({ index, message: problem.join(' ') }) === mostProblems) break;
  }
  if (problems.length > 0) return { problems };
  const withFile = records.findIndex(({ list, record }) => list === 'mediaItems' && record.file !== undefined);
  if (withFile >= 0) {
    return { problems: [{ index: withFile, message: 'mediaItem.file works only in imported files: send its url' }] };
  }
  await refuseDuringImport(db);
  const present = await withoutEarlierMembers(db, records);
  const bad = await applyRecords(db, present, options);
  if (bad) return { problems: [{ index: records.indexOf(present[bad.index] as LineRecord), message: bad.problem }] };
  return { records: records.length, counts: countsOf(records) };
}

/**
 * Leaves out the decisions of members who were removed: another Gantry reports a decision until it
 * is accepted, which may be once somebody else has the id (security rule 37). Imports keep theirs,
 * since they restore members with what was theirs.
 */
async function withoutEarlierMembers(db: Database, records: readonly LineRecord[]): Promise<readonly LineRecord[]> {
  const decided = records.flatMap(({ list, record }) =>
    list === 'installs' && record.changedAt !== undefined ? [record.memberId] : [],
  );
  if (decided.length === 0) return records;
  const rows = await db.query<{ member_id: string; removed_at_ms: number }>(sql`
    select member_id, removed_at_ms from removed_member where ${isOneOf(sql`member_id`, decided)}`);
  const removedAtMs = new Map(rows.map((row) => [row.member_id, Number(row.removed_at_ms)]));
  return records.filter(({ list, record }) => {
    if (list !== 'installs' || record.changedAt === undefined) return true;
    return Date.parse(record.changedAt) > (removedAtMs.get(record.memberId) ?? Number.NEGATIVE_INFINITY);
  });
}

// Here and not in the schema: a world file may hold names that were stored before this rule.
function newNameProblem({ list, record }: LineRecord): Problem | undefined {
  const [member, name] =
    list === 'members'
      ? ['displayName', record.displayName]
      : list === 'apps' || list === 'consumers'
        ? ['title', record.title]
        : list === 'site'
          ? ['name', record.name]
          : [];
  const problem = name && nameProblem(name);
  return problem ? [recordPath(list, `.${member}`), problem] : undefined;
}

function countsOf(records: readonly LineRecord[]): Readonly<Record<string, number>> {
  const { site, ...lists } = groupRecords(records);
  const counts = Object.entries(lists).map(([name, list]) => [name, list.length] as const);
  return Object.fromEntries([...(site ? [['site', 1] as const] : []), ...counts.filter(([, count]) => count > 0)]);
}
