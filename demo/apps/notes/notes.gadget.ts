import { findWorld } from '@gantry/lab';
import type { Story } from '@gantry/lab/scenario';

/** The friendly world, with notes of its first member. */
async function withNotes(): Promise<unknown> {
  const { file } = await findWorld('friendly', { apps: ['notes'] });
  const texts = ['Buy varnish for the boat.', 'Ask about the keys to the hut.\nTuesday, after seven.', 'مرحبا 🎉', ''];
  const notes = texts.map((text, index) => {
    const saved = `2026-05-0${index + 1}T09:30:00.000Z`;
    return [`note.${index}`, JSON.stringify({ text, saved })];
  });
  return {
    ...(file as object),
    appData: [{ appId: 'notes', memberId: 'm-1', data: Object.fromEntries(notes) }],
  };
}

/** One note that leaves no room for another. */
async function withFullNotebook(): Promise<unknown> {
  const { file } = await findWorld('friendly', { apps: ['notes'] });
  const data = { 'note.0': JSON.stringify({ text: 'word '.repeat(20_400), saved: '2026-05-01T09:30:00.000Z' }) };
  return { ...(file as object), appData: [{ appId: 'notes', memberId: 'm-1', data }] };
}

export const usual: Story = { world: withNotes, persona: 'm-1' };
export const empty: Story = { world: 'empty' };
export const full: Story = { world: withFullNotebook, persona: 'm-1' };
export const filledByOthers: Story = { title: 'AppData full of other keys', world: 'hostile', persona: 'full-appdata' };
export const preferences: Story = { world: withNotes, persona: 'm-1', view: 'preferences' };
export const signedOut: Story = { persona: 'nobody', owner: 'm-1' };
export const offline: Story = { world: withNotes, persona: 'm-1', network: 'offline' };
export const slow: Story = { world: withNotes, persona: 'm-1', network: 'slow' };
export const narrowAndDark: Story = { world: withNotes, persona: 'm-1', width: 360, theme: 'dark' };
