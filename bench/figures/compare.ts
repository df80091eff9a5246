import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { grouped } from '@gantry/wire/runtime';
import { addCommitFolder, buildScripts, removeCommitFolder, shortCommit } from './commit-folder.ts';
import { conclude, describe, type Figure, type Judged, judge, widened } from './figure.ts';
import { leastValues } from './interval.ts';
import { type Results, readResults } from './results.ts';

const root = join(import.meta.dirname, '../..');

/** The results of each turn. */
export interface Turns {
  readonly ours: readonly Results[];
  readonly base: readonly Results[];
  /** The base measured again. */
  readonly again: readonly Results[];
}

/**
 * Measures a commit and these files by turns, each time in new processes, and prints how the
 * figures of these files differ. Both are measured by the bench of these files.
 *
 * @param options.ref Commit that is the base.
 * @param options.turns Measurements of these files; the base has twice as many, for its A/A.
 */
export function compareCommits(options: {
  readonly ref: string;
  readonly parts: readonly string[];
  readonly turns: number;
}): void {
  const { ref, parts, turns } = options;
  const folder = mkdtempSync(join(tmpdir(), 'gantry-compare-'));
  const other = join(folder, 'base');
  const measured = { ours: [] as Results[], base: [] as Results[], again: [] as Results[] };
  const measure = (name: keyof Turns) => {
    const file = join(folder, 'results.json');
    const cwd = name === 'ours' ? root : other;
    run(cwd, ['bench/bench.ts', ...parts, '--rounds', String(leastValues), '--json', file]);
    measured[name].push(readResults(file));
  };
  try {
    addCommitFolder(shortCommit(ref), other);
    rmSync(join(other, 'bench'), { recursive: true, force: true });
    cpSync(join(root, 'bench'), join(other, 'bench'), { recursive: true });
    buildScripts(other);
    for (let turn = 0; turn < turns; turn++) {
      const order = ['base', 'ours', 'again'] as const;
      for (const name of turn % 2 === 0 ? order : order.toReversed()) measure(name);
      console.error(`turn ${turn + 1} of ${turns}`);
    }
    console.log(`These files against ${ref}, ${turns} turns\n${differences(measured).join('\n')}`);
  } finally {
    removeCommitFolder(other);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Describes each figure of these files beside that of the base, and each count. */
export function differences({ ours, base, again }: Turns): readonly string[] {
  const [first] = ours;
  const figures = (first?.figures ?? []).flatMap((figure) => {
    const values = (list: readonly Results[]) => list.flatMap((one) => find(one, figure)?.ours ?? []);
    const lists = { ours: values(ours), against: values(base), again: values(again) };
    const isWhole = Object.values(lists).every(({ length }) => length === ours.length);
    return isWhole ? [`${figure.name}\n${difference({ ...figure, ...lists })}`] : [`${figure.name}\n  new`];
  });
  const counts = (first?.counts ?? []).map(({ name, value, unit }) => {
    const before = base[0]?.counts.find((count) => count.name === name)?.value;
    if (before === undefined) return `${name}: ${grouped(value)} ${unit}, new`;
    return `${name}: ${before === value ? grouped(value) : `${grouped(before)} → ${grouped(value)}`} ${unit}`;
  });
  return [...figures, ...counts];
}

/** Concludes only if the interval, widened by the A/A, excludes 1. */
function difference(figure: Omit<Figure, 'goal'> & Pick<Judged, 'goal'>): string {
  const { goal: _, ...judged } = judge({ ...figure, goal: { most: 1 } });
  const isRate = figure.goal !== undefined && 'least' in figure.goal; // more of it is better
  const interval = widened(judged.ratio, judged.noise);
  const [isLess, isMore] = [{ most: 1 }, { least: 1 }].map((goal) => conclude(interval, goal) === 'within the goal');
  const words = isRate ? ['worse', 'better'] : ['better', 'worse'];
  return `${describe(judged)}: ${(isLess && words[0]) || (isMore && words[1]) || 'not distinguishable'}`;
}

function find({ figures }: Results, { name, measure }: Pick<Judged, 'name' | 'measure'>): Judged | undefined {
  return figures.find((one) => one.name === name && one.measure === measure);
}

function run(cwd: string, args: readonly string[]): void {
  const { status } = spawnSync(process.execPath, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error(`${args.join(' ')} failed in ${cwd}.`);
}
