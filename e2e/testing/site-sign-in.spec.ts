import { signIn } from '../../packages/testing/src/site-mode/sign-in.ts';
import { expect, passwordOf, test } from '../account-site.ts';

test("a member of a running site is signed in by password, by the site's own form, by cookies and by a saved state", async ({
  browser,
  site,
}, testInfo) => {
  const home = `${site.url}/account/apps`;
  const isSignedIn = async (member: Parameters<typeof signIn>[1]['member']) => {
    const context = await browser.newContext();
    await signIn(context, { member, site: site.url });
    const page = await context.newPage();
    await page.goto(home);
    return { context, isThere: page.url() === home };
  };
  const storageState = testInfo.outputPath('ann.json');
  const first = await isSignedIn({ id: '1', password: passwordOf('1') });
  expect(first.isThere).toBe(true);
  await first.context.storageState({ path: storageState });
  const cookies = await first.context.cookies();

  expect((await isSignedIn({ cookies })).isThere).toBe(true);
  expect((await isSignedIn({ storageState })).isThere).toBe(true);
  const form = await isSignedIn({
    async signIn(page) {
      await page.goto(`${site.url}/account/sign-in`);
      await page.getByLabel('Member ID').fill('1');
      await page.getByLabel('Password').fill(passwordOf('1'));
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.waitForURL(home);
    },
  });
  expect(form.isThere).toBe(true);
  const nobody = / sees a visitor\. /;
  await expect(isSignedIn({ cookies: [] })).rejects.toThrow(nobody);
  await expect(isSignedIn({ storageState: { cookies: [], origins: [] } as never })).rejects.toThrow(nobody);
  await expect(
    isSignedIn({
      async signIn(page) {
        await page.goto(`${site.url}/account/sign-in`);
        await page.getByLabel('Member ID').fill('1');
        await page.getByLabel('Password').fill('wrong');
        await page.getByRole('button', { name: 'Sign in' }).click();
      },
    }),
  ).rejects.toThrow(/^The signIn function signed nobody in: it ended at http\S+\/account\/sign-in, /);
  await expect(isSignedIn({ id: '1', password: 'wrong' })).rejects.toThrow(
    /^The site did not sign 1 in: .* answered 401\.$/,
  );
});
