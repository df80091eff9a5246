import type { Database } from '@gantry/store';
import { applyRecords } from './apply-records.ts';
import { gather, type LineRecord, lineRecord } from './line-record.ts';
import { refuseDuringImport } from './unfinished-import.ts';
import type { StoreOptions } from './world-statements.ts';

/** Numbers of what was stored, by list: `members`, `friendships`, `removed` and so on. */
export interface SavedRecords {
  readonly records: number;
  readonly counts: Readonly<Record<string, number>>;
}

export interface RecordProblem {
  /** Of the record, from 0. */
  readonly index: number;
  /** A sentence without its end. */
  readonly message: string;
}

/** At most so many problems are reported; the records after them are not looked at. */
const mostProblems = 20;

/**
 * Checks records and stores them as one transaction: all of them, or none (contract §9).
 *
 * @returns What was stored, or what is wrong with the records.
 * @throws SocialError UNAVAILABLE during an import.
 */
export async function saveRecords(
  db: Database,
  inputs: readonly unknown[],
  options: StoreOptions,
): Promise<SavedRecords | { readonly problems: readonly RecordProblem[] }> {
  const records: LineRecord[] = [];
  const problems: RecordProblem[] = [];
  for (const [index, input] of inputs.entries()) {
    const record = lineRecord(input);
    if (!('problem' in record)) records.push(record);
    else if (problems.push({ index, message: record.problem.join(' ') }) === mostProblems) break;
  }
  if (problems.length > 0) return { problems };
  const withFile = records.findIndex(({ list, record }) => list === 'mediaItems' && record.file !== undefined);
  if (withFile >= 0) {
    return { problems: [{ index: withFile, message: 'mediaItem.file is for files: give its url' }] };
  }
  await refuseDuringImport(db);
  const bad = await applyRecords(db, records, options);
  if (bad) return { problems: [{ index: bad.index, message: bad.problem }] };
  return { records: records.length, counts: countsOf(records) };
}

function countsOf(records: readonly LineRecord[]): Readonly<Record<string, number>> {
  const { site, ...lists } = gather(records);
  const counts = Object.entries(lists).map(([name, list]) => [name, list.length] as const);
  return Object.fromEntries([...(site ? [['site', 1] as const] : []), ...counts.filter(([, count]) => count > 0)]);
}
