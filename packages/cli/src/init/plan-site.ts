import { join, relative } from 'node:path';
import { UsageError } from '@gantry/server';
import type { Change } from '../project/change.ts';
import { lineEnding } from '../project/edit-text.ts';
import type { Project } from '../project/project.ts';
import { isInside } from './data-place.ts';
import { refuseUnreadable } from './generated-file.ts';
import type { Framework, Plan, PlanContext, SiteContext, SitePart } from './plan.ts';
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

/** Plans all changes that add Gantry. @throws UsageError with lines for a file that is not safe. */
export function planSite(context: PlanContext): Plan {
  const { project, found, data } = context;
  if (/\p{Cc}/u.test(data))
    throw new UsageError('The path of the data folder has control characters. Name another with --data.');
  const inside = isInside(project.folder, data);
  const dataName = inside ? slashes(relative(project.folder, data)) : data;
  const env = inside
    ? { path: 'gantry.env', name: 'gantry.env' }
    : { path: slashes(relative(project.folder, join(data, 'gantry.env'))), name: slashes(join(data, 'gantry.env')) };
  for (const path of ['package.json', '.gitignore', found.entry ?? 'package.json']) refuseUnreadable(project, path);
  const { changes, ...part } = parts[found.framework]({ ...context, dataName, env });
  const ignored = [
    ...(inside ? [`${dataName}/`] : []),
    ...(changes.some(({ path }) => path === 'gantry.env') ? ['gantry.env'] : []),
  ];
  const all = [...changes, ...starterFiles(project), ignoreFile(project, ['node_modules/', ...ignored])];
  return {
    ...part,
    data,
    database: context.database ?? join(data, 'gantry.db'),
    changes: all.filter(({ before, after }) => before !== after).toSorted(byNewness),
    kept: all.filter(({ before, after }) => before !== undefined && before === after).map(({ path }) => path),
  };
}

/** Sorts the site's own files before new ones. */
function byNewness(a: Change, b: Change): number {
  return Number(a.before === undefined) - Number(b.before === undefined);
}

function slashes(path: string): string {
  return path.replaceAll('\\', '/');
}

/** Adds missing lines to `.gitignore`. */
function ignoreFile({ read }: Project, lines: readonly string[]): Change {
  const path = '.gitignore';
  const before = read(path);
  const text = before ?? '';
  const there = new Set(text.split(/\r?\n/).map(withoutSlashes));
  const missing = lines.filter((line) => !there.has(withoutSlashes(line)));
  const end = lineEnding(text);
  const gap = text === '' || text.endsWith('\n') ? '' : end;
  const after = missing.length === 0 ? text : text + gap + missing.map((line) => line + end).join('');
  return { path, ...(before !== undefined && { before }), after };
}

function withoutSlashes(line: string): string {
  return line.trim().replace(/^\//, '').replace(/\/$/, '');
}
