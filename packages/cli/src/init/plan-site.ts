import { basename, isAbsolute, join, relative, resolve } from 'node:path';
import { UsageError } from '@gantry/server';
import { ignoreFile } from './ignore-file.ts';
import { refuseUnreadable } from './made-file.ts';
import type { Change, Found, Framework, Plan, PlanContext } from './plan.ts';
import { planExpress, planHttp, planNext } from './plan-node.ts';
import { planFlask, planOther, planPhp } from './plan-token.ts';
import { starterFiles } from './starters.ts';

/** The parts of a plan that differ from one framework to another. */
export interface SitePart extends Pick<Plan, 'signIn' | 'notes' | 'start' | 'page'> {
  readonly changes: readonly Change[];
}

const parts: Readonly<Record<Framework, (context: SiteContext) => SitePart>> = {
  express: planExpress,
  node: planHttp,
  next: planNext,
  php: planPhp,
  flask: planFlask,
  other: planOther,
};

/** A context with the place of the data decided. */
export interface SiteContext extends PlanContext {
  readonly data: string;
  /** The data folder as the site's code names it: relative where it lies in the project. */
  readonly dataName: string;
  /** Path of the settings that hold a key, relative to the project. */
  readonly envPath: string;
}

/**
 * Plans all that makes a project a site with gadgets.
 *
 * @throws UsageError where a file cannot be changed safely; it says what to insert.
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

/** Shows the site's own files before those that are new. */
function changedFirst(a: Change, b: Change): number {
  return Number(a.before === undefined) - Number(b.before === undefined);
}

/** A site whose root folder is served to the web keeps its keys beside it. */
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
