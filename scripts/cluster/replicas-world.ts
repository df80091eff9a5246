import { consumer } from '../../bench/writers-site.ts';

const size = 400;
const friends = 40;
const activities = 15;

export const memberIds: readonly string[] = Array.from({ length: size }, (_, index) => String(index + 1));

/** Members in a ring, each with friends, activities and AppData. */
export const world = {
  site: { name: 'Readers', settings: { minimumInterval: 0 } },
  members: memberIds.map((id) => ({ id, displayName: `Member ${id}` })),
  friendships: memberIds.flatMap((id, index) =>
    Array.from({ length: friends / 2 }, (_, step) => [id, memberIds[(index + step + 1) % size]]),
  ),
  apps: [{ id: 'notes', title: 'Notes', url: 'https://apps.example/notes' }],
  installs: memberIds.map((memberId) => ({ appId: 'notes', memberId })),
  consumers: [{ ...consumer, kind: 'app', appId: 'notes' }],
  activities: memberIds.flatMap((memberId) =>
    Array.from({ length: activities }, (_, index) => ({
      id: `${memberId}-${index}`,
      userId: memberId,
      appId: 'notes',
      title: `Post ${index} of member ${memberId}`,
      postedTime: '2026-05-01T09:30:00Z',
    })),
  ),
};
