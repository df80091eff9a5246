// Shows one story in a place, with a lab of its own.
import type { MountableStory } from '@gantry/dev/protocol';
import { type OpenStage, openStage, type StageFacts, type StageOptions } from '@gantry/lab/page';
import { closeLab, makeLab } from '../server.ts';

/** A story on the page. */
export interface Stage extends OpenStage {
  readonly facts: StageFacts;
  /** Resolves when the stage is closed, too. */
  readonly settled: Promise<void>;
  /** Closes its lab too. The element stays until it is removed. */
  close(): void;
}

/** @throws Error if its lab cannot be made. */
export async function openStoryStage(
  place: HTMLElement,
  story: MountableStory,
  options: Omit<StageOptions, 'lab'>,
): Promise<Stage> {
  const lab = await makeLab({ scenario: story.scenario, ...(story.story !== undefined && { story: story.story }) });
  const stage = openStage(place, story, { ...options, lab });
  const { gadget, viewer } = stage;
  let onClose = (): void => {};
  const closed = new Promise<void>((resolve) => {
    onClose = resolve;
  });
  return {
    ...stage,
    settled: Promise.race([stage.settled, closed]),
    facts: { gadget, lab, app: story.app, viewer },
    close() {
      stage.close();
      closeLab(lab);
      onClose();
    },
  };
}
