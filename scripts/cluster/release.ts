import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addCommitFolder, buildScripts, removeCommitFolder, shortCommit } from '../../bench/figures/commit-folder.ts';

/** A version of Gantry that runs from a folder. */
export interface Release {
  readonly folder: string;
  readonly commit: string;
}

/** Builds this clone, and returns it as a release. */
export function thisRelease(): Release {
  buildScripts();
  return { folder: join(import.meta.dirname, '../..'), commit: shortCommit() };
}

/** Builds a commit in a temporary folder. */
export function buildRelease(from: string): Release {
  const commit = shortCommit(from);
  const folder = mkdtempSync(join(tmpdir(), 'gantry-cluster-release-'));
  process.on('exit', () => removeCommitFolder(folder));
  addCommitFolder(commit, folder);
  buildScripts(folder);
  return { folder, commit };
}
