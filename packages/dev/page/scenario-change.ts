import type { Scenario } from '@gantry/lab/scenario';

/** Requests that change the scenario of a lab, or `new` if only another lab can have it. */
export type LabChange =
  | 'new'
  | {
      readonly jumpMs?: number;
      readonly network?: NonNullable<Scenario['network']>;
      readonly permissions?: NonNullable<Scenario['permissions']>;
    };

/** Members that are fixed in a lab: its data, features of its site, and the time zone. */
const built = ['world', 'api', 'albums', 'interval', 'timeZone'] as const;

/**
 * Compares two scenarios of one page. Theme and width concern only the page. Another persona is
 * another container on the same lab, so that members see what others write.
 */
export function labChange(before: Scenario, after: Scenario): LabChange {
  const jump = (after.clock ?? 0) - (before.clock ?? 0);
  if (jump < 0 || built.some((name) => before[name] !== after[name])) return 'new'; // a clock cannot go back
  return {
    ...(jump > 0 && { jumpMs: jump * 1_000 }),
    ...(before.network !== after.network && { network: after.network ?? 'fast' }),
    ...(before.permissions !== after.permissions && { permissions: after.permissions ?? 'all' }),
  };
}
