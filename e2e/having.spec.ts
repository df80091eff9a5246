import { rm } from 'node:fs/promises';
import type { Browser, Locator, Page } from '@playwright/test';
import { choose } from './choose.ts';
import { isDrawn } from './hosted.ts';
import { expectAccessible } from './inspect.ts';
import { appId, demoSite, ownSite, proxiedSite, type ScoreSite, writeFromGuide } from './score-sites.ts';
import { expect, test } from './site.ts';

let folder: string;
test.beforeAll(async () => {
  folder = await writeFromGuide();
});
test.afterAll(() => rm(folder, { recursive: true }));

/** Opens the site's page with the app, in a browser of its own, signed in. */
async function visit(browser: Browser, site: ScoreSite, member: string): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 1200 } });
  await context.addCookies([{ name: site.cookie, value: member, url: site.url }]);
  const page = await context.newPage();
  await page.goto(site.url + site.page);
  return page;
}

const gadget = (page: Page): Locator => page.locator(`gantry-gadget[app="${appId}"]`);
const inside = (page: Page) => page.frameLocator(`gantry-gadget[app="${appId}"] iframe`);
const mine = (page: Page) => inside(page).locator('#mine');
const friends = (page: Page) => inside(page).getByRole('listitem');

async function play(page: Page): Promise<void> {
  await isDrawn(gadget(page));
  await inside(page).getByRole('button', { name: 'Play' }).click();
}

/** Revokes all permissions in the gadget's menu. */
async function takeBack(page: Page, { removesData }: { readonly removesData: boolean }): Promise<void> {
  await gadget(page).getByRole('button', { name: 'Options for Score' }).click();
  await gadget(page).getByRole('button', { name: 'Permissions…' }).click();
  const dialog = page.getByRole('dialog');
  const button = dialog.getByRole('button', { name: 'Take all of it back' });
  await expect(button).toHaveAttribute('aria-disabled', 'false');
  await expectAccessible(page, 'permissions that can be taken back');
  if (removesData) await dialog.getByLabel('also remove what it has saved for me').check();
  await button.click();
  await expect(gadget(page).getByRole('button', { name: 'Allow' })).toBeVisible();
}

/**
 * Tests a score's life: saved, seen by a friend, hidden after a withdrawal, restored, and removed.
 */
async function keepScores(browser: Browser, site: ScoreSite): Promise<void> {
  await site.add(folder);
  const [first, second] = site.friends;
  const [one, two] = [await visit(browser, site, first), await visit(browser, site, second)];
  for (const page of [one, two]) await choose(gadget(page), 'Allow');
  await expect(mine(one)).toHaveText('0');
  await play(one);
  await expect(mine(one)).toHaveText('1');
  await expect(friends(two)).toHaveText([/: 1$/]);
  await one.reload();
  await expect(mine(one)).toHaveText('1');

  await takeBack(one, { removesData: false });
  await expect(friends(two)).toHaveCount(0); // without a reload
  await choose(gadget(one), 'Allow');
  await expect(mine(one)).toHaveText('1');
  await expect(friends(two)).toHaveText([/: 1$/]);

  await takeBack(one, { removesData: true });
  await choose(gadget(one), 'Allow');
  await expect(mine(one)).toHaveText('0');
  await expect(friends(two)).toHaveCount(0); // without a reload
  await play(one);
  await expect(mine(one)).toHaveText('1');
}

test('a gadget written from the guide keeps a score and shows a friend’s in the demo (contract §6)', async ({
  browser,
  demo,
}) => {
  await keepScores(browser, await demoSite(demo));
});

test('the gadget keeps a score on a site with its own members, and the account page withdraws it with its data (contract §6)', async ({
  browser,
}) => {
  const site = await ownSite();
  await keepScores(browser, site);
  const page = await visit(browser, site, site.friends[0]);
  await page.goto(`${site.url}/account/apps`);
  const row = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Score' }) });
  await row.getByText('Take back: Score').click();
  await row.getByLabel('Also remove what it saved for me').check();
  await row.getByRole('button', { name: 'Take back now' }).click();
  await expect(page.getByRole('status')).toContainText('Access was taken back');
  await page.goto(site.url + site.page);
  await choose(gadget(page), 'Allow');
  await expect(mine(page)).toHaveText('0');
  await site.close();
});

test('the gadget keeps scores behind gantry proxy --records-key (contract §6)', async ({ browser }) => {
  const site = await proxiedSite({ isTold: true });
  await keepScores(browser, site);
  await site.close();
});

test('a site without install records refuses to save, and the container says that the site must give the app', async ({
  browser,
}) => {
  const site = await proxiedSite({ isTold: false });
  await site.add(folder);
  const page = await visit(browser, site, site.friends[0]);
  await choose(gadget(page), 'Allow');
  await expect(mine(page)).toHaveText('0');
  await play(page);
  const card = gadget(page).getByRole('status').filter({ hasText: 'Score cannot save anything for you here.' });
  await expect(card).toContainText('This site has to add it to your apps first.');
  await expectAccessible(page, 'an app that the site has to give');
  await card.getByRole('button', { name: 'Close' }).click();
  await expect(card).toHaveCount(0);
  await gadget(page).getByRole('button', { name: 'Options for Score' }).click();
  await gadget(page).getByRole('button', { name: 'Permissions…' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expect(page.getByRole('dialog').getByLabel('also remove')).toHaveCount(0);
  await site.close();
});
