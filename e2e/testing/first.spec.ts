import { join } from 'node:path';
import { expect, test } from '@gantry/testing';

test.use({ apps: [join(import.meta.dirname, '../../demo/apps/friends')] });

test('a gadget of the demo is mounted, and its calls are known', async ({ gadget }) => {
  await gadget.mount();
  await expect(gadget.frame.getByRole('button', { name: 'Bo Sand' })).toBeVisible();
  await gadget.settled();
  expect(gadget.calls.map(({ operation }) => operation)).toContain('people.get');
  expect(gadget.refusals).toEqual([]);
});

test('a second member looks at the same world', async ({ gadget, gantry }) => {
  await gadget.mount();
  const other = await gantry.open('m-2');
  await other.mount();
  await expect(other.frame.getByRole('button').first()).toBeVisible();
});
