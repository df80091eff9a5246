import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '@gantry/server';
import type { Change } from './plan.ts';
import type { Project } from './project.ts';

/** Words that each file of ours has, so that a later run knows it again. */
export const mark = 'Made by gantry init';

/**
 * Plans a file of ours. One that an earlier run made stays as it is, however it was changed since.
 *
 * @param options.isOurs Tells whether a file that is there is one of an earlier run. Default: it has the mark.
 * @throws UsageError where something else has the name.
 */
export function madeFile(
  { folder, read }: Project,
  path: string,
  after: string,
  { isOurs = (text: string) => text.includes(mark), isSecret = false } = {},
): Change {
  const before = read(path);
  if (before !== undefined && (before === after || isOurs(before))) return { path, before, after: before, isSecret };
  if (before === undefined && lstatSync(join(folder, path), { throwIfNoEntry: false }) === undefined) {
    return { path, after, isSecret };
  }
  throw new UsageError(`${path} is there and is not by gantry init: give it another name first.`);
}

/**
 * Refuses to change a file that lies behind a symbolic link, or that is no text.
 *
 * @throws UsageError naming the file.
 */
export function refuseUnreadable({ folder, read }: Project, path: string): void {
  const facts = lstatSync(join(folder, path), { throwIfNoEntry: false });
  if (facts === undefined || read(path) !== undefined) return;
  const why = facts.isSymbolicLink() ? 'is a symbolic link, which is not followed' : 'is not a file of UTF-8 text';
  throw new UsageError(`${path} ${why}. Make it a file of the project first.`);
}
