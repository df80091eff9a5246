import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import type { Row } from './database.ts';
import type { Statement } from './sql.ts';

export interface GroupCommitOptions {
  readonly handle: DatabaseSync;
  readonly run: (statement: Statement) => Row[];
  /** Returns true for an error that ends when another process releases its lock. */
  readonly isLocked: (error: unknown) => boolean;
  /** Longest wait of a write for such a lock, and the wait between attempts. */
  readonly lockTimeoutMs: number;
  readonly retryMs: number;
}

interface PendingWrite {
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

// A group blocks the event loop for a few milliseconds. A larger write is a group by itself.
const mostWriters = 64;
const mostSteps = 4_000;
const mostSize = 1_000_000;

/**
 * Commits concurrent writes as one transaction, so that they share one disk sync. Each has a
 * savepoint of its own, and none is acknowledged before the commit is on disk
 * (docs/decisions/0012-group-commit.md).
 */
export function createGroupCommit(options: GroupCommitOptions) {
  const { handle, isLocked, lockTimeoutMs, retryMs } = options;
  let waiting: PendingWrite[] = [];
  let working: Promise<void> | undefined;

  async function work(): Promise<void> {
    while (waiting.length > 0) {
      await turn(); // lets pending requests reach their writes
      const group = waiting.splice(0, sizeOfGroup(waiting));
      const outcomes = commitGroup(options, group);
      const locked = group.filter((write, index) => !settle(write, outcomes[index] as Outcome));
      if (locked.length === 0) continue;
      waiting = [...locked, ...waiting];
      await pause(retryMs);
    }
    working = undefined;
  }

  /** Settles one write; returns false to repeat one that found the database locked. */
  function settle(write: PendingWrite, outcome: Outcome): boolean {
    if ('rows' in outcome) {
      write.resolve(outcome.rows);
      return true;
    }
    if (isLocked(outcome.error) && write.waitedMs < lockTimeoutMs && handle.isOpen) {
      write.waitedMs += 2 * retryMs; // SQLite's own wait doubles it
      return false;
    }
    write.reject(outcome.error);
    return true;
  }

  return {
    /** Runs the statements as one transaction. Resolves when on disk; rejects with its error. */
    write: (statements: readonly Statement[]): Promise<Row[][]> =>
      new Promise((resolve, reject) => {
        waiting.push({ statements, ...workOf(statements), resolve, reject, waitedMs: 0 });
        working ??= work();
      }),
    /** Resolves when no write is pending. */
    settled: async (): Promise<void> => working,
  };
}

/** Returns how many of the first writes share a commit, so that reads run between groups. */
function sizeOfGroup(waiting: readonly PendingWrite[]): number {
  let [writers, steps, size] = [0, 0, 0];
  for (const write of waiting) {
    steps += write.steps;
    size += write.size;
    if (writers > 0 && (writers === mostWriters || steps > mostSteps || size > mostSize)) break;
    writers++;
  }
  return writers;
}

function workOf(statements: readonly Statement[]): Pick<PendingWrite, 'steps' | 'size'> {
  let [steps, size] = [0, 0];
  for (const { values } of statements) {
    steps += 1 + values.length;
    for (const value of values) if (typeof value === 'string' || value instanceof Uint8Array) size += value.length;
  }
  return { steps, size };
}

/** Returns the outcome of each write, in order. Those with `rows` are on disk. */
function commitGroup(options: GroupCommitOptions, group: readonly PendingWrite[]): Outcome[] {
  if (group.length === 1) return group.map((write) => commitAlone(options, write));
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
    // One write undid the whole group: a disk too full for it may have room for the others.
    return group.map((write) => commitAlone(options, write));
  }
}

/** Rolls one write back if it fails. Throws if the whole transaction was rolled back. */
function attempt(handle: DatabaseSync, work: () => Row[][]): Outcome {
  handle.exec('savepoint writer');
  try {
    const rows = work();
    handle.exec('release writer');
    return { rows };
  } catch (error) {
    handle.exec('rollback to writer'); // throws if SQLite rolled back everything
    handle.exec('release writer');
    return { error };
  }
}

function commitAlone({ handle, run }: GroupCommitOptions, { statements }: PendingWrite): Outcome {
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
  if (handle.isTransaction) handle.exec('rollback'); // a full disk rolled it back already
}
