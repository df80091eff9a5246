import type { Agents, LabClock } from '@gantry/lab/page';
import type { KitPage } from '@gantry/testing/kit-protocol';

/** The gadget that is mounted, as far as time concerns it. */
export interface ClockedMount {
  readonly lab: string;
  readonly clock: LabClock;
  readonly agents: Pick<Agents, 'setClock'>;
}

/** Lets page and frame follow the time of their lab: first the page, whose waits may load a frame anew. */
export function createKitClock(mounted: () => ClockedMount | undefined): Pick<KitPage, 'setClock'> {
  return {
    async setClock({ lab, clock }) {
      const one = mounted();
      if (one?.lab !== lab) return;
      const following = one.clock.set(clock);
      await Promise.all([following, one.agents.setClock(lab, clock)]);
    },
  };
}
