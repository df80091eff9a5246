import { join } from 'node:path';
import { expect, test } from '@gantry/testing';

// Ten scenarios for twenty members each: 200 tests, which `npm run proof` repeats.

test.use({ apps: [join(import.meta.dirname, '../../examples/testing/harbour')] });

const members = Array.from({ length: 20 }, (_, index) => `m-${index + 1}`);

for (const persona of members) {
  test.describe(`as ${persona}`, () => {
    test.use({ scenario: { persona } });

    test('shows who looks, and friends', async ({ gadget }) => {
      await gadget.mount();
      await expect(gadget.frame.getByRole('heading')).toHaveText(/^Hello ./);
      await expect(gadget).toHaveCalledOnce('people.get', { groupId: '@friends' });
      await expect(gadget).toHaveNoRefusals();
    });

    test('saves a note', async ({ gadget }) => {
      await gadget.mount();
      await gadget.frame.getByLabel('Note').fill('Low water');
      await gadget.frame.getByRole('button', { name: 'Save' }).click();
      await expect(gadget.frame.getByRole('status')).toHaveText('Saved.');
      await expect(gadget).toKeepWrites();
    });

    test('writes once over a lost reply', async ({ gadget, gantry }) => {
      await gadget.mount();
      await gadget.settled();
      gantry.faults.once('activities.create').dropReply();
      await gadget.frame.getByRole('button', { name: 'Tell' }).click();
      await expect(gadget.frame.getByRole('status')).toHaveText('Told.');
      await expect(gadget).toKeepWrites();
    });

    test('reminds after thirty seconds', async ({ gadget, gantry }) => {
      await gadget.mount();
      await gadget.settled();
      await gadget.frame.getByRole('button', { name: 'Remind me' }).click();
      await gantry.clock.jump(30_000);
      await expect(gadget.frame.getByRole('status')).toHaveText(/^It is time/);
    });

    test('keeps what is written without a connection', async ({ gadget, gantry }) => {
      await gadget.mount();
      await gadget.settled();
      await gantry.network.offline(async () => {
        await gadget.frame.getByLabel('Note').fill('Written at sea');
        await gadget.frame.getByRole('button', { name: 'Save' }).click();
      });
      await expect(gadget.frame.getByRole('status')).toHaveText('Saved.');
      await expect(gadget).toKeepWrites();
    });

    test('shows what a friend tells meanwhile', async ({ gadget, gantry }) => {
      await gantry.social.seed({ members: [{ id: 'quay', displayName: 'Quay' }], friendships: [['quay', persona]] });
      await gadget.mount();
      await gadget.settled();
      await gantry.social.as('quay').post('Ice on the slip');
      await expect(gadget.frame.getByRole('listitem').filter({ hasText: 'Ice on the slip' })).toBeVisible();
    });

    test('asks first, and works once allowed', async ({ gadget, gantry }) => {
      await gadget.mount(undefined, { permissions: 'none' });
      await gantry.consent.allow();
      await expect(gadget.frame.getByRole('heading')).toHaveText(/^Hello ./);
    });

    test('says what did not work', async ({ gadget, gantry }) => {
      gantry.calls.once('people.get', (call) => call.fail(503));
      await gadget.mount();
      await expect(gadget.frame.getByRole('status')).toHaveText(/^That did not work/);
    });

    test('stays in place, and receives no birthday', async ({ gadget }) => {
      await gadget.mount();
      await expect(gadget).toStayInPlace();
      await expect(gadget).not.toHaveReceived('birthday');
    });

    test('is for everybody', async ({ gadget }) => {
      await gadget.mount();
      await expect(gadget.frame.getByRole('heading')).toHaveText(/^Hello ./);
      await expect(gadget).toBeAccessible();
      await expect(gadget).toBeWalkableByKeyboard();
    });
  });
}
