import { type Activity, osapi, type Person } from '@gantry/osapi';

const cache = new Map<string, Person>();

/** Caches people that were fetched for another reason. */
export function remember(people: readonly Person[]): void {
  for (const person of people) cache.set(person.id, person);
}

export function posterOf(activity: Activity): Person | undefined {
  return cache.get(activity.userId);
}

/** Fetches the unknown authors of `activities` in one call. */
export async function fetchPosters(activities: readonly Activity[]): Promise<void> {
  const missing = [...new Set(activities.map(({ userId }) => userId))].filter((id) => !cache.has(id));
  if (missing.length === 0) return;
  const answer = await osapi.people.get({ userId: missing });
  remember('list' in answer ? answer.list : [answer]); // a single id returns a person, not a list
}
