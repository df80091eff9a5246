const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => String(from + index));

/** The member who signs in, whose page hears events and for whom the keys speak. */
export const viewer = { id: '1', password: 'right password' };
const friends = range(2, 151);
/** Whose pages the viewer's gadgets stand on: as many as one stream of events may have. */
export const owners = range(2, 201);
/** Members whom no page watches. */
export const strangers = range(202, 401);
const members = [viewer.id, ...owners, ...strangers];

export const appKey = { key: 'notes', secret: 'secret' };
export const memberKey = { key: 'viewer', secret: 'secret' };
/** Asks for request tokens. */
export const otherMemberKey = { key: 'friend', secret: 'secret' };

/** A title and an address as long as they may be, in the most bytes. */
const longest = { title: '😀'.repeat(1_000), url: `https://a.example/${'u'.repeat(1_982)}` };

/** A site on which legal records are as large as they may be. */
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
