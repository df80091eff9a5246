import { expect, passwordOf, test } from './account-site.ts';
import { press } from './choose.ts';
import { inspect } from './inspect.ts';

test('a member signs in, allows, and the consumer acts for them until they revoke it (contract §5)', async ({
  page,
  site,
  consumer,
}) => {
  const client = consumer.client({ key: 'printer' });
  const request = await client.requestToken();
  await page.goto(client.authorizeUrl(request));
  await page.getByLabel('Member ID').fill('1');
  await page.getByLabel('Password').fill(passwordOf('1'));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Photo printer asks to use your account');
  await press(page.getByRole('button', { name: 'Allow' }));
  await expect(page.getByRole('heading')).toHaveText('Welcome back');
  expect(consumer.called().get('oauth_token')).toBe(request.token);
  const access = await client.accessToken(request, consumer.called().get('oauth_verifier') ?? '');
  const friends = await client.get('/people/@me/@friends', access);
  expect(JSON.parse(friends.body)).toMatchObject({ entry: [{ id: '2', displayName: 'Bo Whelk' }], totalResults: 1 });

  await page.goto(`${site.url}/account/apps`);
  await page.getByText('Take back: Photo printer').click();
  await press(page.getByRole('button', { name: 'Take back now' }));
  await expect(page.getByRole('status')).toHaveText('Access was taken back. It is refused from now on.');
  expect((await client.get('/people/@me/@friends', access)).status).toBe(401);
});

test('a member denies, and the consumer gets the denial (contract §5)', async ({ page, consumer, signIn }) => {
  await signIn('1');
  const client = consumer.client({ key: 'printer' });
  const request = await client.requestToken();
  await page.goto(client.authorizeUrl(request));
  await press(page.getByRole('button', { name: 'Deny' }));
  await expect(page.getByRole('heading')).toHaveText('Welcome back');
  expect(Object.fromEntries(consumer.called())).toEqual({
    oauth_token: request.token,
    oauth_problem: 'permission_denied',
  });
  await expect(client.accessToken(request, 'x')).rejects.toMatchObject({ statusCode: 401 });
});

test('out of band, the member copies the verifier with a button (contract §5)', async ({
  page,
  context,
  site,
  consumer,
  signIn,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: site.url });
  await signIn('1');
  const client = consumer.client({ key: 'printer', callback: 'oob' });
  const request = await client.requestToken();
  await page.goto(client.authorizeUrl(request));
  await inspect(page, 'consent-oob');
  await press(page.getByRole('button', { name: 'Allow' }));
  await page.getByRole('button', { name: 'Copy' }).click();
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
  await inspect(page, 'verifier');
  const verifier = await page.evaluate(() => navigator.clipboard.readText());
  const access = await client.accessToken(request, verifier);
  expect((await client.get('/people/@me/@self', access)).status).toBe(200);
});

test('an administrator allows a consumer to act for every member (contract §5)', async ({ page, consumer, signIn }) => {
  await signIn('1');
  const client = consumer.client({ key: 'backup', flow: 'admin' });
  const request = await client.requestToken();
  await page.goto(client.authorizeUrl(request));
  await expect(page.getByRole('heading')).toHaveText('For administrators only');
  await inspect(page, 'not-admin');
  await page.getByRole('button', { name: 'Use another account' }).click();
  await page.getByLabel('Member ID').fill('9');
  await page.getByLabel('Password').fill(passwordOf('9'));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Nightly backup asks to act for every member');
  await inspect(page, 'consent-admin');
  await press(page.getByRole('button', { name: 'Allow' }));
  await expect(page.getByRole('heading')).toHaveText('Welcome back');
  const access = await client.accessToken(request, consumer.called().get('oauth_verifier') ?? '');
  const answer = await client.get('/people/@me/@friends?xoauth_requestor_id=2', access);
  expect(JSON.parse(answer.body)).toMatchObject({ entry: [{ id: '1' }] });
});

test('a member makes a key, sees its secret once, and revokes it', async ({ page, site, signIn }) => {
  await signIn('1');
  await inspect(page, 'apps-empty');
  await page.getByRole('link', { name: 'API keys' }).click();
  await inspect(page, 'keys-empty');
  await page.getByLabel('Name').fill('My <b>script</b>');
  await press(page.getByRole('button', { name: 'Make a key' }));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your new key');
  await inspect(page, 'key-made');
  const secret = await page.locator('#secret').innerText();
  await page.getByRole('link', { name: 'I have kept it' }).click();
  await expect(page.getByRole('heading', { name: 'My <b>script</b>' })).toBeVisible();
  expect(await page.content()).not.toContain(secret);
  await inspect(page, 'keys');
  await page.getByText('Revoke: My <b>script</b>').click();
  await inspect(page, 'keys-revoking');
  await press(page.getByRole('button', { name: 'Revoke now' }));
  await expect(page.getByRole('status')).toContainText('The key is revoked.');
  await page.goBack();
  await page.goto(`${site.url}/account/keys`);
  await expect(page.getByText('No keys yet')).toBeVisible();
});

