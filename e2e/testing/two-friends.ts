/** A world of two friends, of whom a test is Uma. */
export const world = {
  name: 'kitchen',
  folder: '/',
  file: {
    site: { name: 'Kitchen' },
    members: [
      { id: 'uma', displayName: 'Uma Oven' },
      { id: 'vic', displayName: 'Vic Stove' },
    ],
    friendships: [['uma', 'vic']],
  },
  personas: [{ id: 'uma', name: 'Uma Oven' }],
};
