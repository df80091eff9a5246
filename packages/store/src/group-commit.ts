import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import type { Row } from './database.ts';
import type { Statement } from './sql.ts';

export interface GroupCommitOptions {
  readonly handle: DatabaseSync;
  /** Runs one statement on `handle`. */
  readonly run: (statement: Statement) => Row[];
  /** True for an error that passes when another process lets go of its lock. */
  readonly isLocked: (error: unknown) => boolean;
  /** How long a write waits for such a lock, and between tries. */
  readonly lockTimeoutMs: number;
  readonly retryMs: number;
}

export interface GroupCommit {
  /** Runs the statements as one transaction: all of them, or none. Resolves when they are on disk; rejects with the driver's error. */
  write(statements: readonly Statement[]): Promise<Row[][]>;
  /** Resolves once no write waits any more. */
  settled(): Promise<void>;
}

/** One who waits for a write. */
interface Writer {
  readonly statements: readonly Statement[];
  /** Statements and values, each about as much work. */
  readonly steps: number;
  /** Length of all texts and bytes among the values. */
  readonly size: number;
  readonly resolve: (rows: Row[][]) => void;
  readonly reject: (error: unknown) => void;
  waitedMs: number;
}

type Outcome = { readonly rows: Row[][] } | { readonly error: unknown };

// What comes meanwhile waits, reads too: a few milliseconds of work. A write of more than this is a group by itself.
const mostWriters = 64;
const mostSteps = 4_000;
const mostSize = 1_000_000;

/**
 * Commits writes that wait at the same time as one transaction, so that they share one disk sync. Each has a savepoint of its
 * own, and none is acknowledged before the commit is on disk. The design is docs/decisions/0012-group-commit.md.
 */
export function createGroupCommit(options: GroupCommitOptions): GroupCommit {
  const { handle, isLocked, lockTimeoutMs, retryMs } = options;
  let waiting: Writer[] = [];
  let working: Promise<void> | undefined;

  async function work(): Promise<void> {
    while (waiting.length > 0) {
      await turn(); // every request that has already arrived gets to its write
      const group = waiting.splice(0, sizeOfGroup(waiting));
      const outcomes = commitGroup(options, group);
      const locked = group.filter((writer, index) => !settle(writer, outcomes[index] as Outcome));
      if (locked.length === 0) continue;
      waiting = [...locked, ...waiting];
      await pause(retryMs);
    }
    working = undefined;
  }

  /** Answers one writer; false if it goes on waiting for a lock. Repeating is safe: what was refused has done nothing. */
  function settle(writer: Writer, outcome: Outcome): boolean {
    if ('rows' in outcome) {
      writer.resolve(outcome.rows);
      return true;
    }
    if (isLocked(outcome.error) && writer.waitedMs < lockTimeoutMs && handle.isOpen) {
      writer.waitedMs += 2 * retryMs; // SQLite itself has waited as long
      return false;
    }
    writer.reject(outcome.error);
    return true;
  }

  return {
    write: (statements) =>
      new Promise((resolve, reject) => {
        waiting.push({ statements, ...workOf(statements), resolve, reject, waitedMs: 0 });
        working ??= work();
      }),
    settled: async () => working,
  };
}

/** How many of the first writers share a commit: as many as their work allows, so that reads get their turn between groups. */
function sizeOfGroup(waiting: readonly Writer[]): number {
  let [writers, steps, size] = [0, 0, 0];
  for (const writer of waiting) {
    steps += writer.steps;
    size += writer.size;
    if (writers > 0 && (writers === mostWriters || steps > mostSteps || size > mostSize)) break;
    writers++;
  }
  return writers;
}

function workOf(statements: readonly Statement[]): Pick<Writer, 'steps' | 'size'> {
  let [steps, size] = [0, 0];
  for (const { values } of statements) {
    steps += 1 + values.length;
    for (const value of values) if (typeof value === 'string' || value instanceof Uint8Array) size += value.length;
  }
  return { steps, size };
}

/** Answers an outcome for each writer, in order. Where it says `rows`, they are on disk. */
function commitGroup(options: GroupCommitOptions, group: readonly Writer[]): Outcome[] {
  if (group.length === 1) return group.map((writer) => commitAlone(options, writer));
  const { handle, run } = options;
  try {
    handle.exec('begin immediate');
  } catch (error) {
    return group.map(() => ({ error }));
  }
  try {
    const outcomes = group.map(({ statements }) => attempt(handle, () => statements.map(run)));
    handle.exec('commit');
    return outcomes;
  } catch {
    rollBack(handle);
    // Nothing of the group is there, because of one of them: a disk too full for it may have room for the others.
    return group.map((writer) => commitAlone(options, writer));
  }
}

/** Undoes one writer's part if it fails. Throws if the transaction as a whole is gone. */
function attempt(handle: DatabaseSync, work: () => Row[][]): Outcome {
  handle.exec('savepoint writer');
  try {
    const rows = work();
    handle.exec('release writer');
    return { rows };
  } catch (error) {
    handle.exec('rollback to writer'); // throws where SQLite has rolled back everything
    handle.exec('release writer');
    return { error };
  }
}

function commitAlone({ handle, run }: GroupCommitOptions, { statements }: Writer): Outcome {
  try {
    return { rows: statements.length === 1 ? statements.map(run) : transact(handle, () => statements.map(run)) };
  } catch (error) {
    return { error };
  }
}

/** Runs work between `begin` and `commit`. */
export function transact<T>(handle: DatabaseSync, work: () => T, mode: 'immediate' | 'deferred' = 'immediate'): T {
  handle.exec(`begin ${mode}`);
  try {
    const result = work();
    handle.exec('commit');
    return result;
  } catch (error) {
    rollBack(handle);
    throw error;
  }
}

function rollBack(handle: DatabaseSync): void {
  if (handle.isTransaction) handle.exec('rollback'); // a full disk has already rolled it back
}
