import type { Story } from '@gantry/lab/scenario';

export const usual: Story = {};
export const wholeYear: Story = { view: 'canvas', width: 960 };
export const empty: Story = { world: 'empty' };
export const crowd: Story = { world: 'crowd' };
export const hostile: Story = { world: 'hostile' };
export const greeted: Story = { title: 'Bo was greeted', state: ['m-2'] };
export const signedOut: Story = { persona: 'nobody', owner: 'm-1' };
export const offline: Story = { network: 'offline' };
export const withoutPosting: Story = { title: 'Posting was taken back', permissions: 'without:activities.post' };
export const narrowAndDark: Story = { world: 'hostile', width: 360, theme: 'dark' };
export const yearOfHostileNames: Story = { world: 'hostile', view: 'canvas', width: 960, locale: 'de' };
