import { expect, test } from '@gantry/testing';

test('this member', async ({ gadget }) => {
  await gadget.mount('harbour', { persona: 'm-2' });
  await expect(gadget.frame.getByRole('heading')).toHaveText('Hello Bo Sand');
});

test('these friends', async ({ gadget, gantry }) => {
  await gantry.social.seed({ members: [{ id: 'quay', displayName: 'Quay' }], friendships: [['quay', 'm-2']] });
  await gadget.mount('harbour', { persona: 'm-2' });
  await expect(gadget.frame.getByRole('list', { name: 'Friends' })).toContainText('Quay');
});

test('which calls', async ({ gadget }) => {
  await gadget.mount();
  await expect(gadget).toHaveCalledOnce('appdata.get', { keys: ['note'] });
  await expect(gadget).not.toHaveReceived('birthday');
});

test('an API error', async ({ gadget, gantry }) => {
  gantry.calls.once('people.get', (call) => call.fail(503));
  await gadget.mount();
  await expect(gadget.frame.getByRole('status')).toHaveText('That did not work: 503.');
});

test('an answer of the test', async ({ gadget, gantry }) => {
  const none = { list: [], startIndex: 0, totalResults: 0, itemsPerPage: 5 };
  gantry.calls.once('people.getFriends', (call) => call.answer(none));
  await gadget.mount();
  await gadget.settled();
  await expect(gadget.frame.getByRole('list', { name: 'Friends' }).getByRole('listitem')).toHaveCount(0);
});

test('a call that waits', async ({ gadget, gantry }) => {
  await gadget.mount();
  const post = gantry.calls.hold('activities.create');
  await gadget.frame.getByRole('button', { name: 'Tell' }).click();
  await post.arrived;
  await expect(gadget.frame.getByRole('status')).not.toHaveText('Told.');
  post.release();
  await expect(gadget.frame.getByRole('status')).toHaveText('Told.');
});

test('a reply that is lost', async ({ gadget, gantry }) => {
  await gadget.mount();
  gantry.faults.once('activities.create').dropReply();
  await gadget.frame.getByRole('button', { name: 'Tell' }).click();
  await expect(gadget).toKeepWrites();
});

test('slow', async ({ gadget, gantry }) => {
  gantry.faults.network = 'slow';
  await gadget.mount();
  await expect(gadget.frame.getByRole('heading')).toHaveText('Hello Ada Lovell');
});

test('offline', async ({ gadget, gantry }) => {
  await gadget.mount();
  await gadget.settled();
  await gantry.network.offline(async () => {
    await gadget.frame.getByLabel('Note').fill('Written at sea');
    await gadget.frame.getByRole('button', { name: 'Save' }).click();
  });
  await expect(gadget.frame.getByRole('status')).toHaveText('Saved.');
  await expect(gadget).toKeepWrites();
});

test('a second member', async ({ gadget, gantry }) => {
  await gadget.mount('harbour', { persona: 'm-1' });
  const bo = await gantry.open('m-2');
  await bo.mount('harbour');
  await bo.frame.getByLabel('Note').fill('Ice on the slip');
  await bo.frame.getByRole('button', { name: 'Tell' }).click();
  await expect(gadget.frame.getByRole('list', { name: 'Told' })).toContainText('Ice on the slip');
});

test('consent refused', async ({ gadget, gantry }) => {
  await gadget.mount('harbour', { permissions: 'none' });
  await gantry.consent.refuse();
  await expect(gadget.element.getByRole('button', { name: 'Review' })).toBeVisible();
});

test('thirty seconds later', async ({ gadget, gantry }) => {
  await gadget.mount();
  await gadget.settled();
  await gadget.frame.getByRole('button', { name: 'Remind me' }).click();
  await gantry.clock.jump(30_000);
  await expect(gadget.frame.getByRole('status')).toHaveText(/^It is time/);
});

test('stays in place', async ({ gadget }) => {
  await gadget.mount();
  await expect(gadget).toStayInPlace();
});

test('for everybody', async ({ gadget }) => {
  await gadget.mount('harbour', { theme: 'dark' });
  await expect(gadget).toBeAccessible();
  await expect(gadget).toBeWalkableByKeyboard();
});
