import type { WriteReport } from '@gantry/bridge';
import type { BarePlace } from '../gadget.ts';
import type { Feature } from '../place.ts';

/** Reports the state of writes to the app, also those of earlier loads, and to the member. */
export function createWriteReports(place: BarePlace): Feature {
  const { writes } = place.gadget;
  let reports: readonly WriteReport[] = [];
  let stop: (() => void) | undefined;

  return {
    context() {
      reports = writes.reports();
      return { writes: reports };
    },
    ready() {
      stop = writes.follow(place, reports);
    },
    end: () => stop?.(),
  };
}
