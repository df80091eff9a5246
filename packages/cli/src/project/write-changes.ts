import { randomBytes } from 'node:crypto';
import { chmodSync, lstatSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { UsageError } from '@gantry/server';
import { makeFolder } from 'create-gantry';
import type { Change } from './change.ts';

/**
 * Writes all changes or none. Each file is written under a temporary name, then renamed.
 *
 * @returns Restores all files, in case a later step fails.
 * @throws UsageError for a file that changed since the plan; Error that names a file that cannot be
 * written. Nothing is changed then.
 */
export function writeChanges(folder: string, changes: readonly Change[]): () => void {
  const undone: (() => void)[] = [];
  const undo = () => {
    for (const step of undone.splice(0).reverse()) step();
  };
  let path = '';
  try {
    const drafts = changes.map((change) => {
      path = change.path;
      return writeDraft(folder, change, undone);
    });
    for (const draft of drafts) {
      path = draft.path;
      draft.rename();
    }
  } catch (error) {
    undo();
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new Error(`${path} cannot be written (${code}). Nothing was changed.`, { cause: error });
  }
  return undo;
}

/** Writes the new text beside its target. */
function writeDraft(folder: string, change: Change, undone: (() => void)[]) {
  checkUnchanged(folder, change);
  const target = resolve(folder, change.path);
  const { before, after, isSecret } = change;
  makeFolder(dirname(target), undone, isSecret ? 0o700 : 0o777);
  const draft = join(dirname(target), `.gantry-new-${randomBytes(6).toString('hex')}`);
  undone.push(() => rmSync(draft, { force: true }));
  write(draft, after, isSecret ? 0o600 : before === undefined ? undefined : modeOf(target));
  return {
    path: change.path,
    rename(): void {
      checkUnchanged(folder, change); // again: the file may have been saved during the question
      const original = before === undefined ? undefined : { content: readFileSync(target), mode: modeOf(target) };
      renameSync(draft, target);
      undone.push(() => {
        if (!original) return rmSync(target, { force: true });
        write(draft, original.content, original.mode);
        renameSync(draft, target);
      });
    },
  };
}

function modeOf(path: string): number {
  return statSync(path).mode & 0o7777;
}

/** Writes a new file. Without a mode it gets that of new files. */
function write(path: string, content: string | Buffer, mode?: number): void {
  writeFileSync(path, content, { flag: 'wx', mode: mode ?? 0o666 });
  if (mode !== undefined) chmodSync(path, mode); // the umask may have narrowed it
}

/** Checks that a file is as planned. @throws UsageError if it differs or is a symbolic link. */
function checkUnchanged(folder: string, { path, before }: Change): void {
  const target = resolve(folder, path);
  const way = relative(folder, target);
  const parts = way.startsWith('..') ? [] : way.split(sep);
  const link = parts
    .map((_, index) => parts.slice(0, index + 1).join(sep))
    .find((part) => lstatSync(join(folder, part), { throwIfNoEntry: false })?.isSymbolicLink());
  if (link) throw new UsageError(`${link} is a symbolic link, which is not followed. Nothing was changed.`);
  const facts = lstatSync(target, { throwIfNoEntry: false });
  const isSame =
    before === undefined ? facts === undefined : facts?.isFile() && readFileSync(target, 'utf8') === before;
  if (!isSame) throw new UsageError(`${path} was changed meanwhile. Nothing was written; run the command again.`);
}
