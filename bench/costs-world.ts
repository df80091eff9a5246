const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => String(from + index));

/** The member who signs in, listens to events and is the subject of the keys. */
export const viewer = { id: '1', password: 'right password' };
const friends = range(2, 151);
/** Owners of the pages with the viewer's gadgets: as many as one event stream allows. */
export const owners = range(2, 201);
/** Members without a listening page. */
export const strangers = range(202, 401);
const members = [viewer.id, ...owners, ...strangers];

export const appKey = { key: 'notes', secret: 'secret' };
export const memberKey = { key: 'viewer', secret: 'secret' };
/** The consumer that requests tokens. */
export const otherMemberKey = { key: 'friend', secret: 'secret' };

/** A title and an address of the greatest length, in the most bytes. */
const longest = { title: '😀'.repeat(1_000), url: `https://a.example/${'u'.repeat(1_982)}` };

/** A site whose valid records are as large as allowed. */
export const costsWorld = {
  site: { name: 'Costs', settings: { minimumInterval: 0 } },
  members: members.map((id) => ({
    id,
    displayName: `Member ${id}`,
    ...(id === viewer.id && { password: viewer.password }),
  })),
  friendships: friends.map((id) => [viewer.id, id]),
  apps: [{ id: 'notes', title: 'Notes', url: 'https://apps.example/notes' }],
  installs: members.map((memberId) => ({ appId: 'notes', memberId })),
  consumers: [
    { ...appKey, kind: 'app', appId: 'notes' },
    { ...memberKey, kind: 'member', memberId: viewer.id },
    { ...otherMemberKey, kind: 'member', memberId: friends[0] },
  ],
  activities: range(1, 100).map((id) => ({
    id: `long${id}`,
    userId: viewer.id,
    ...longest,
    postedTime: '2026-05-01T09:30:00+02:00',
  })),
  appData: friends.map((memberId) => ({ appId: 'notes', memberId, data: { small: 'x', large: 'x'.repeat(95_000) } })),
};
