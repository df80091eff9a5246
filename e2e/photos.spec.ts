import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { press } from './choose.ts';
import { inspect } from './inspect.ts';
import { expect, test } from './site.ts';

async function picture(name: string, background: string): Promise<{ name: string; mimeType: string; buffer: Buffer }> {
  const image = sharp({ create: { width: 1200, height: 800, channels: 3, background } });
  return { name, mimeType: 'image/jpeg', buffer: await image.jpeg().toBuffer() };
}

const broken = { name: 'broken.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('no picture at all') };

async function makeAlbum(page: Page, title: string): Promise<void> {
  await page.getByRole('link', { name: 'New album' }).click();
  await page.getByLabel('Title').fill(title);
  await page.getByLabel('All members of the site').check();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
}

test('a member makes an album and adds photos, and apps show them', async ({ visit, gadget }) => {
  const page = await visit('/account/photos', '9'); // gadgets may show cached data for five seconds
  await inspect(page, 'albums');
  await page.getByRole('link', { name: 'New album' }).click();
  await inspect(page, 'new album');
  await page.goBack();
  await makeAlbum(page, 'Slipway at dawn');
  await expect(page.getByText('No photos yet')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Show the album' })).toBeHidden();
  await page
    .getByLabel('Photos', { exact: true })
    .setInputFiles([await picture('first.jpg', 'teal'), broken, await picture('second.jpg', 'coral')]);
  await page.getByRole('button', { name: 'Add photos' }).click();
  await expect(page.getByText('2 of 3 photos added.')).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: 'broken.jpg' })).toContainText('This is no photo');
  await inspect(page, 'refused upload');
  await page.getByRole('link', { name: 'Show the album' }).click();
  await expect(page.getByText('2 photos', { exact: true })).toBeVisible();

  await page.getByLabel('Photos', { exact: true }).setInputFiles(await picture('third.jpg', 'gold'));
  await page.getByRole('button', { name: 'Add photos' }).click();
  await expect(page.getByRole('status').filter({ visible: true })).toHaveText('The photo is in the album.');
  await expect
    .poll(() =>
      page.locator('img.picture').evaluateAll((all) => all.every((one) => (one as HTMLImageElement).naturalWidth > 0)),
    )
    .toBe(true);
  await inspect(page, 'album');

  await page.setViewportSize({ width: 1280, height: 2400 });
  await gadget.find('photos', { page: '/' });
  await expect(page.getByRole('link', { name: 'Add photos' })).toHaveAttribute('href', '/account/photos');
  // By key: gadgets above resize now, and a click could miss the album.
  await gadget.frame.getByRole('button', { name: 'Slipway at dawn 3 photos' }).press('Enter');
  await expect(gadget.frame.getByRole('img', { name: 'third' })).toBeVisible();
});

test('a member captions, restricts and deletes a photo', async ({ visit, request }) => {
  const page = await visit('/account/photos', '9');
  await makeAlbum(page, 'Nets');
  const album = page.url();
  await page.getByLabel('Photos', { exact: true }).setInputFiles(await picture('net.jpg', 'navy'));
  await page.getByRole('button', { name: 'Add photos' }).click();
  await page.getByRole('link', { name: 'net' }).click();
  const photo = page.getByRole('img', { name: 'net', exact: true });
  const before = await photo.evaluate((image: HTMLImageElement) => image.src);
  expect((await request.get(before)).status()).toBe(200);
  await inspect(page, 'photo');
  await page.getByLabel('Caption').fill('Mending, at last');
  await page.getByLabel('Only me').check();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('status')).toHaveText('The photo is saved.');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Mending, at last');
  expect((await request.get(before)).status()).toBe(404);
  await page.getByText('Delete photo: Mending, at last').click();
  const remove = page.getByRole('button', { name: 'Delete it now' });
  await expect(remove).toHaveAttribute('aria-disabled', 'false');
  await remove.press('Enter');
  await expect(page.getByRole('status').filter({ visible: true })).toHaveText('The photo is deleted.');
  await page.goto(`${album}/edit`);
  await inspect(page, 'edit album');
  await page.getByText('Delete album: Nets').click();
  await press(page.getByRole('button', { name: 'Delete it now' }));
  await expect(page.getByRole('status')).toHaveText('The album is deleted, and its photos with it.');
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('a form adds several photos', async ({ visit }) => {
    const page = await visit('/account/photos', '9');
    await makeAlbum(page, 'Plain');
    const files = page.getByLabel('Photos', { exact: true });
    await files.setInputFiles([await picture('one.jpg', 'teal'), await picture('two.jpg', 'coral')]);
    await page.getByRole('button', { name: 'Add photos' }).click();
    await expect(page.getByRole('status').filter({ visible: true })).toHaveText('2 photos are in the album.');
    await files.setInputFiles(broken);
    await page.getByRole('button', { name: 'Add photos' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('No photo was added');
    await expect(page.getByRole('listitem')).toContainText('This is no photo');
  });
});
