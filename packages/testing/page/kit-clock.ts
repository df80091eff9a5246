import type { Agents, LabClock } from '@gantry/lab/page';
import type { KitPage } from '@gantry/testing/kit-protocol';

/** The clocks of the mounted gadget. */
export interface ClockedMount {
  readonly lab: string;
  readonly clock: LabClock;
  readonly agents: Pick<Agents, 'setClock'>;
}

/** Sets the time of page, then of frames: waits of the page may reload a frame. */
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
