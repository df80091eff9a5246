import { grouped } from '@gantry/wire/runtime';
import { describe, type Figure, type Goal, type Judged, judge } from './figure.ts';
import type { Cost } from './rounds.ts';

/** A number that load cannot bend: bytes, requests, statements. */
export interface Count {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** Largest value that is wanted. */
  readonly limit?: number;
}

/** Costs of one comparison, a round each. */
export interface Comparison {
  readonly name: string;
  readonly unit: string;
  readonly ours: readonly Cost[];
  readonly against: readonly Cost[];
  readonly again?: readonly Cost[];
  readonly goals?: { readonly cpu?: Goal; readonly wall?: Goal };
}

/** Prints results as they come, and keeps them. */
export interface Report {
  /** Rounds of a comparison: the usual number, or as many as this run may take. */
  rounds(usual: number): number;
  /** Prints one comparison by processor time, where it was read, and by the clock. */
  compare(comparison: Comparison): void;
  /** Prints a comparison of several measured quantities. */
  figures(name: string, figures: readonly Omit<Figure, 'name'>[]): void;
  count(count: Count): void;
  readonly judged: readonly Judged[];
  readonly counts: readonly Count[];
}

export function createReport({
  maxRounds = Number.POSITIVE_INFINITY,
  print = (text: string) => console.log(text),
} = {}): Report {
  const judged: Judged[] = [];
  const counts: Count[] = [];

  function figures(name: string, list: readonly Omit<Figure, 'name'>[]): void {
    const found = list.map((figure) => judge({ name, ...figure }));
    judged.push(...found);
    print([name, ...found.map(describe)].join('\n'));
  }

  return {
    rounds: (usual) => Math.min(usual, maxRounds),
    figures,
    compare({ name, unit, ours, against, again, goals = {} }) {
      const by = (measure: 'CPU' | 'wall', of: (cost: Cost) => number, goal: Goal | undefined) => {
        const values = { ours: ours.map(of), against: against.map(of), again: again?.map(of) };
        return { measure, unit, ...values, goal };
      };
      const isCpuKnown = [...ours, ...against, ...(again ?? [])].every(({ cpu = 0 }) => cpu > 0);
      figures(name, [
        ...(isCpuKnown ? [by('CPU', ({ cpu = 0 }) => cpu, goals.cpu)] : []),
        by('wall', ({ wall }) => wall, goals.wall),
      ]);
    },
    count(count) {
      counts.push(count);
      const { name, value, unit, limit } = count;
      const isOver = limit !== undefined && value > limit;
      const goal = limit === undefined ? '' : `  goal ≤ ${grouped(limit)}${isOver ? ': misses the goal' : ''}`;
      print(`${name}: ${grouped(value)} ${unit}${goal}`);
    },
    judged,
    counts,
  };
}
