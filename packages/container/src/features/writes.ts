import type { Feature, Place } from '../place.ts';

/** Tells an app what became of its writes, those of its earlier loads too, and the member what waits. */
export function createWriteReports(place: Place): Feature {
  const { writes } = place.gadget;
  let stop: (() => void) | undefined;

  return {
    context: () => ({ writes: writes.reports() }),
    ready() {
      stop = writes.attend(place);
    },
    end: () => stop?.(),
  };
}
