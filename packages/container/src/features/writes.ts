import type { WriteReport } from '@gantry/bridge';
import type { BarePlace, Feature } from '../place.ts';

/** Tells an app what became of its writes, those of its earlier loads too, and the member what waits. */
export function createWriteReports(place: BarePlace): Feature {
  const { writes } = place.gadget;
  let told: readonly WriteReport[] = [];
  let stop: (() => void) | undefined;

  return {
    context() {
      told = writes.reports();
      return { writes: told };
    },
    ready() {
      stop = writes.attend(place, told);
    },
    end: () => stop?.(),
  };
}
