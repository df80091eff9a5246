import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { unseal } from '@gantry/store';
import type { CallsRequest } from '@gantry/wire';
import type { Page, Request } from '@playwright/test';
import { choose, press } from './choose.ts';
import { expectAccessible } from './inspect.ts';
import { expect, gadget, test } from './site.ts';
import { stored } from './stored.ts';

/** Every secret and consumer key of a data folder, sealed ones in both forms. */
function secretsOf(data: string): string[] {
  const keys = JSON.parse(readFileSync(`${data}/keys.json`, 'utf8'));
  const db = new DatabaseSync(`${data}/gantry.db`, { readOnly: true });
  const rows = db.prepare('select id, consumer_key, consumer_secret from app_registrations').all();
  db.close();
  const ofApps = rows.flatMap(({ id, consumer_key: key, consumer_secret: sealed }) => {
    const secret = unseal(Buffer.from(keys.secretKey, 'base64url'), String(sealed), `app/${id}`);
    return [String(key), String(sealed), secret];
  });
  return [...ofApps, keys.secretKey, ...keys.tokenKeys.map(({ key }: { key: string }) => key)];
}

const apps = ['friends', 'stream', 'notes', 'photos'];

async function allShown(page: Page): Promise<void> {
  await expect(gadget(page, 'friends').getByRole('listitem').first()).toBeVisible();
  await expect(
    gadget(page, 'stream').getByRole('list', { name: 'Activities' }).getByRole('listitem').first(),
  ).toBeVisible();
  await expect(gadget(page, 'notes').getByRole('button', { name: 'New note' })).toBeVisible();
  await expect(gadget(page, 'photos').getByRole('listitem').first()).toBeVisible();
}

function posts(page: Page, path: string): Request[] {
  const seen: Request[] = [];
  page.on('request', (request) => request.method() === 'POST' && request.url().endsWith(path) && seen.push(request));
  return seen;
}

