// Packages that only one command needs, in a folder of their own: `npm ci` does not grow by them.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail, root, run } from './prepare.mjs';

const quiet = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];

/** Installs tools/NAME from its lock file, unless it is there, and returns the folder. */
export function installTools(name, { env = process.env } = {}) {
  const folder = join(root, 'tools', name);
  const lock = readFileSync(join(folder, 'package-lock.json'));
  const mark = join(folder, 'node_modules/.gantry-lock');
  const digest = createHash('sha256').update(lock).digest('hex');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === digest) return folder;
  console.error(`Installing tools/${name} (once, about ten seconds) …`);
  npm(['ci'], { cwd: folder, env });
  writeFileSync(mark, digest);
  return folder;
}

/** Runs npm without a word, or ends this process. */
export function npm(command, { cwd, env }) {
  if (run('npm', [...command, ...quiet], { cwd, env }) !== 0) fail('npm could not install: see the lines above.');
}
