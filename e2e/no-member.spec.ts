import { importWorld } from '@gantry/service';
import type { Page } from '@playwright/test';
import { expect, frameOf, test } from './hosted.ts';

// A page whose session names an id that no member has (security rule 37).

const page = '<!doctype html><html lang="en"><title>App</title><p>Here</p><script src="/gantry/osapi.js"></script>';
test.use({ apps: { notes: { 'index.html': page } }, asking: ['notes'] });

const gadget = '<gantry-gadget app="notes" heading></gantry-gadget>';
const card = (page: Page) => page.locator('[part=card]');

test('a gadget says that its viewer is no member yet, asks for nothing, and starts once they are', async ({
  show,
  hosted,
}) => {
  const page = await show(gadget, { viewer: 'ghost' });
  await expect(card(page)).toContainText('is no member of this site yet');
  await expect(page.locator('iframe')).toHaveCount(0);
  await importWorld(
    hosted.stores.db,
    { members: [{ id: 'ghost', displayName: 'Gil' }] },
    { ...hosted.stores, folder: '' },
  );
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('button', { name: 'Allow' })).toBeVisible(); // control: a member is asked
});

test('a visitor without a session sees what visitors see', async ({ show }) => {
  const page = await show(gadget, { viewer: '' });
  await expect(frameOf(page, 'notes').getByText('Here')).toBeVisible();
  await expect(card(page)).toHaveCount(0);
});

test('a removed member cannot allow apps, although their session goes on', async ({ show, hosted }) => {
  const { stores } = hosted;
  const save = (world: object) => importWorld(stores.db, world, { ...stores, folder: '' });
  await save({ members: [{ id: 'gone', displayName: 'Gus' }] });
  const page = await show(gadget, { viewer: 'gone' });
  const allow = page.getByRole('button', { name: 'Allow' });
  await expect(allow).toBeVisible();
  await save({ members: [{ id: 'gone', deleted: true }] });
  await page.reload();
  await expect(card(page)).toContainText('is no member of this site yet');
  await expect(allow).toHaveCount(0);
});
