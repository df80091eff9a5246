/**
 * A small site: member 1 has 40 friends, two of whom blocked them and 20 of whom posted, and the
 * app `bench` reads them.
 */
export const friendCount = 40;

export const world = {
  site: { name: 'Bench' },
  members: Array.from({ length: friendCount + 1 }, (_, index) => ({
    id: String(index + 1),
    displayName: `Member number ${index + 1}`,
    thumbnailUrl: `/avatars/${index + 1}.svg`,
    aboutMe: 'Likes to be measured.',
  })),
  blocks: [
    ['40', '1'],
    ['41', '1'],
  ],
  activities: Array.from({ length: 20 }, (_, index) => ({
    id: String(index + 1),
    userId: String(index + 2),
    title: `Walked around the lake & back, for the time number ${index + 1}`,
    url: `/walks/${index + 2}?day=${index + 1}&half=2`,
    postedTime: `2026-05-${10 + index}T09:00:00+00:00`,
  })),
  friendships: Array.from({ length: friendCount }, (_, index) => ['1', String(index + 2)]),
};
