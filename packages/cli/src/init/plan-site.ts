import { basename, isAbsolute, join, relative, resolve } from 'node:path';
import { UsageError } from '@gantry/server';
import type { Change } from '../project/change.ts';
import { refuseUnreadable } from './generated-file.ts';
import { ignoreFile } from './ignore-file.ts';
import type { Found, Framework, Plan, PlanContext, SiteContext, SitePart } from './plan.ts';
import { planExpress, planHttp, planNext } from './plan-node.ts';
import { planFlask, planOther, planPhp } from './plan-token.ts';
import { starterFiles } from './starter-gadgets.ts';

const parts: Readonly<Record<Framework, (context: SiteContext) => SitePart>> = {
  express: planExpress,
  node: planHttp,
  next: planNext,
  php: planPhp,
  flask: planFlask,
  other: planOther,
};

/**
 * Plans all changes that add Gantry to a project.
 *
 * @throws UsageError with the lines to insert, if a file cannot be changed safely.
 */
export function planSite(context: PlanContext): Plan {
  const { project, found } = context;
  const data = context.data ?? defaultData(project.folder, found);
  if (/\p{Cc}/u.test(data))
    throw new UsageError('The path of the data folder has control characters. Name another with --data.');
  const inside = isInside(project.folder, data);
  const dataName = inside ? slashes(relative(project.folder, data)) : data;
  const envPath = inside ? 'gantry.env' : slashes(join(relative(project.folder, data), 'gantry.env'));
  for (const path of ['package.json', '.gitignore', found.entry ?? 'package.json']) refuseUnreadable(project, path);
  const { changes, ...part } = parts[found.framework]({ ...context, data, dataName, envPath });
  const ignored = [
    ...(inside ? [`${dataName}/`] : []),
    ...(changes.some(isInProject('gantry.env')) ? ['gantry.env'] : []),
  ];
  const all = [...changes, ...starterFiles(project), ignoreFile(project, ['node_modules/', ...ignored])];
  return {
    ...part,
    data,
    database: context.database ?? join(data, 'gantry.db'),
    changes: all.filter(({ before, after }) => before !== after).toSorted(changedFirst),
    kept: all.filter(({ before, after }) => before !== undefined && before === after).map(({ path }) => path),
  };
}

/** Sorts the site's own files before new ones. */
function changedFirst(a: Change, b: Change): number {
  return Number(a.before === undefined) - Number(b.before === undefined);
}

/** Returns the default data folder: beside a folder that is public on the web, else in it. */
function defaultData(folder: string, { framework, entry }: Found): string {
  const isServed = framework === 'php' && entry !== undefined && !entry.includes('/');
  return isServed ? resolve(folder, '..', `${basename(folder)}-gantry`) : join(folder, '.gantry');
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '' && !way.startsWith('..') && !isAbsolute(way);
}

function isInProject(path: string): (change: Change) => boolean {
  return (change) => change.path === path;
}

function slashes(path: string): string {
  return path.replaceAll('\\', '/');
}
