import { type Interval, median, ratioOf } from './interval.ts';

/** Ends of an interval. */
type Bounds = Pick<Interval, 'low' | 'high'>;

/** Bound of a ratio. */
export type Goal = { readonly most: number } | { readonly least: number };

/** Values of one measurement by round: the same place in each list is one round. */
export interface Figure {
  readonly name: string;
  /** Measured quantity, such as `CPU`. One name may have several. */
  readonly measure: string;
  readonly unit: string;
  readonly ours: readonly number[];
  readonly against: readonly number[];
  /** The control measured again: its distance from `against` is the noise of this run. */
  readonly again?: readonly number[] | undefined;
  readonly goal?: Goal | undefined;
}

export type Conclusion = 'within the goal' | 'misses the goal' | 'not distinguishable';

/** A figure with its interval. */
export interface Judged {
  readonly name: string;
  readonly measure: string;
  readonly unit: string;
  /** Medians. */
  readonly ours: number;
  readonly against: number;
  readonly ratio: Interval;
  /** Ratio of the control to itself (A/A). */
  readonly noise?: Interval;
  readonly goal?: Goal;
  readonly conclusion?: Conclusion;
}

/** Compares each round's value with the control of the same round, measured before and after it. */
export function judge({ name, measure, unit, goal, ...values }: Figure): Judged {
  const { ours, against, again } = values;
  const controls = again === undefined ? against : against.map((one, round) => Math.sqrt(one * (again[round] ?? one)));
  const ratio = ratioOf(ours, controls);
  const noise = again && ratioOf(again, against);
  return {
    ...{ name, measure, unit },
    ours: median(ours),
    against: median(controls),
    ratio,
    ...(noise && { noise }),
    ...(goal && { goal, conclusion: conclude(widened(ratio, noise), goal) }),
  };
}

/** Concludes only if the interval excludes the goal. */
export function conclude({ low, high }: Bounds, goal: Goal): Conclusion {
  const [isWithin, isBeyond] =
    'most' in goal ? [high <= goal.most, low > goal.most] : [low >= goal.least, high < goal.least];
  if (isWithin) return 'within the goal';
  return isBeyond ? 'misses the goal' : 'not distinguishable';
}

/** Widens an interval by as much as the control differs from itself. */
export function widened({ low, high }: Bounds, noise: Interval | undefined): Bounds {
  const by = Math.exp(Math.abs(Math.log(noise?.estimate ?? 1)));
  return { low: low / by, high: high * by };
}

/** Writes a judged figure as a line: ratio, interval, A/A, medians, goal. */
export function describe({ measure, unit, ours, against, ratio, noise, goal, conclusion }: Judged): string {
  const isNoise = noise === undefined ? '' : `  A/A ${interval(noise)}`;
  const ofGoal =
    goal === undefined ? '' : `  goal ${'most' in goal ? `≤ ${goal.most}` : `≥ ${goal.least}`} ×: ${conclusion}`;
  return `  ${measure.padEnd(4)} ${interval(ratio)} ×${isNoise}  ${digits(ours)} against ${digits(against)} ${unit}${ofGoal}`;
}

export function interval({ estimate, low, high }: Interval): string {
  return `${estimate.toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)})`;
}

export function digits(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(1);
}
