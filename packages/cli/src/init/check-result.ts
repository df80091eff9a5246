import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { startWarnings } from '@gantry/server';
import { checkApp } from '../app-check/check-app.ts';
import type { Plan } from './plan.ts';
import { starterFolder, starters } from './starter-gadgets.ts';

/**
 * Checks everything that needs no running site: the gadgets' folders, the data folder, and the
 * syntax of changed scripts.
 *
 * @returns One line for each problem.
 */
export async function checkResult(
  folder: string,
  { data, changes }: Pick<Plan, 'data' | 'changes'>,
): Promise<readonly string[]> {
  const apps = await Promise.all(starters.map((id) => checkApp(join(folder, starterFolder(id)))));
  return [
    ...apps.flatMap(({ findings }) => findings.filter(({ level }) => level === 'error').map(({ what }) => what)),
    ...startWarnings({ data }),
    ...changes.flatMap(({ path }) => syntaxProblem(folder, path)),
  ];
}

/** Returns whether the project's own code cannot import `@gantry/server` yet. */
export function lacksServer(folder: string): boolean {
  try {
    createRequire(join(folder, 'package.json')).resolve('@gantry/server');
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND';
  }
}

/** Checks a script's syntax with Node, without running it. */
function syntaxProblem(folder: string, path: string): readonly string[] {
  if (!/\.[mc]?js$/.test(path) || path.startsWith('gadgets/')) return [];
  const { status, stderr } = spawnSync(process.execPath, ['--check', join(folder, path)], { encoding: 'utf8' });
  if (status === 0) return [];
  const problem = /^\w*Error: .*$/m.exec(stderr)?.[0] ?? 'Node cannot read it';
  return [`${path}: ${problem}`];
}
