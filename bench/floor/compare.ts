import type { Goal } from '../figures/figure.ts';
import type { Report } from '../figures/report.ts';
import type { Cost } from '../figures/rounds.ts';

type Costs = Readonly<Record<'ours' | 'least' | 'leastAgain' | 'bare' | 'bareAgain', readonly Cost[]>>;

/**
 * Reports ours against bare frames, the floor against them, and ours against the floor, all of the
 * same rounds: the part of a distance that the design forces, and the part that is ours.
 *
 * @param options.goal Bound of ours against bare frames. If the floor misses it, it cannot be met.
 */
export function compareWithFloor(
  report: Report,
  options: {
    readonly what: string;
    readonly frames: string;
    readonly condition: string;
    readonly costs: Costs;
    readonly goal: Goal;
  },
): void {
  const { what, frames, condition, costs, goal } = options;
  const { ours, least, leastAgain, bare, bareAgain } = costs;
  const ofBare = { against: bare, again: bareAgain, unit: 'ms', goals: { wall: goal } };
  const floor = 'the least that this design allows';
  report.compare({ name: `${what} against ${frames}, ${condition}`, ours, ...ofBare });
  report.compare({ name: `${what}, ${floor}, against ${frames}, ${condition}`, ours: least, ...ofBare });
  report.compare({
    name: `${what} against ${floor}, ${condition}`,
    ...{ ours, against: least, again: leastAgain, unit: 'ms' },
  });
}
