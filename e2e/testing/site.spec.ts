import type { Osapi } from '@gantry/osapi';
import type { Page } from '@playwright/test';
import { expect, test } from '../site.ts';

declare const osapi: Osapi;

test('a gadget of a site that runs already is found, with its calls, context and console', async ({ gadget, page }) => {
  await page.route(/\/friends\.js$/, async (route) => {
    const body = await (await route.fetch()).text();
    await route.fulfill({ body: body + misbehaviour, contentType: 'text/javascript' });
  });
  await gadget.find('friends', { page: '/' });
  await expect(gadget.frame.getByRole('listitem').first()).toBeVisible();
  await gadget.settled();
  expect(gadget.calls.map(({ operation }) => operation)).toContain('people.get');
  expect(gadget.calls.every(({ isSettled }) => isSettled)).toBe(true);
  expect(await gadget.context()).toMatchObject({ app: { id: 'friends' }, viewer: gadget.viewer });
  await expect.poll(() => gadget.logs).toContainEqual({ level: 'warn', text: 'from the app' });
  await expect
    .poll(() => [...new Set(gadget.refusals.map(({ kind }) => kind))].toSorted())
    .toEqual(['policy', 'sandbox']);
});

/** Added to the app's own script. */
const misbehaviour = `
console.warn('from the app');
alert('which its sandbox ignores');
fetch('https://elsewhere.example/').catch(() => undefined);
`;

test('no app hides what was refused to it behind the address of another script (security rule 36)', async ({
  gadget,
  page,
}) => {
  const disguise = '//# sourceURL=https://elsewhere.example/innocent.js';
  await page.route(/\/friends\.js$/, async (route) => {
    const body = await (await route.fetch()).text();
    await route.fulfill({ body: `${body}${misbehaviour}${disguise}`, contentType: 'text/javascript' });
  });
  const addresses: string[] = [];
  page.on('console', (message) => addresses.push(message.location().url));
  await gadget.find('friends', { page: '/' });
  await expect
    .poll(() => [...new Set(gadget.refusals.map(({ kind }) => kind))].toSorted())
    .toEqual(['policy', 'sandbox']);
  await expect(expect(gadget).toHaveNoRefusals()).rejects.toThrow('elsewhere.example');
  expect(addresses).toContain('https://elsewhere.example/innocent.js'); // control: the browser believes the app
});

test('a gadget that is not there is named, with those that are', async ({ gadget }) => {
  await gadget.find('friends', { page: '/' }); // a page that is loaded is looked at in time
  const search = gadget.find('chess', { timeout: 1_500 });
  await expect(search).rejects.toThrow(/Waited 1500 ms for the gadget chess on http\S+: .* gadgets of .*friends/);
});

test('a gadget in a closed shadow root is named by the element that has it', async ({ gadget, page }) => {
  await page.addInitScript(() => {
    addEventListener('DOMContentLoaded', () => {
      const host = document.createElement('members-corner');
      document.body.append(host);
      host.attachShadow({ mode: 'closed' }).innerHTML = '<gantry-gadget app="chess"></gantry-gadget>';
    });
  });
  await gadget.find('friends', { page: '/' });
  const search = gadget.find('chess', { timeout: 4_000 });
  await expect(search).rejects.toThrow(/gadgets of .*friends.* in the closed shadow root of <members-corner>,/);
});

test('offline, a call that the page cannot answer is a refusal, and online again it is answered', async ({
  gadget,
  gantry,
  page,
}) => {
  await gadget.find('friends', { page: '/' });
  await gadget.settled();
  const frame = page.frames().find((one) => one.url().includes('/friends/'));
  const ask = () =>
    frame?.evaluate(async () => {
      const [{ status }] = await Promise.allSettled([osapi.people.get({ userId: '@viewer', fields: ['aboutMe'] })]);
      return status;
    });
  await gantry.setOffline();
  expect(await ask()).toBe('rejected');
  await gadget.settled();
  expect(gadget.refusals).toMatchObject([{ kind: 'refusal', entry: { operation: 'people.get' } }]);
  await gantry.setOffline(false);
  await expect.poll(ask).toBe('fulfilled');
});

test('matchers look at a gadget of a running site; one that needs the site says what to use instead', async ({
  gadget,
  gantry,
}) => {
  await gadget.find('friends', { page: '/' });
  await expect(gadget).toHaveCalled('people.get', { userId: '@viewer' });
  await expect(gadget).not.toHaveCalled('activities.create');
  await expect(gadget).toHaveReceived('displayName');
  await expect(gadget).not.toHaveReceived('emails');
  await expect(gadget).toHaveNoRefusals();
  await expect(gadget).toStayInPlace({ frames: 10 });
  await expect(gadget).toBeWalkableByKeyboard();
  await expect(gadget).toBeAccessible();
  await expect(expect(gadget).toKeepWrites()).rejects.toThrow(
    "toKeepWrites does not work against a running site. Read what was kept with the site's REST API.",
  );
  expect(() => gantry.clock).toThrow('gantry.clock does not work against a running site. Use `page.clock`');
  expect(() => gantry.social).toThrow('Act as another member with `gantry.open`');
});

test.describe('a sign-in by a form', () => {
  const signIn = async (page: Page): Promise<void> => {
    await page.route('**/sign-in?*', (route) => route.fulfill({ headers: { 'Set-Cookie': 'demo_member=2; Path=/' } }));
    await page.goto('/sign-in?member=2');
  };
  test.use({ members: ({ demo: _ }, use) => use({ second: { signIn } }), member: 'second' });

  test('goes to paths of the site, without a baseURL', async ({ gadget }) => {
    await gadget.find('friends', { page: '/' });
    expect(gadget.viewer).toBe('2');
  });
});

test('a scenario is refused, since the site decides', async ({ gadget }) => {
  const scenario = { page: '/', persona: 'm-2', theme: 'dark' };
  await expect(gadget.mount('friends', scenario)).rejects.toThrow(/^A running site takes no persona, theme:/);
});

test.describe('a member', () => {
  test.use({ member: 'second' });

  test('looks at the gadget, and a second one in a browser of their own', async ({ gadget, gantry }) => {
    const other = await gantry.open('first');
    for (const one of [gadget, other]) await one.find('friends', { page: '/' });
    expect([gadget.viewer, other.viewer]).toEqual(['2', '1']);
    await expect(gantry.open('third')).rejects.toThrow(
      'There is no member third. The option members has: first, second.',
    );
  });
});
