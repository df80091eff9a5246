import { join } from 'node:path';
import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { allowAll } from '../e2e/choose.ts';
import { inspect } from '../e2e/inspect.ts';
import { type MemberName, members, password, type RunningExample, type Start, type StartOptions } from './example.ts';

/** The example's folders of this run, which `npm run examples` passes in the environment. */
export function optionsOf(name: string): StartOptions {
  const { GANTRY_EXAMPLES: copies, GANTRY_TARBALLS: tarballs, NODE_OPTIONS: _, ...env } = process.env;
  if (!copies || !tarballs) throw new Error(`Run the examples with: npm run examples -- ${name}`);
  return { folder: join(copies, name), tarballs, env };
}

export interface DescribedExample {
  readonly name: string;
  readonly start: Start;
  /** Tests of this example alone, while its site runs. */
  readonly describeMore?: () => void;
}

/**
 * Describes what every example does in a real browser. `examples/NAME/NAME.spec.ts` calls it once.
 *
 * The pages that it relies on:
 *
 * - `/sign-in` is a form with the labels *Name* and *Password*, fields `name` and `password`, and
 *   the button *Sign in*. It takes `?return=PATH`. A wrong name and a wrong password get the same
 *   `role=alert`.
 * - `/` has the link *Sign in* for strangers. For members it has their name, the button *Sign out*,
 *   and the gadgets `friends` and `notes`, which ask for consent.
 * - The gadget `friends` lists display names as `li`. The gadget `notes` has the label *New note*,
 *   the button *Add*, and lists notes as `li`.
 */
export function describeExample({ name, start, describeMore }: DescribedExample): void {
  test.describe(name, () => {
    describeSite(() => start(optionsOf(name)));
    describeMore?.();
  });
}

