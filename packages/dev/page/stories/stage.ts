// Shows one story in a place, with a lab of its own.
import type { MountableStory } from '@gantry/dev/protocol';
import { type OpenStage, openStage, type StageFacts, type StageOptions } from '@gantry/lab/page';
import { closeLab, openLab } from './api.ts';

/** A story on the page. */
export interface Stage extends OpenStage {
  readonly facts: StageFacts;
  /** Closes its lab too. The element stays until it is removed. */
  close(): void;
}

/** @throws Error if its lab cannot be made. */
export async function openStoryStage(
  place: HTMLElement,
  story: MountableStory,
  options: Omit<StageOptions, 'lab'>,
): Promise<Stage> {
  const lab = await openLab({ scenario: story.scenario, ...(story.story !== undefined && { story: story.story }) });
  const stage = openStage(place, story, { ...options, lab });
  const { gadget, viewer } = stage;
  return {
    ...stage,
    facts: { gadget, lab, app: story.app, viewer },
    close() {
      stage.close();
      closeLab(lab);
    },
  };
}
