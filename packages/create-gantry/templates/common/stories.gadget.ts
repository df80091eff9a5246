import type { Story } from '@gantry/lab/scenario';

// States of the gadget. `npm run dev` shows them all, tests mount them by name, `npm run pictures`
// draws them.

const harbour = () => ({
  site: { name: 'Harbour Street' },
  members: [
    { id: 'ada', displayName: 'Ada Lovell' },
    { id: 'bo', displayName: 'Bo Sand' },
    { id: 'cy', displayName: 'Cy Marsh' },
  ],
  friendships: [
    ['ada', 'bo'],
    ['ada', 'cy'],
  ],
  apps: [{ id: 'my-gadget', title: 'This gadget', url: 'https://my-gadget.example/' }],
  installs: [{ appId: 'my-gadget', memberId: 'bo' }],
  appData: [{ appId: 'my-gadget', memberId: 'bo', data: { note: 'Painting the boat' } }],
});

const alone = () => ({
  site: { name: 'Harbour Street' },
  members: [{ id: 'ada', displayName: 'Ada Lovell' }],
});

export const friends: Story = { persona: 'ada', world: harbour };
export const inTheDark: Story = { ...friends, title: 'In the dark, on a phone', theme: 'dark', width: 360 };
export const noFriends: Story = { persona: 'ada', world: alone };
export const signedOut: Story = { persona: 'nobody', world: harbour };
export const offline: Story = { ...friends, title: 'Without a connection', network: 'offline' };
