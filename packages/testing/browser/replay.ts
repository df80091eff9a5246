import type { Scenario } from '@gantry/lab';
import type { ReplayReport } from '@gantry/lab/tape-host';

/** Returns the look of a tape's scenario; its members may be stand-ins. */
export function lookOf(scenario: Scenario): Scenario {
  const { world, persona, owner, permissions, network, clock, api, albums, interval, ...look } = scenario;
  return look;
}

export function differenceOf({ mismatch, done, steps }: ReplayReport): string {
  const what = mismatch?.message ?? `The tape stopped after ${done} of ${steps} steps.`;
  const diff = mismatch?.diff ? `\n\n${mismatch.diff}` : '';
  return `The gadget does not do what the tape has. ${what}${diff}`;
}
