import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { UsageError } from '@gantry/server';
import type { Change } from './change.ts';

/** Written files, which can be restored if a later step fails. */
export interface Written {
  /** Restores all files. */
  undo(): void;
}

/**
 * Writes all changes or none. Each file is written under a temporary name, then renamed.
 *
 * @throws UsageError for a file that changed since the plan; Error that names a file that cannot be
 * written. Nothing is changed then.
 */
export function writeChanges(folder: string, changes: readonly Change[]): Written {
  const undone: (() => void)[] = [];
  const undo = () => {
    for (const step of undone.splice(0).reverse()) step();
  };
  let path = '';
  try {
    const drafts = changes.map((change) => {
      path = change.path;
      return prepare(folder, change, undone);
    });
    for (const [index, change] of changes.entries()) {
      path = change.path;
      const target = resolve(folder, change.path);
      checkUnchanged(folder, change); // again: the file may have been saved during the question
      const draft = drafts[index] as string;
      const original = change.before === undefined ? undefined : readFileSync(target);
      const mode = original && statSync(target).mode & 0o7777;
      renameSync(draft, target);
      undone.push(() => {
        if (original === undefined) rmSync(target, { force: true });
        else restore(target, original, mode as number);
      });
    }
  } catch (error) {
    undo();
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new Error(`${path} cannot be written (${code}). Nothing was changed.`, { cause: error });
  }
  return { undo };
}

/** Writes the draft beside its target, and returns its path. */
function prepare(folder: string, change: Change, undone: (() => void)[]): string {
  checkUnchanged(folder, change);
  const target = resolve(folder, change.path);
  makeFolders(folder, dirname(target), undone, change.isSecret === true);
  const mode = change.isSecret ? 0o600 : change.before === undefined ? 0o666 : statSync(target).mode & 0o7777;
  const draft = draftOf(target);
  writeFileSync(draft, change.after, { flag: 'wx', mode: change.isSecret ? 0o600 : 0o666 });
  undone.push(() => rmSync(draft, { force: true }));
  if (change.before !== undefined || change.isSecret) chmodSync(draft, mode);
  return draft;
}

function restore(target: string, original: Buffer, mode: number): void {
  const draft = draftOf(target);
  writeFileSync(draft, original, { flag: 'wx', mode });
  chmodSync(draft, mode);
  renameSync(draft, target);
}

function draftOf(target: string): string {
  return join(dirname(target), `.gantry-new-${randomBytes(6).toString('hex')}`);
}

/**
 * Checks that a file is as planned.
 *
 * @throws UsageError if its content differs or a part of its path is a symbolic link.
 */
function checkUnchanged(folder: string, { path, before }: Change): void {
  const target = resolve(folder, path);
  const way = relative(folder, target);
  if (!way.startsWith('..')) {
    const parts = way.split(sep);
    for (const [index] of parts.entries()) {
      const part = join(folder, ...parts.slice(0, index + 1));
      if (lstatSync(part, { throwIfNoEntry: false })?.isSymbolicLink()) {
        throw new UsageError(
          `${relative(folder, part)} is a symbolic link, which is not followed. Nothing was changed.`,
        );
      }
    }
  }
  const facts = lstatSync(target, { throwIfNoEntry: false });
  const isSame =
    before === undefined ? facts === undefined : facts?.isFile() && readFileSync(target, 'utf8') === before;
  if (!isSame) throw new UsageError(`${path} was changed meanwhile. Nothing was written; run the command again.`);
}

/** Creates missing folders, to be removed by an undo. */
function makeFolders(folder: string, path: string, undone: (() => void)[], isPrivate: boolean): void {
  if (path === folder || lstatSync(path, { throwIfNoEntry: false })) return;
  makeFolders(folder, dirname(path), undone, isPrivate);
  mkdirSync(path, { mode: isPrivate ? 0o700 : 0o777 });
  undone.push(() => {
    try {
      rmdirSync(path);
    } catch {
      // no longer empty
    }
  });
}
