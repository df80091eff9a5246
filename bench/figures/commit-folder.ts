import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();

/** Returns the short name of a commit. @throws Error if the clone has no such commit. */
export function shortCommit(ref = 'HEAD'): string {
  return git('rev-parse', '--short', '--verify', `${ref}^{commit}`);
}

/** Checks a commit out into a new folder, with the packages of this clone if locks agree. */
export function addCommitFolder(commit: string, folder: string): void {
  git('worktree', 'add', '--quiet', '--detach', folder, commit);
  const [ours, theirs] = [root, folder].map((one) => readFileSync(join(one, 'package-lock.json'), 'utf8'));
  if (ours === theirs) linkPackages(folder);
  else execFileSync('npm', ['ci', '--loglevel=error', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'inherit' });
}

/** Removes a folder of {@link addCommitFolder}, finished or not. */
export function removeCommitFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  git('worktree', 'prune');
}

export function buildScripts(folder = root): void {
  execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
}

/** Links all packages but ours, which are links to folders of their own clone. */
function linkPackages(folder: string): void {
  const workspaces = readdirSync(join(folder, 'packages')).map((name) => `packages/${name}`);
  for (const place of ['.', ...workspaces]) {
    const from = join(root, place, 'node_modules');
    if (!existsSync(from)) continue;
    const to = join(folder, place, 'node_modules');
    mkdirSync(to);
    for (const entry of readdirSync(from, { withFileTypes: true })) {
      const [source, target] = [join(from, entry.name), join(to, entry.name)];
      const isOurs = entry.isSymbolicLink() || entry.name === '@gantry' || entry.name.startsWith('.');
      if (isOurs) cpSync(source, target, { recursive: true, verbatimSymlinks: true });
      else symlinkSync(source, target);
    }
  }
}
