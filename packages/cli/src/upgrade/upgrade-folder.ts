import type { Change } from '../project/change.ts';
import { type Project, readProject } from '../project/project.ts';
import { showDiff } from '../project/show-diff.ts';
import { writeChanges } from '../project/write-changes.ts';
import { NotWritten, type Output } from '../terminal/output.ts';
import type { Codemod, UpgradeSettings } from './codemod.ts';

export interface UpgradeOptions {
  /** Absolute path of an app's folder, or of a folder with several. */
  readonly folder: string;
  readonly codemods: readonly Codemod[];
  readonly settings: UpgradeSettings;
  /** `check` writes nothing, and fails if there is something to change. */
  readonly mode: 'ask' | 'write' | 'check';
  readonly json: boolean;
  /** Asks for confirmation; absent without a terminal. */
  readonly ask?: ((question: string) => Promise<boolean>) | undefined;
  readonly output: Output;
}

/**
 * Runs the codemods on a folder: shows all changes as one diff, asks, and writes all or none.
 *
 * @throws NotWritten without confirmation; Error if `check` found changes, or some are left to do
 * by hand.
 */
export async function upgradeFolder(options: UpgradeOptions): Promise<void> {
  const { folder, codemods, settings, mode, json, ask, output } = options;
  const { changes, problems, applied } = planAll(readProject(folder), codemods, settings);
  const say = json ? () => {} : output.out;

  if (changes.length > 0) {
    say(showDiff(changes));
    for (const { name, summary } of codemods) if (applied.includes(name)) say(`${name}: ${summary}.`);
  }
  const isWanted =
    changes.length > 0 &&
    (mode === 'write' || (mode === 'ask' && (await ask?.(`Write ${changes.length} files?`)) === true));
  if (isWanted) writeChanges(folder, changes);
  const files = changes.map(({ path }) => path);
  if (json) output.out(JSON.stringify({ changes: files, codemods: applied, problems, written: isWanted }));
  for (const line of problems) output.err(line);
  if (changes.length === 0) say(problems.length > 0 ? 'Nothing could be changed.' : 'Nothing to do.');
  else if (isWanted) say(`Written: ${changes.length} files.`);
  else if (mode === 'check') throw new Error(`To be upgraded: ${changes.length} files.`);
  else throw new NotWritten('Nothing was written: --yes writes it.');
  if (problems.length > 0) throw new Error(`Not done: ${problems.length}.`);
}

/** Plans each codemod on the result of those before it, and returns one change for each file. */
function planAll(project: Project, codemods: readonly Codemod[], settings: UpgradeSettings) {
  const changed = new Map<string, Change>();
  const problems: string[] = [];
  const applied: string[] = [];
  const current: Project = { ...project, read: (path) => changed.get(path)?.after ?? project.read(path) };
  for (const { name, plan } of codemods) {
    const found = plan(current, settings);
    problems.push(...found.problems);
    if (found.changes.length > 0) applied.push(name);
    for (const change of found.changes) {
      const earlier = changed.get(change.path);
      changed.set(change.path, earlier ? { ...earlier, after: change.after } : change);
    }
  }
  return { changes: [...changed.values()], problems, applied };
}