function describeSite(start: () => Promise<RunningExample>): void {
  test.describe.configure({ mode: 'serial' });
  let site: RunningExample;
  test.beforeAll(async () => {
    test.setTimeout(120_000);
    site = await start();
  });
  test.afterAll(() => site?.stop());
  const open = (page: Page, path = '/') => page.goto(site.url + path);

  test('a stranger sees no gadget and is led to the sign-in', async ({ page }) => {
    await open(page);
    await expect(page.locator('gantry-gadget')).toHaveCount(0);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await expect(page).toHaveURL(/\/sign-in/);
    await inspect(page, 'sign-in');
  });

  test('a wrong password and an unknown name are refused in the same words', async ({ page }) => {
    const texts: string[] = [];
    for (const [member, secret] of [
      ['ada', 'open barley'],
      ['nobody', password],
    ] as const) {
      await open(page, '/sign-in');
      await fillSignIn(page, member, secret);
      texts.push(await page.getByRole('alert').filter({ hasText: /\S/ }).innerText());
    }
    expect(texts[0]).not.toBe('');
    expect(texts[1]).toBe(texts[0]);
    await open(page);
    await expect(page.locator('gantry-gadget')).toHaveCount(0);
  });

  test('a member signs in by keyboard, allows each gadget once, and keeps a note over a reload', async ({ page }) => {
    await open(page, '/sign-in');
    await page.getByLabel('Name').focus();
    await page.keyboard.type('ada');
    await page.keyboard.press('Tab');
    await expect(page.getByLabel('Password')).toBeFocused();
    await page.keyboard.type(password);
    await page.keyboard.press('Enter');
    await expectSignedIn(page, 'ada');
    await allowAll(page, 2);
    await expect(friends(page)).toHaveText([...members.ada.friends]);
    await addNote(page, 'Varnish the oars');
    await inspect(page, 'gadgets');
    await page.reload();
    await expect(notes(page)).toHaveText([/Varnish the oars/]);
    await expect(friends(page)).toHaveText([...members.ada.friends]);
    await expect(page.locator('gantry-gadget').getByRole('button', { name: 'Allow', exact: true })).toHaveCount(0);
  });

  test('another member sees friends and notes of their own only', async ({ page }) => {
    await signIn(page, 'bo');
    await allowAll(page, 2);
    await expect(friends(page)).toHaveText([...members.bo.friends]);
    await expect(gadget(page, 'notes').getByLabel('New note')).toBeVisible();
    await expect(notes(page)).toHaveCount(0);
    await addNote(page, 'Ask Ada for the key');
    await page.reload();
    await expect(notes(page)).toHaveText([/Ask Ada for the key/]);
  });

  test('a sign-out ends the session and leaves nothing of the member in the browser, in other tabs neither', async ({
    page,
    context,
  }) => {
    await signIn(page, 'ada');
    await expect(notes(page)).toHaveText([/Varnish the oars/]);
    const otherTab = await context.newPage();
    await open(otherTab);
    await expect(notes(otherTab)).toHaveText([/Varnish the oars/]);
    await expect.poll(() => storedText(page)).toContain('Varnish the oars'); // positive control of the check below
    const cookies = await context.cookies();

    await page.getByRole('button', { name: 'Sign out' }).click();
    await expect(page.getByRole('link', { name: 'Sign in' })).toBeVisible();
    await expect(page.locator('gantry-gadget')).toHaveCount(0);
    await expect(notes(otherTab)).toHaveCount(0);
    await expect.poll(() => storedText(page)).not.toContain('Varnish the oars');
    await expectSignedOut(page, context, cookies);

    await signIn(page, 'bo');
    await expect(notes(page)).toHaveText([/Ask Ada for the key/]);
    await page.goBack();
    await expect(page.getByText('Varnish the oars')).toHaveCount(0);
  });

  test.describe('attacks', () => {
    for (const target of [
      'https://evil.example/',
      '//evil.example/',
      '/\\evil.example/',
      '/\t/evil.example/',
      '/.//evil.example/',
    ]) {
      test(`a sign-in does not lead to ${JSON.stringify(target)}`, async ({ page }) => {
        await open(page, `/sign-in?return=${encodeURIComponent(target)}`);
        await fillSignIn(page, 'ada', password);
        await expect.poll(() => new URL(page.url()).pathname).not.toBe('/sign-in');
        expect(new URL(page.url()).origin).toBe(site.url);
      });
    }

    test('a sign-in leads back to a path of the site', async ({ page }) => {
      await open(page, `/sign-in?return=${encodeURIComponent('/?from=notes')}`);
      await fillSignIn(page, 'ada', password);
      await expect(page).toHaveURL(`${site.url}/?from=notes`);
    });

    test('a session from before the sign-in is not the one after it', async ({ page, context }) => {
      await open(page, '/sign-in');
      const before = await context.cookies();
      await fillSignIn(page, 'ada', password);
      await expectSignedIn(page, 'ada');
      const after = await context.cookies();
      expect(after.filter(({ httpOnly }) => httpOnly)).not.toEqual([]);
      await context.clearCookies();
      await context.addCookies(before);
      await open(page);
      await expect(page.getByRole('link', { name: 'Sign in' })).toBeVisible();
    });

    test('forms of another site sign nobody in or out', async ({ page, context }) => {
      const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
      const stranger = await context.request.post(`${site.url}/sign-in`, {
        headers,
        form: { name: 'ada', password },
      });
      expect(stranger.status()).toBeGreaterThanOrEqual(400);
      await open(page);
      await expect(page.getByRole('link', { name: 'Sign in' })).toBeVisible();
      await signIn(page, 'ada');
      const forced = await context.request.post(`${site.url}/sign-out`, { headers, form: {} });
      expect(forced.status()).toBeGreaterThanOrEqual(400);
      await open(page);
      await expectSignedIn(page, 'ada');
    });

    test('the eleventh guess of a member’s password is not tried, right or wrong; others sign in', async ({ page }) => {
      test.slow(); // twelve sign-ins
      const guess = async (secret: string): Promise<string> => {
        await open(page, '/sign-in');
        await fillSignIn(page, 'cy', secret);
        return page.getByRole('alert').filter({ hasText: /\S/ }).innerText();
      };
      for (let attempt = 1; attempt <= 10; attempt += 1)
        expect(await guess(`guess ${attempt}`)).not.toMatch(/too many/i);
      expect(await guess(password)).toMatch(/too many/i);
      await signIn(page, 'bo'); // positive control: from the same network
    });

    test('the page with gadgets names where frames may come from', async ({ page }) => {
      await signIn(page, 'ada');
      const response = await open(page);
      expect(response?.headers()['content-security-policy']).toMatch(/frame-src /);
    });
  });

  async function signIn(page: Page, member: MemberName): Promise<void> {
    await open(page, '/sign-in');
    await fillSignIn(page, member, password);
    await expectSignedIn(page, member);
  }

  /** Fails if the cookies of the ended session still name a member. */
  async function expectSignedOut(
    page: Page,
    context: BrowserContext,
    cookies: Awaited<ReturnType<BrowserContext['cookies']>>,
  ): Promise<void> {
    await context.addCookies(cookies);
    await open(page);
    await expect(page.locator('gantry-gadget')).toHaveCount(0);
    await context.clearCookies();
  }
}

async function fillSignIn(page: Page, name: string, secret: string): Promise<void> {
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Password').fill(secret);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

async function expectSignedIn(page: Page, member: MemberName): Promise<void> {
  await expect(page.getByRole('button', { name: 'Sign out' })).toBeVisible();
  await expect(page.getByText(members[member].displayName).first()).toBeVisible();
}

/** Adds a note and waits until the site has it: a reload at once would cancel the request. */
async function addNote(page: Page, text: string): Promise<void> {
  const saved = page.waitForResponse(
    (response) => response.url().endsWith('/gantry/calls') && response.request().postData()?.includes(text) === true,
  );
  await gadget(page, 'notes').getByLabel('New note').fill(text);
  await gadget(page, 'notes').getByRole('button', { name: 'Add' }).click();
  await expect(notes(page)).toContainText([text]);
  await (await saved).finished();
}

function gadget(page: Page, app: 'friends' | 'notes') {
  return page.frameLocator(`gantry-gadget[app=${app}] iframe`);
}

function friends(page: Page) {
  return gadget(page, 'friends').locator('li');
}

function notes(page: Page) {
  return gadget(page, 'notes').locator('li');
}

/** Returns everything that the page's origin keeps in IndexedDB and in its storages, as text. */
function storedText(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const finished = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const all: unknown[] = [{ ...localStorage }, { ...sessionStorage }];
    for (const { name } of await indexedDB.databases()) {
      const db = await finished(indexedDB.open(name ?? ''));
      for (const store of db.objectStoreNames)
        all.push(await finished(db.transaction(store).objectStore(store).getAll()));
      db.close();
    }
    return JSON.stringify(all);
  });
}