test('a first visit is signed in as member 1 and every gadget shows its data', async ({ visit }) => {
  const page = await visit('/');
  await allShown(page);
  await expect(gadget(page, 'friends').getByText(/^1–20 of \d+$/)).toBeVisible();
  await gadget(page, 'friends').getByRole('button', { name: 'Next' }).click();
  await expect(gadget(page, 'friends').getByText(/^21–\d+ of \d+$/)).toBeVisible();
  await gadget(page, 'photos').getByRole('listitem').first().getByRole('button').click();
  const photo = gadget(page, 'photos').getByRole('region', { name: /./ }).getByRole('img').first();
  await expect(photo).toHaveJSProperty('complete', true);
  await expect.poll(() => photo.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBeGreaterThan(100);
});

test('a note survives a reload', async ({ visit }) => {
  const page = await visit('/', '1');
  await allShown(page);
  await gadget(page, 'notes').getByRole('button', { name: 'New note' }).click();
  await gadget(page, 'notes').getByRole('textbox', { name: 'Note' }).first().fill('Buy varnish for the boat');
  await expect(
    gadget(page, 'notes')
      .getByText(/^Saved at/)
      .first(),
  ).toBeVisible();
  await page.reload();
  await expect(gadget(page, 'notes').getByRole('textbox', { name: 'Note' }).first()).toHaveValue(
    'Buy varnish for the boat',
  );
});

test('a post appears, and the next one is held back with a countdown', async ({ visit }) => {
  const page = await visit('/', '1');
  await allShown(page);
  const stream = gadget(page, 'stream');
  await stream.getByRole('textbox', { name: 'What is new?' }).fill('The tide is unusually low today');
  await stream.getByRole('button', { name: 'Post' }).click();
  await expect(
    stream.getByRole('list', { name: 'Activities' }).getByText('The tide is unusually low today'),
  ).toBeVisible();
  await expect(stream.getByRole('button', { name: /^Post in \d+ s$/ })).toBeDisabled();
  // The service has the last word: a reloaded page does not know of the first post and asks too soon.
  await page.reload();
  await expect(
    stream.getByRole('list', { name: 'Activities' }).getByText('The tide is unusually low today'),
  ).toBeVisible();
  await stream.getByRole('textbox', { name: 'What is new?' }).fill('And another thing');
  await stream.getByRole('button', { name: 'Post' }).click();
  await expect(stream.getByRole('button', { name: /^Post in \d+ s$/ })).toBeDisabled();
  await expect(stream.getByRole('textbox', { name: 'What is new?' })).toHaveValue('And another thing');
});

test('another member sees other data and nothing of the first', async ({ visit, context }) => {
  const first = await visit('/', '1');
  await allShown(first);
  await gadget(first, 'notes').getByRole('button', { name: 'New note' }).click();
  await gadget(first, 'notes').getByRole('textbox', { name: 'Note' }).first().fill('Only mine to read');
  await expect(
    gadget(first, 'notes')
      .getByText(/^Saved at/)
      .first(),
  ).toBeVisible();
  const friendsOfFirst = await gadget(first, 'friends').getByRole('listitem').allInnerTexts();
  const second = await visit('/', '2'); // the same browser, with everything that it has cached
  await allShown(second);
  expect(await gadget(second, 'friends').getByRole('listitem').allInnerTexts()).not.toEqual(friendsOfFirst);
  for (const frame of second.frames()) expect(await frame.content()).not.toContain('Only mine to read');
  const kept = async () => JSON.stringify(await stored(second));
  await expect.poll(kept).toContain('displayName'); // control: it is there that results are kept
  await expect.poll(kept).not.toContain('Only mine to read');
  expect(await context.cookies()).toHaveLength(1);
});

test('nobody signed in: gadgets say so instead of failing', async ({ visit }) => {
  const page = await visit('/', 'none');
  for (const app of apps) await expect(gadget(page, app).getByRole('status').first()).toContainText(/sign in/i);
});

test('the first paint of four gadgets is one POST for instances and one for what manifests preload', async ({
  visit,
  page,
}) => {
  const instances = posts(page, '/gantry/instances');
  const calls = posts(page, '/gantry/calls');
  await visit('/', '3');
  await allShown(page);
  expect(instances).toHaveLength(1);
  expect(calls.length).toBeLessThanOrEqual(apps.length);
  expect((JSON.parse(calls[0]?.postData() ?? '{}') as { calls: object[] }).calls.length).toBeGreaterThan(apps.length);
});

test('calls of one tick of a gadget are one message and one POST, the same call is asked once', async ({
  visit,
  page,
}) => {
  await visit('/', '1');
  await allShown(page);
  const calls = posts(page, '/gantry/calls');
  const frame = page.frames().find((one) => one.url().includes('/gantry/apps/friends/'));
  const messages = await frame?.evaluate(async () => {
    let count = 0;
    const send = MessagePort.prototype.postMessage;
    MessagePort.prototype.postMessage = function (this: MessagePort, ...args: unknown[]) {
      if (JSON.stringify(args[0]).includes('aboutMe')) count += 1; // heights and heartbeats cross there too
      return Reflect.apply(send, this, args);
    };
    const { osapi } = globalThis as unknown as { osapi: { people: { get(params: object): PromiseLike<unknown> } } };
    const ids = ['201', '202', '203', '204', '204'];
    await Promise.all(ids.map((userId) => osapi.people.get({ userId, fields: ['aboutMe', 'birthday'] })));
    return count;
  });
  expect(messages).toBe(1);
  // What the gadgets ask of their own accord meanwhile is not counted.
  const asked = calls.map((post) =>
    (JSON.parse(post.postData() ?? '') as CallsRequest).calls.flatMap(({ params }) =>
      /^20[1-4]$/.test(String(params.userId)) ? [params.userId] : [],
    ),
  );
  expect(asked.filter((ids) => ids.length > 0)).toEqual([['201', '202', '203', '204']]);
});

test('a second visit paints from the cache while it asks again', async ({ visit, page, quiet }) => {
  await visit('/', '4');
  await allShown(page);
  await quiet();
  const keptFor = async () =>
    JSON.stringify((await stored(page))['gantry/results']?.map((result) => Reflect.get(result as object, 'scope')));
  for (const app of apps) await expect.poll(keptFor).toContain(`"app":"${app}"`);
  await page.route('**/gantry/calls', () => {}); // the network never answers
  await page.reload();
  await expect(gadget(page, 'friends').getByRole('listitem').first()).toBeVisible();
});

test('an app frame asks for its own files and for pictures from origins that its headers name, never for an API', async ({
  visit,
  page,
  site,
  quiet,
}) => {
  const own: string[] = [];
  page.on('request', (request) => {
    if (request.frame() !== page.mainFrame()) own.push(request.url());
  });
  await visit('/', '1');
  await allShown(page);
  await quiet();
  const allowed = new RegExp(`^(${site.url}/(gantry/(apps/|osapi\\.js|media/)|avatars/)|data:|blob:)`);
  expect(own.length).toBeGreaterThan(4);
  expect(own.filter((url) => !allowed.test(url))).toEqual([]);
  for (const frame of page.frames().slice(1)) {
    const { origin, tried } = await frame.evaluate(async () => ({
      origin: self.origin,
      tried: await fetch('/social/rest/people/@me/@self').then(
        () => 'reached',
        () => 'refused',
      ),
    }));
    expect({ origin, tried }).toEqual({ origin: 'null', tried: 'refused' });
  }
});

test('a gadget that reloads in the middle of a call comes back, and the call is settled', async ({ visit, page }) => {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  await visit('/', '1');
  await allShown(page);
  const held = Promise.withResolvers<void>();
  await page.route('**/gantry/calls', () => held.resolve(), { times: 1 });
  const aborted = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/gantry/calls'));
  const frame = page.frames().find((one) => one.url().includes('/gantry/apps/friends/'));
  await frame?.evaluate(() => {
    const { osapi } = globalThis as unknown as { osapi: { people: { get(params: object): { execute(): void } } } };
    osapi.people.get({ userId: '250', fields: ['birthday'] }).execute();
  });
  await held.promise;
  await frame?.evaluate(() => location.reload());
  await aborted; // nobody waits for it any more
  await expect(gadget(page, 'friends').getByRole('listitem').first()).toBeVisible();
  expect(errors).toEqual([]);
});

test('an app that does not exist shows a readable card with a retry, never a blank box', async ({ visit, page }) => {
  await visit('/', '1');
  await page.evaluate(() => {
    const element = document.createElement('gantry-gadget');
    element.setAttribute('app', 'nobody-made-this');
    document.querySelector('main')?.append(element);
  });
  const card = page.locator('gantry-gadget[app="nobody-made-this"]');
  await expect(card.getByRole('button', { name: /try again/i })).toBeVisible();
  await expect(card).toContainText(/no such app/i);
});

test('consumer keys and secrets appear in nothing that reaches the browser, nor in the logs (security rule 8)', async ({
  visit,
  page,
  site,
  quiet,
}) => {
  const received: string[] = [];
  const isStream = ({ pathname }: URL) => pathname === '/gantry/events'; // it does not end
  await page.route(
    (url) => !isStream(url),
    async (route) => {
      // The browser keeps a streamed answer only by chance, so it is read on its way there.
      const answer = await route.fetch({ maxRedirects: 0 });
      received.push(JSON.stringify(answer.headers()), await answer.text());
      await route.fulfill({ response: answer });
    },
  );
  await visit('/', '1');
  await allShown(page);
  await quiet();
  await page.unrouteAll({ behavior: 'wait' });
  const hidden = secretsOf(site.data);
  expect(hidden).toHaveLength(17); // of five apps key, sealed and real secret, and the site's own two
  const everything = [...received, site.output(), await page.content()].join('\n');
  expect(everything).toContain('displayName'); // control: the answers are in there
  for (const secret of hidden) expect(everything).not.toContain(secret);
  expect(everything).not.toMatch(/oauth_(consumer_key|signature)/);
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the page and every frame pass axe, and nothing is wider than 360 px (${colorScheme})`, async ({
    visit,
    page,
  }) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width: 360, height: 6000 }); // all in view: browsers slow down frames that are not
    await visit('/', '1');
    await allShown(page);
    await expect(gadget(page, 'friends').locator('[aria-busy="true"]')).toHaveCount(0);
    await expectAccessible(page, `home, ${colorScheme}`);
    for (const frame of page.frames()) {
      const over = await frame.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(over, frame.url()).toBeLessThanOrEqual(0);
    }
  });
}

test('the account’s pages know who is signed in on the site, and lead back to it', async ({ visit, site }) => {
  const page = await visit('/', '2');
  const name = await page.locator('.me-name').innerText();
  await page.getByRole('link', { name: 'Apps and sites' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Apps and sites');
  await expect(page.getByText(`Signed in as ${name}`)).toBeVisible();
  await page.getByRole('link', { name: 'API keys' }).click();
  await page.getByLabel('Name').fill('Tide table');
  await press(page.getByRole('button', { name: 'Make a key' }));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your new key');
  await visit('/account/keys', 'none');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in first');
  await expect(page.getByRole('link', { name: 'Sign in' })).toHaveAttribute('href', '/?return=%2Faccount%2Fkeys');
  await page.goto(`${site.url}/account/sign-in`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('There is no such page');
});

test('an app that the site does not vouch for asks in its card, greets only when allowed to post, and has a large view', async ({
  visit,
}) => {
  const page = await visit('/', '9');
  const card = page.locator('gantry-gadget[app="birthdays"]');
  await expect(card).toContainText('Birthdays would like to');
  await expect(card).toContainText('See your birthday and those of your friends');
  await expect(card.locator('iframe')).toHaveCount(0); // nothing of it runs yet
  await choose(card, 'Allow');
  const birthdays = gadget(page, 'birthdays');
  await expect(birthdays.getByRole('listitem').first()).toBeVisible();

  await birthdays
    .getByRole('button', { name: /^Greet/ })
    .first()
    .click();
  const text = birthdays.getByRole('textbox', { name: /on your stream/ });
  await text.fill('Many happy returns, and mind the slip');
  await birthdays.getByRole('button', { name: 'Post' }).click();
  const question = page.getByRole('dialog');
  await expect(question).toContainText('Post to your stream in your name');
  await choose(question, 'Allow');
  await expect(birthdays.getByText('Greeted').filter({ visible: true })).toBeVisible();
  await expect(gadget(page, 'stream').getByText('Many happy returns, and mind the slip').first()).toBeVisible();

  await birthdays.getByRole('button', { name: 'The whole year' }).click();
  await expect(birthdays.getByRole('heading')).toHaveCount(12);
  const height = async () => (await card.locator('iframe').boundingBox())?.height;
  await expect.poll(height).toBeGreaterThan(2_000); // of 2,400: whatever height the site's style sheet gives the tag
  await page.goBack();
  await expect(birthdays.getByRole('button', { name: 'The whole year' })).toBeVisible();
  await page.reload();
  await expect(birthdays.getByText('Greeted').filter({ visible: true })).toBeVisible(); // what was allowed and done is remembered
});
