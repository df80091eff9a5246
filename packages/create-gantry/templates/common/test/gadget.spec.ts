import { expect, test } from '@playwright/test';

// `mount` opens a story of stories.gadget.ts in the dev host, which playwright.config.ts starts.

test('shows the friends of the member who looks, with their notes', async ({ mount }) => {
  const gadget = (await mount('my-gadget/friends')).frameLocator('iframe');
  await expect(gadget.getByRole('listitem')).toHaveText([/Bo Sand.*Painting the boat/s, /Cy Marsh/]);
});

test('keeps a note', async ({ mount }) => {
  const gadget = (await mount('my-gadget/friends')).frameLocator('iframe');
  await gadget.getByLabel('Your note').fill('Low tide at seven');
  await gadget.getByLabel('Your note').press('Enter');
  await expect(gadget.getByRole('status')).toHaveText('Saved. Your friends can read it here.');
});

test('says so where there are no friends yet', async ({ mount }) => {
  const gadget = (await mount('my-gadget/noFriends')).frameLocator('iframe');
  await expect(gadget.getByText('No friends yet')).toBeVisible();
});

test('asks members to sign in who are not', async ({ mount }) => {
  const gadget = (await mount('my-gadget/signedOut')).frameLocator('iframe');
  await expect(gadget.getByText('Sign in to see your friends')).toBeVisible();
  await expect(gadget.getByLabel('Your note')).toBeHidden();
});

test('can be tried again where there is no connection', async ({ mount }) => {
  const gadget = (await mount('my-gadget/offline')).frameLocator('iframe');
  await expect(gadget.getByRole('status')).toHaveText('That did not work just now.');
  await expect(gadget.getByRole('button', { name: 'Try again' })).toBeVisible();
});
