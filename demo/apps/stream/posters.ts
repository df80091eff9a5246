import { type Activity, osapi, type Person } from '@gantry/osapi';

const known = new Map<string, Person>();

/** Remembers people that were fetched for another reason. */
export function remember(people: readonly Person[]): void {
  for (const person of people) known.set(person.id, person);
}

export function posterOf(activity: Activity): Person | undefined {
  return known.get(activity.userId);
}

/** Fetches those who posted `activities` and are not known yet: one call, however many they are. */
export async function fetchPosters(activities: readonly Activity[]): Promise<void> {
  const missing = [...new Set(activities.map(({ userId }) => userId))].filter((id) => !known.has(id));
  if (missing.length === 0) return;
  const answer = await osapi.people.get({ userId: missing });
  remember('list' in answer ? answer.list : [answer]); // one id is answered by one person, not by a list
}
