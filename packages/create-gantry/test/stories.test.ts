import { createLab } from '@gantry/lab';
import { expect, test } from 'vitest';
import * as stories from '../templates/common/stories.gadget.ts';

test('the stories of a new gadget have worlds that a site takes, and personas who are in them', async () => {
  expect(Object.keys(stories).length).toBeGreaterThan(3);
  for (const [name, { world, persona }] of Object.entries(stories)) {
    if (typeof world !== 'function') throw new Error(`${name} has no world of its own.`);
    const lab = await createLab({ url: 'http://localhost:1', apps: [], world });
    const { members } = world() as { readonly members: readonly { readonly id: string }[] };
    await lab.close();
    expect(['nobody', ...members.map(({ id }) => id)], name).toContain(persona);
  }
});
