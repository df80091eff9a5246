import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '@gantry/server';
import type { Change } from '../project/change.ts';
import type { Project } from '../project/project.ts';

/** Text in each generated file, by which a later run recognizes it. */
export const mark = 'Made by gantry init';

/**
 * Plans a generated file. One that an earlier run wrote stays, even if it was changed since.
 *
 * @param options.isOurs Recognizes a file of an earlier run. Default: it has the mark.
 * @throws UsageError if another file has the name.
 */
export function generatedFile(
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
  throw new UsageError(`${path} exists and was not written by gantry init: rename it first.`);
}

/** Refuses a file that is a symbolic link or not text. @throws UsageError that names the file. */
export function refuseUnreadable({ folder, read }: Project, path: string): void {
  const facts = lstatSync(join(folder, path), { throwIfNoEntry: false });
  if (facts === undefined || read(path) !== undefined) return;
  const why = facts.isSymbolicLink() ? 'is a symbolic link, which is not followed' : 'is not a file of UTF-8 text';
  throw new UsageError(`${path} ${why}. Make it a file of the project first.`);
}

/** Quotes a text in single quotes, for JavaScript and PHP. */
export function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
