import { randomBytes } from 'node:crypto';
import { basename, dirname, resolve } from 'node:path';
import type { Database } from '@gantry/store';
import { SocialError } from '@gantry/wire';
import {
  createDeferredIndexes,
  deferredIndexCount,
  deleteUnindexedFriendships,
  dropDeferredIndexes,
  hasNoLargeTables,
} from '../store/deferred-indexes.ts';
import { applyRecords } from './apply-records.ts';
import { createKnownMembers } from './known-members.ts';
import { type LineFile, type LinePosition, openLineFile } from './line-file.ts';
import { badLine, groupRecords, isDeletion, type LineRecord, recordOfLine } from './line-record.ts';
import { importNotes, type StorageOptions } from './store-world.ts';
import { findUnfinishedImport, forgetImport, saveImport, type UnfinishedImport } from './unfinished-import.ts';

export interface ImportLinesOptions extends StorageOptions {
  /** Starts at the first line instead of resuming an unfinished import. */
  readonly restart?: boolean;
  readonly onProgress?: (progress: ImportProgress) => void;
  readonly now?: () => number;
  readonly random?: (bytes: number) => Uint8Array;
}

export interface ImportProgress {
  /** Records stored, including earlier runs. */
  readonly records: number;
  /** Bytes of the file that are stored, and its size. */
  readonly bytes: number;
  readonly size: number;
  /** Deferred indexes created and in total; absent before that phase. */
  readonly indexes?: { readonly done: number; readonly total: number };
}

export interface ImportLinesReport {
  readonly records: number;
  /** Line at which this run resumed an earlier one. */
  readonly resumedAtLine?: number;
  /** Parts of the file that this version ignores, as whole sentences. */
  readonly notes: readonly string[];
}

interface NumberedRecord {
  readonly line: number;
  readonly record: LineRecord;
}

const recordsOfTransaction = 10_000;

/** Smaller files are stored faster with the indexes in place. */
const largeBytes = 16 << 20;

/**
 * Imports JSON Lines of any size (contract §9), in transactions of 10,000 records. Each stores the
 * position to resume at if the same file is imported again. While the database runs one, the
 * records of the next are read. Until the import is complete, `isImporting` returns true.
 *
 * @throws SocialError BAD_REQUEST that names the first bad record by its line and path. Records
 * before it stay stored.
 */
export async function importLines(db: Database, path: string, options: ImportLinesOptions): Promise<ImportLinesReport> {
  const { now = Date.now, random = randomBytes, onProgress = () => {} } = options;
  const file = await openLineFile(path);
  const { size } = file;
  try {
    const begun = await begin(db, file, { name: basename(path), restart: options.restart ?? false });
    const notes = new Set<string>();
    const known = createKnownMembers(db);
    let state = begun;
    let waiting: NumberedRecord[] = [];
    let storing = Promise.resolve();

    /** Stores what waits, while the next records are read. */
    async function storeWaiting(position: LinePosition): Promise<void> {
      await storing;
      storing = store(waiting, position);
      storing.catch(() => {}); // is thrown when it is awaited
      waiting = [];
    }

    async function store(numbered: readonly NumberedRecord[], { offset, line }: LinePosition): Promise<void> {
      const records = numbered.map(({ record }) => record);
      if (state.indexesLast && records.some(isDeletion)) {
        await createDeferredIndexes(db, () => {}); // removals find the rows of a member through them
        state = { ...state, indexesLast: false };
      }
      const next = { ...state, nextOffset: offset, nextLine: line, records: state.records + records.length };
      const { indexesLast } = next;
      const storage = { ...options, folder: dirname(resolve(path)), nowMs: now(), random };
      const { batch, guard } = indexesLast ? await known.batchFor(records) : { batch: db.batch, guard: [] };
      const bad = await applyRecords(db, records, {
        ...storage,
        indexesLast,
        batch,
        also: [saveImport(next), ...guard],
      });
      if (bad) throw badLine(numbered[bad.index]?.line ?? 0, bad.problem);
      for (const note of importNotes(groupRecords(records))) notes.add(note);
      known.add(records);
      state = next;
      onProgress({ records: state.records, bytes: offset, size });
    }

    let last: LinePosition = { offset: begun.nextOffset, line: begun.nextLine };
    try {
      for await (const { values, after } of file.read(last)) {
        for (const { line, value } of values) {
          const record = recordOfLine(line, value);
          // A transaction runs removals first, so records that precede one are stored before.
          const before = waiting.at(-1)?.record;
          const isLate = isDeletion(record) && before !== undefined && !isDeletion(before);
          if (waiting.length === recordsOfTransaction || isLate) await storeWaiting(after(line - 1));
          waiting.push({ line, record });
        }
        last = after(values.at(-1)?.line ?? last.line - 1);
      }
      if (waiting.length > 0) await storeWaiting(last);
    } finally {
      await storing; // its fault, which has an earlier line, comes first
    }
    const { records, indexesLast } = state;
    if (indexesLast) {
      const report = (done: number) =>
        onProgress({ records, bytes: size, size, indexes: { done, total: deferredIndexCount } });
      report(0);
      await createDeferredIndexes(db, report);
    }
    await db.query(forgetImport);
    return { records, ...(begun.nextLine > 1 && { resumedAtLine: begun.nextLine }), notes: [...notes] };
  } finally {
    await file.close();
  }
}

async function begin(
  db: Database,
  { size, fingerprint }: LineFile,
  { name, restart }: { readonly name: string; readonly restart: boolean },
): Promise<UnfinishedImport> {
  const unfinished = await findUnfinishedImport(db);
  if (unfinished && !restart) {
    if (unfinished.fingerprint === fingerprint) return unfinished;
    throw new SocialError(
      'BAD_REQUEST',
      `The import of ${unfinished.file} stopped after ${unfinished.records} records, and this file is another or ` +
        'changed since: import the unchanged file, or start at the first line with --restart.',
    );
  }
  const indexesLast = unfinished?.indexesLast ?? (size >= largeBytes && (await hasNoLargeTables(db)));
  const state = { file: name, fingerprint, indexesLast, nextOffset: 0, nextLine: 1, records: 0 };
  await db.batch([
    saveImport(state),
    ...(indexesLast ? dropDeferredIndexes : []),
    ...(unfinished?.indexesLast ? [deleteUnindexedFriendships] : []),
  ]);
  return state;
}
