import { randomBytes } from 'node:crypto';
import { basename, dirname, resolve } from 'node:path';
import type { Database, Statement } from '@gantry/store';
import { SocialError } from '@gantry/wire';
import type { Passwords } from '../account/passwords.ts';
import { applyRecords } from './apply-records.ts';
import { dropLateIndexes, forgetUnindexed, hasNoLargeTables, lateSteps, makeLateIndexes } from './late-indexes.ts';
import { type LineFile, openLineFile, type Place } from './line-file.ts';
import { gather, type LineRecord, lineRecord, takesAway } from './line-record.ts';
import { forgetImport, saveImport, type UnfinishedImport, unfinishedImport } from './unfinished-import.ts';
import { notesOn } from './world-statements.ts';

export interface ImportLinesOptions {
  readonly mediaFolder: string;
  /** 32 bytes: seals consumer secrets. */
  readonly secretKey: Uint8Array;
  /** Default: a few at a time, at today's cost. */
  readonly passwords?: Passwords;
  /** Begins at the first line, whatever an unfinished import was of. */
  readonly restart?: boolean;
  readonly onProgress?: (progress: ImportProgress) => void;
  readonly now?: () => number;
  readonly random?: (bytes: number) => Uint8Array;
  /** What others keep of a member in the same database: goes with a member who is taken away. */
  readonly alsoRemove?: (member: string) => readonly Statement[];
}

export interface ImportProgress {
  /** Records stored, those of earlier runs included. */
  readonly records: number;
  /** Bytes of the file that are stored, and all. */
  readonly bytes: number;
  readonly size: number;
  /** Indexes that are made last, done and all; absent before. */
  readonly indexes?: { readonly done: number; readonly total: number };
}

export interface ImportLinesReport {
  /** Records stored, those of earlier runs included. */
  readonly records: number;
  /** The line at which this run went on, where an earlier one had stopped. */
  readonly resumedAtLine?: number;
  /** What the file says and this version leaves out, in whole sentences. */
  readonly notes: readonly string[];
}

const recordsOfTransaction = 10_000;

/** A file smaller than this is stored faster with the indexes in place. */
const largeBytes = 16 << 20;

/**
 * Loads JSON Lines of any size (contract §9), in transactions of 10,000 records, each with the place where the file goes on:
 * run again with the same file, it resumes there. Until the world is whole, `isImporting` is true.
 *
 * @throws SocialError BAD_REQUEST that names the first bad record by its line and path. What stands before it is stored.
 */
export async function importLines(db: Database, path: string, options: ImportLinesOptions): Promise<ImportLinesReport> {
  const file = await openLineFile(path);
  try {
    const begun = await begin(db, file, { name: basename(path), restart: options.restart ?? false });
    const { state, notes } = await readAll(db, { file, state: begun, folder: dirname(resolve(path)), ...options });
    await finish(db, { file, state, ...options });
    return {
      records: state.records,
      ...(begun.nextLine > 1 && { resumedAtLine: begun.nextLine }),
      notes: [...notes],
    };
  } finally {
    await file.close();
  }
}

async function begin(
  db: Database,
  { size, fingerprint }: LineFile,
  { name, restart }: { readonly name: string; readonly restart: boolean },
): Promise<UnfinishedImport> {
  const unfinished = await unfinishedImport(db);
  if (unfinished && !restart) {
    if (unfinished.fingerprint === fingerprint) return unfinished;
    throw new SocialError(
      'BAD_REQUEST',
      `The import of ${unfinished.file} stopped after ${unfinished.records} records, and this file is another or was ` +
        'changed since: import the file as it was, or begin at the first line with --restart.',
    );
  }
  const indexesLast = unfinished?.indexesLast ?? (size >= largeBytes && (await hasNoLargeTables(db)));
  const state = { file: name, fingerprint, indexesLast, nextOffset: 0, nextLine: 1, records: 0 };
  await db.batch([
    saveImport(state),
    ...(indexesLast ? dropLateIndexes : []),
    ...(unfinished?.indexesLast ? [forgetUnindexed] : []),
  ]);
  return state;
}

interface Reading extends ImportLinesOptions {
  readonly file: LineFile;
  readonly state: UnfinishedImport;
  readonly folder: string;
}

interface Placed {
  readonly line: number;
  readonly record: LineRecord;
}

async function readAll(
  db: Database,
  { file, state: begun, ...options }: Reading,
): Promise<{ readonly state: UnfinishedImport; readonly notes: ReadonlySet<string> }> {
  const { now = Date.now, random = randomBytes, onProgress = () => {} } = options;
  const notes = new Set<string>();
  let state = begun;
  let waiting: Placed[] = [];

  async function store({ offset, line }: Place): Promise<void> {
    const records = waiting.map(({ record }) => record);
    if (state.indexesLast && records.some(takesAway)) await makeIndexesNow();
    const next = { ...state, nextOffset: offset, nextLine: line, records: state.records + records.length };
    const { indexesLast } = next;
    const also = [saveImport(next)];
    const bad = await applyRecords(db, records, { ...options, indexesLast, nowMs: now(), random, also });
    if (bad) throw refused(waiting[bad.index]?.line ?? 0, bad.problem);
    for (const note of notesOn(gather(records))) notes.add(note);
    state = next;
    waiting = [];
    onProgress({ records: state.records, bytes: offset, size: file.size });
  }

  // The rows of one member are found through the indexes.
  async function makeIndexesNow(): Promise<void> {
    await makeLateIndexes(db, () => {});
    state = { ...state, indexesLast: false };
  }

  let last: Place = { offset: begun.nextOffset, line: begun.nextLine };
  for await (const { values, after } of file.read(last)) {
    for (const { line, value } of values) {
      const record = lineRecord(value);
      if ('problem' in record) throw refused(line, record.problem.join(' '));
      // Of one transaction removals come first, so what stands before one is stored before.
      const before = waiting.at(-1)?.record;
      const isLate = takesAway(record) && before !== undefined && !takesAway(before);
      if (waiting.length === recordsOfTransaction || isLate) await store(after(line - 1));
      waiting.push({ line, record });
    }
    last = after(values.at(-1)?.line ?? last.line - 1);
  }
  if (waiting.length > 0) await store(last);
  return { state, notes };
}

async function finish(
  db: Database,
  { state, file, onProgress = () => {} }: Pick<Reading, 'state' | 'file' | 'onProgress'>,
): Promise<void> {
  const { records } = state;
  if (state.indexesLast) {
    const told = (done: number) =>
      onProgress({ records, bytes: file.size, size: file.size, indexes: { done, total: lateSteps } });
    told(0);
    await makeLateIndexes(db, told);
  }
  await db.query(forgetImport);
}

function refused(line: number, problem: string): SocialError {
  return new SocialError('BAD_REQUEST', `Line ${line}: ${problem}.`);
}
