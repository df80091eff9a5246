/** One line of the report: our figure and its comparison, in one unit. */
export interface Figure {
  readonly name: string;
  readonly ours: number;
  readonly against: number;
  /** The control measured again: its distance from 1 is the noise of this run. */
  readonly again?: number;
  readonly unit: string;
  readonly goal: string;
  /** Direction of the ratio: `times` is ours ÷ against, `cheaper` is against ÷ ours. */
  readonly as?: 'times' | 'cheaper';
}

export function printFigure({ name, ours, against, again, unit, goal, as = 'times' }: Figure): void {
  const ratio = as === 'times' ? ours / against : against / ours;
  const noise = again === undefined ? '' : `, A/A ${(again / against).toFixed(2)}`;
  const reading = as === 'times' ? `${ratio.toFixed(2)} ×` : `${ratio.toFixed(1)} × cheaper`;
  console.log(
    `${name}\n  ${reading}  (${ours.toFixed(1)} against ${against.toFixed(1)} ${unit}${noise})  goal: ${goal}`,
  );
}

export function printSize(name: string, bytes: number, limit?: number): void {
  const goal = limit === undefined ? '' : `  goal: ≤ ${limit} kB`;
  console.log(`${name}\n  ${(bytes / 1000).toFixed(2)} kB gzipped${goal}`);
}
