import { createRequire } from 'node:module';
import { join } from 'node:path';
import { startWarnings } from '@gantry/server';
import { checkApp } from '../app-check/check-app.ts';
import type { Plan } from './plan.ts';
import { starterFolder, starters } from './starter-gadgets.ts';

/** Checks the folders of gadgets and data, without a running site. @returns A line a problem. */
export async function checkResult(folder: string, { data }: Pick<Plan, 'data'>): Promise<readonly string[]> {
  const apps = await Promise.all(starters.map((id) => checkApp(join(folder, starterFolder(id)))));
  return [
    ...apps.flatMap(({ findings }) => findings.filter(({ level }) => level === 'error').map(({ what }) => what)),
    ...startWarnings({ data }),
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
