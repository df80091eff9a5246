import type { Story } from '@gantry/lab/scenario';

export const usual: Story = { width: 720 };
export const empty: Story = { world: 'empty' };
export const crowd: Story = { world: 'crowd', width: 720 };
export const hostile: Story = { world: 'hostile', width: 720 };
export const ofStranger: Story = { title: "On a stranger's page", view: 'profile', owner: 'm-4' };
export const siteWithoutAlbums: Story = { albums: false };
export const signedOut: Story = { persona: 'nobody', owner: 'm-1' };
export const offline: Story = { network: 'offline' };
export const narrowAndDark: Story = { world: 'hostile', width: 360, theme: 'dark' };
