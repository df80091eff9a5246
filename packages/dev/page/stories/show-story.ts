// Shows one story in a place, with a lab of its own.
import type { MountableStory } from '@gantry/dev/protocol';
import { type GadgetFacts, type MountedGadget, type MountGadgetOptions, mountGadget } from '@gantry/lab/page';
import { closeLab, makeLab } from '../server.ts';

export interface ShownStory extends MountedGadget {
  readonly facts: GadgetFacts;
  /** Resolves when the story is closed, too. */
  readonly settled: Promise<void>;
  /** Closes its lab too. The element stays until it is removed. */
  close(): void;
}

/** @throws Error if its lab cannot be made. */
export async function showStory(
  place: HTMLElement,
  story: MountableStory,
  options: Omit<MountGadgetOptions, 'lab'>,
): Promise<ShownStory> {
  const lab = await makeLab({ scenario: story.scenario, ...(story.story !== undefined && { story: story.story }) });
  const shown = mountGadget(place, story, { ...options, lab });
  const { gadget, viewer } = shown;
  let onClose = (): void => {};
  const closed = new Promise<void>((resolve) => {
    onClose = resolve;
  });
  return {
    ...shown,
    settled: Promise.race([shown.settled, closed]),
    facts: { gadget, lab, app: story.app, viewer },
    close() {
      shown.close();
      closeLab(lab);
      onClose();
    },
  };
}
