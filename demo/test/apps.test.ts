import { join } from 'node:path';
import { readManifest } from '@gantry/proxy';
import { expect, test } from 'vitest';

test.each([
  ['friends', 'Friends', ['people.get']],
  ['stream', 'Stream', ['people.get', 'activities.get', 'activities.create']],
  ['notes', 'Notes', ['appdata.get', 'appdata.update', 'appdata.delete']],
  ['photos', 'Photos', ['people.get', 'albums.get', 'mediaItems.get']],
  ['birthdays', 'Birthdays', ['people.get']],
])('%s has a manifest that can be registered, and preloads only what it uses', async (id, name, uses) => {
  const manifest = await readManifest(join(import.meta.dirname, '../apps', id));
  expect(manifest).toMatchObject({ name, page: 'index.html', uses, hosts: [] });
  expect(manifest.preload.length).toBeGreaterThan(0);
  expect(manifest.preload.filter(({ operation }) => !uses.includes(operation))).toEqual([]);
});