test('a click that was meant for another page presses nothing, nor does one after the page regained focus (security rule 26)', async ({
  page,
  consumer,
  signIn,
}) => {
  await signIn('1');
  const client = consumer.client({ key: 'printer' });
  const request = await client.requestToken();
  await page.clock.install();
  await page.goto(client.authorizeUrl(request));
  await page.clock.pauseAt(Date.now() + 60_000);
  const allow = page.getByRole('button', { name: 'Allow' });
  await expect(allow).toHaveAttribute('aria-disabled', 'false'); // the time has passed
  const say = (target: 'document' | 'window', name: string) => () =>
    page.evaluate(([on, event]) => window[on].dispatchEvent(new Event(event)), [target, name] as const);
  const causes = [
    say('window', 'focus'),
    say('window', 'pageshow'),
    say('document', 'visibilitychange'),
    () => page.setViewportSize({ width: 700, height: 700 }),
  ];
  for (const cause of causes) {
    await cause();
    await expect(allow).toHaveAttribute('aria-disabled', 'true');
    await page.clock.runFor(499);
    await expect(allow).toHaveAttribute('aria-disabled', 'true');
    await allow.click({ force: true });
    await allow.press('Enter');
    await page.clock.runFor(1);
    await expect(allow).toHaveAttribute('aria-disabled', 'false');
  }
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Photo printer asks to use your account');
  await page.clock.resume();
  // Control: now the click counts, unless all of this took less than half a second.
  await expect(async () => {
    await press(allow);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome back', { timeout: 2_000 });
  }).toPass();
});

test('a form that is sent at once, past the script, comes back with the reason and the typed values (security rule 26)', async ({
  page,
  signIn,
}) => {
  await signIn('1');
  await page.getByRole('link', { name: 'API keys' }).click();
  // Submitted with the load, faster than a person can.
  await page.addInitScript(() => {
    addEventListener('DOMContentLoaded', () => {
      const form = document.querySelector<HTMLFormElement>('form[action="/account/keys"]');
      if (form && !document.querySelector('[role=alert]')) {
        (form.elements.namedItem('title') as HTMLInputElement).value = 'Hurried';
        form.submit();
      }
    });
  });
  await page.reload();
  await expect(page.getByRole('alert')).toContainText('Nothing was changed.');
  await expect(page.getByLabel('Name')).toHaveValue('Hurried');
  await inspect(page, 'keys-too-soon');
  await expect(page.getByText('No keys yet')).toBeVisible();
});

test('everything works with the keyboard alone and without scripts', async ({ browser, site, consumer }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  const client = consumer.client({ key: 'printer' });
  const request = await client.requestToken();
  await page.goto(client.authorizeUrl(request));
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.type('2');
  await page.keyboard.press('Tab');
  await page.keyboard.type(passwordOf('2'));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('asks to use your account');
  // Too soon: the page comes back with the reason, and the button is pressed once more.
  await expect(async () => {
    const allow = page.getByRole('button', { name: 'Allow' });
    while (!(await allow.evaluate((button) => button === document.activeElement))) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading')).toHaveText('Welcome back', { timeout: 2_000 });
  }).toPass();
  await client.accessToken(request, consumer.called().get('oauth_verifier') ?? '');
  await page.goto(`${site.url}/account/apps`);
  await page.getByText('Take back: Photo printer').focus();
  await page.keyboard.press('Enter');
  await expect(async () => {
    await page.getByRole('button', { name: 'Take back now' }).focus({ timeout: 2_000 }); // the question stays open
    await page.keyboard.press('Enter');
    await expect(page.getByRole('status')).toContainText('taken back', { timeout: 2_000 });
  }).toPass();
  await context.close();
});

test('a title with markup is text, and the page’s policy would not run it either (security rule 7)', async ({
  page,
  consumer,
  signIn,
}) => {
  await signIn('1');
  const client = consumer.client({ key: 'evil' });
  await page.goto(client.authorizeUrl(await client.requestToken()));
  await expect(page.getByRole('heading', { level: 1 })).toContainText('<img src=x onerror="document.title=1">');
  expect(await page.locator('img').count()).toBe(0);
  const refused = page.waitForEvent('console', (message) => message.text().includes('Content Security Policy'));
  await page.evaluate(() => {
    document.querySelector('h1')?.insertAdjacentHTML('beforeend', '<img src="data:," onerror="document.title = 1">');
  });
  await refused; // control: even markup that got in does not run
  expect(await page.title()).toBe('Use your account? · Tern Quay');
});

test('sign-in and password change refuse a wrong password, and signing out is confirmed', async ({
  page,
  site,
  signIn,
}) => {
  await page.goto(`${site.url}/account/sign-in`);
  await inspect(page, 'sign-in');
  await page.getByLabel('Member ID').fill('2');
  await page.getByLabel('Password').fill('wrong');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('alert')).toContainText('do not go together');
  await inspect(page, 'sign-in-wrong');
  await signIn('2');
  await page.getByRole('link', { name: 'Password' }).click();
  await inspect(page, 'password');
  await page.getByLabel('Present password').fill('wrong');
  await page.getByLabel('New password').fill('bo has two dogs');
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByRole('alert')).toHaveText('That is not your present password.');
  await inspect(page, 'password-wrong');
  await page.goto(`${site.url}/oauth/authorize?oauth_token=never`);
  await expect(page.getByRole('heading')).toHaveText('This request is over');
  await inspect(page, 'over');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByRole('status')).toHaveText('You are signed out.');
  await inspect(page, 'signed-out');
});

test('an administrator chooses for whom a key speaks', async ({ page, signIn }) => {
  await signIn('9');
  await page.getByRole('link', { name: 'API keys' }).click();
  await page.getByText('How it signs').click();
  await inspect(page, 'keys-admin');
  await page.getByLabel('Name').fill('x');
  await page.getByRole('radio', { name: 'As an administrator' }).check();
  await press(page.getByRole('button', { name: 'Make a key' }));
  await page.getByRole('link', { name: 'I have kept it' }).click();
  await expect(
    page.getByRole('listitem').filter({ hasText: 'x' }).getByText('Administrator', { exact: true }),
  ).toBeVisible();
});
