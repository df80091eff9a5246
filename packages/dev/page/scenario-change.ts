import type { Scenario } from '@gantry/lab/scenario';

/** Requests that bring a lab to another scenario, or `new` if only another lab can be brought there. */
export type LabChange =
  | 'new'
  | {
      readonly jumpMs?: number;
      readonly network?: NonNullable<Scenario['network']>;
      readonly permissions?: NonNullable<Scenario['permissions']>;
    };

/** Parts of a scenario that are built into a lab: its data, what its site offers, and the time zone that its frames get. */
const built = ['world', 'api', 'albums', 'interval', 'timeZone'] as const;

/**
 * Compares two scenarios of one page. Look and width concern the page alone. Another persona is another container on the same
 * lab, so that one member sees what the other has written.
 */
export function labChange(before: Scenario, after: Scenario): LabChange {
  const jump = (after.clock ?? 0) - (before.clock ?? 0);
  if (jump < 0 || built.some((name) => before[name] !== after[name])) return 'new'; // no clock goes back
  return {
    ...(jump > 0 && { jumpMs: jump * 1_000 }),
    ...(before.network !== after.network && { network: after.network ?? 'fast' }),
    ...(before.permissions !== after.permissions && { permissions: after.permissions ?? 'all' }),
  };
}
