import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A version of Gantry that runs from a folder. */
export interface Release {
  readonly folder: string;
  readonly commit: string;
}

const text = (args: readonly string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();

/** Builds this clone, and returns it as a release. */
export function thisRelease(): Release {
  buildScripts(root);
  return { folder: root, commit: text(['rev-parse', '--short', 'HEAD']) };
}

/**
 * Builds a commit in a temporary folder, with the packages of this clone for those that it needs.
 *
 * @throws Error if the clone has no such commit.
 */
export function buildRelease(from: string): Release {
  const commit = text(['rev-parse', '--short', '--verify', `${from}^{commit}`]);
  const folder = mkdtempSync(join(tmpdir(), 'gantry-cluster-release-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 2 ** 30 });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  linkPackages('node_modules', folder);
  for (const name of readdirSync(join(root, 'packages'))) {
    if (existsSync(join(folder, 'packages', name))) linkPackages(join('packages', name, 'node_modules'), folder);
  }
  buildScripts(folder);
  return { folder, commit };
}

function buildScripts(folder: string): void {
  const args = ['--conditions=@gantry/source', 'scripts/build.mjs'];
  execFileSync(process.execPath, args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
}

/** Links what is installed. The packages of the clone itself are those of the release. */
function linkPackages(path: string, folder: string): void {
  if (!existsSync(join(root, path))) return;
  mkdirSync(join(folder, path), { recursive: true });
  for (const name of readdirSync(join(root, path))) {
    const [from, to] = [join(root, path, name), join(folder, path, name)];
    if (name === '@gantry') cpSync(from, to, { recursive: true, verbatimSymlinks: true });
    else symlinkSync(from, to);
  }
}
