import type { Lab, Scenario } from '@gantry/lab';

/** Members of a scenario that the lab enforces, with the values of a usual site. */
const usual = { permissions: 'all', network: 'fast', api: '1.2', albums: true } as const satisfies Scenario;
const names = ['permissions', 'network', 'api', 'albums', 'interval'] as const;

/**
 * Applies scenarios of mounts to the lab of a test: only members that changed since the last mount,
 * so that faults set by the test stay.
 *
 * @param applied Scenario that the lab was made with.
 */
export function createLabScenario(
  lab: Pick<Lab, 'apply' | 'clock'>,
  applied: Scenario,
): (scenario: Scenario) => Promise<void> {
  let before = applied;
  return async (next) => {
    const changed = names.filter((name) => next[name] !== before[name]);
    const members = changed.map((name) => [name, next[name] ?? (usual as Scenario)[name]] as const);
    const { persona, owner } = next;
    const aheadMs = Math.round(((next.clock ?? 0) - (before.clock ?? 0)) * 1_000);
    before = next;
    if (aheadMs > 0) lab.clock.jump(aheadMs); // no clock goes back
    await lab.apply({
      ...(persona !== undefined && { persona }),
      ...(owner !== undefined && { owner }),
      ...(Object.fromEntries(members.filter(([, value]) => value !== undefined)) as Scenario),
    });
  };
}
