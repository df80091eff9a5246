import type { LabAnswer, LabRequest, MountableStory, StoriesAnswer, StoryRequest } from '@gantry/dev/protocol';
import { messageOf } from '../lab-client.ts';

/** Lists the stories of all apps. */
export async function listStories(): Promise<StoriesAnswer> {
  return answerOf(await fetch('/dev/stories'));
}

/** Opens a story with some members replaced. @throws Error that says what there is instead. */
export async function openStory(request: StoryRequest): Promise<MountableStory> {
  return answerOf(await fetch('/dev/stories', { method: 'POST', body: JSON.stringify(request) }));
}

/** Makes a lab. @throws Error that says why its world cannot be. */
export async function openLab(request: LabRequest): Promise<LabAnswer> {
  return answerOf(await fetch('/dev/labs', { method: 'POST', body: JSON.stringify(request) }));
}

/** Closes a lab, also while the page unloads. */
export function closeLab({ lab }: LabAnswer): void {
  fetch(`/dev/labs/${lab}`, { method: 'DELETE', keepalive: true }).catch(() => {}); // the server is gone, with its labs
}

async function answerOf<Answer>(response: Response): Promise<Answer> {
  if (response.ok) return response.json();
  throw new Error(messageOf(await response.text()) ?? `The dev host answered ${response.status}.`);
}
