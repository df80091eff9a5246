import type { Story } from '@gantry/lab/scenario';

export const usual: Story = {};
export const empty: Story = { world: 'empty' };
export const crowd: Story = { world: 'crowd' };
export const hostile: Story = { world: 'hostile', timeZone: 'Europe/Berlin' };
export const little: Story = { title: 'A member with little going on', persona: 'm-2' };
export const ofStranger: Story = { title: "On a stranger's page", view: 'profile', owner: 'm-4' };
export const olderSite: Story = { title: 'A site that speaks 0.9.3', api: '0.9.3' };
export const withoutPosting: Story = { title: 'Posting was taken back', permissions: 'without:activities.post' };
export const signedOut: Story = { persona: 'nobody', owner: 'm-1' };
export const offline: Story = { network: 'offline' };
export const narrowAndDark: Story = { world: 'hostile', width: 360, theme: 'dark' };
export const rightToLeft: Story = { world: 'hostile', persona: 'rtl-name', locale: 'ar', direction: 'rtl' };
