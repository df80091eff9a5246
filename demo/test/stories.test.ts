import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { findWorld } from '@gantry/lab';
import type { Story } from '@gantry/lab/scenario';
import { expect, test } from 'vitest';
import { siteOfWorld } from '../../packages/lab/test/worlds/site-of-world.ts';
import * as birthdays from '../apps/birthdays/birthdays.gadget.ts';
import * as friends from '../apps/friends/friends.gadget.ts';
import * as notes from '../apps/notes/notes.gadget.ts';
import * as photos from '../apps/photos/photos.gadget.ts';
import * as stream from '../apps/stream/stream.gadget.ts';

const stories: Readonly<Record<string, Readonly<Record<string, Story>>>> = {
  birthdays,
  friends,
  notes,
  photos,
  stream,
};

test.each(Object.entries(stories))('%s has a story for each state that members meet', (_, all) => {
  expect(Object.keys(all)).toEqual(expect.arrayContaining(['usual', 'empty', 'signedOut', 'offline', 'narrowAndDark']));
});

test('every world of a story is found, and its persona and owner are members of it', async () => {
  for (const story of Object.values(stories).flatMap((all) => Object.values(all))) {
    const { world = 'friendly', persona = 'nobody', owner = 'nobody' } = story;
    const { file } = await findWorld(world);
    const ids = (file as { members: readonly { id: string }[] }).members.map(({ id }) => id);
    expect([...ids, 'nobody']).toEqual(expect.arrayContaining([persona, owner]));
  }
});

test('worlds that stories make are imported, and hold the notes', async () => {
  for (const { world } of [notes.usual, notes.full]) {
    const site = await siteOfWorld(await findWorld(world as () => unknown), 'notes');
    expect(Object.keys((await site.get('m-1', '/appdata/@me/@self/@app')).entry['m-1'] as object)).toContain('note.0');
    await site.close();
  }
});

test('builds of the demo hold no stories', () => {
  const files = readdirSync(join(import.meta.dirname, '../dist'), { recursive: true, encoding: 'utf8' });
  expect(files).toContain(join('apps', 'stream', 'index.html'));
  expect(files.filter((file) => /\.gadget\.[jt]s/.test(file))).toEqual([]);
});
