import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '../..');

/** Programs that try this folder's files, with their Debian packages. */
const programs = {
  'systemd-analyze': ['systemd'],
  caddy: ['caddy'],
  go: ['golang-go', 'golang-github-masterminds-sprig-dev', 'golang-k8s-sigs-yaml-dev'],
};

/** Installs them from Debian, and linters from npm. */
export async function prepare({ env }: { readonly env: NodeJS.ProcessEnv }): Promise<void> {
  const missing = Object.entries(programs).filter(([program]) => !isOnPath(program, env));
  if (missing.length > 0) {
    const packages = missing.flatMap(([, names]) => names);
    await run(process.execPath, [join(root, 'scripts/debian.mjs'), ...packages], root);
  }
  await run('npm', ['ci', '--silent', '--no-audit', '--no-fund'], join(root, 'tools/deployment'));
}

function isOnPath(program: string, env: NodeJS.ProcessEnv): boolean {
  return (env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));
}

async function run(program: string, args: readonly string[], cwd: string): Promise<void> {
  await promisify(execFile)(program, args, { cwd }).catch((error: Error & { stderr?: string }) => {
    throw new Error(error.stderr?.trim() || error.message);
  });
}
