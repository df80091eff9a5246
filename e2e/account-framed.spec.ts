import { expect, test } from './account-site.ts';

// The headless shell never finishes loading a page whose frame was refused.

test('another site can neither send a form of these pages nor frame them', async ({ page, site, signIn, consumer }) => {
  await signIn('1');
  await page.goto(consumer.callback.replace('/back', '/'));
  await page.setContent(
    `<form method="post" action="${site.url}/account/keys"><input name="title" value="forged"><button>Go</button></form>
<iframe src="${site.url}/account/keys" title="framed"></iframe>`,
    { waitUntil: 'commit' },
  ); // a refused frame may never be loaded
  await expect(page.frameLocator('iframe').getByRole('heading', { name: 'API keys' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Go' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Sign in|That is not allowed/);
  await page.goto(`${site.url}/account/keys`);
  await expect(page.getByText('No keys yet')).toBeVisible();
});
