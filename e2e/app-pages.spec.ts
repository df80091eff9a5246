import { fileURLToPath } from 'node:url';
import type { Gantry } from '@gantry/osapi';
import { chromium, type Page } from '@playwright/test';
import { freePort } from '../packages/server/test/free-port.ts';
import { expect, frameOf, inEachMode, openHosted, test } from './hosted.ts';

declare const gantry: Gantry;

const app = `<!doctype html><html lang="en"><title>Sign in</title><h1>Sign in to Tern Quay</h1>
  <button onclick="gantry.ui.openLink(document.querySelector('input').value).then(say, say)">Go</button>
  <input aria-label="Where"><output></output>
  <script src="/gantry/osapi.js"></script>
  <script>
    const say = (value) => { document.querySelector('output').textContent = String(value); };
  </script>`;
const apps = { bait: { 'index.html': app } };

test.use({ apps });

async function documentOf(page: Page): Promise<string> {
  const source = await page.locator('gantry-gadget iframe').getAttribute('src');
  return source?.split('#')[0] ?? '';
}

inEachMode(() => {
  test('the page of an app is a frame, and no page of its own under an address of the site (security rule 27)', async ({
    show,
    hosted,
    context,
  }) => {
    const page = await show('<gantry-gadget app="bait"></gantry-gadget>');
    await expect(frameOf(page, 'bait').getByRole('heading')).toHaveText('Sign in to Tern Quay'); // control
    const address = await documentOf(page);
    for (const way of ['typed', 'linked', 'reloaded']) {
      const opened = await context.newPage();
      if (way === 'linked') {
        await opened.goto(hosted.url);
        await opened.evaluate((href) => {
          document.body.append(Object.assign(document.createElement('a'), { href, textContent: 'Go' }));
        }, address);
      }
      const answered = opened.waitForResponse(address);
      if (way === 'linked') await opened.getByRole('link', { name: 'Go' }).click();
      else await opened.goto(address);
      expect([way, (await answered).status()]).toEqual([way, 403]);
      if (way === 'reloaded') expect((await opened.reload())?.status()).toBe(403);
      await expect(opened.getByRole('heading')).toHaveText('This app has no page of its own');
      await opened.close();
    }
  });
});

test('a link of an app to where members sign in, allow and remove asks first; others of the site do not (security rule 27)', async ({
  show,
  hosted,
  context,
}) => {
  const page = await show('<main data-gantry-ask-before="/shop/buy"><gantry-gadget app="bait"></gantry-gadget></main>');
  const frame = frameOf(page, 'bait');
  const go = async (path: string) => {
    await frame.getByLabel('Where').fill(hosted.url + path);
    await frame.getByRole('button', { name: 'Go' }).click();
  };
  for (const path of ['/oauth/authorize?oauth_token=x', '/Account//keys', '/%61ccount/keys', '/shop/buy-now']) {
    await go(path);
    const question = page.getByRole('dialog', { name: 'Open a page of this site?' });
    await expect(question.getByText(hosted.url, { exact: false }).last()).toBeVisible();
    const cancel = question.getByRole('button', { name: 'Cancel' });
    await expect(cancel).toHaveAttribute('aria-disabled', 'false');
    await cancel.click();
    await expect(frame.locator('output')).toHaveText('false');
    await frame.locator('output').evaluate((output) => output.replaceChildren());
  }
  const opened = context.waitForEvent('page');
  await go('/?members=2');
  await expect(frame.locator('output')).toHaveText('true');
  expect((await opened).url()).toBe(`${hosted.url}/?members=2`);
});

test('over plain http on another name browsers do not send Sec-Fetch-Dest: frames go on working (isolation.md)', async () => {
  const port = await freePort();
  const url = `http://social.test:${port}`;
  const site = await openHosted({ mode: 'opaque', apps, port, url });
  const browser = await chromium.launch({
    executablePath: process.env.GANTRY_CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--host-resolver-rules=MAP social.test 127.0.0.1'],
  });
  try {
    const page = await browser.newPage();
    await page.context().addCookies([{ name: 'viewer', value: '1', url }]);
    await page.goto(`${url}/?${new URLSearchParams({ body: '<gantry-gadget app="bait"></gantry-gadget>' })}`);
    await expect(frameOf(page, 'bait').getByRole('heading')).toHaveText('Sign in to Tern Quay');
    const asPage = await page.goto(await documentOf(page));
    expect(asPage?.status()).toBe(200); // unprotected, as docs/isolation.md documents
    await page.goto(`${url}/gantry/self-test`);
    await expect(page.locator('[data-claim="page"]')).toHaveAttribute('data-result', 'open', { timeout: 20_000 });
  } finally {
    await browser.close();
    await site.close();
  }
});

test('a remote app’s page that is opened directly names its site, unless it has content of its own', async ({
  page,
}) => {
  const sdk = fileURLToPath(import.meta.resolve('@gantry/osapi/osapi.js'));
  const script = '<!doctype html><title>App</title><script src="/gantry/osapi.js"></script>';
  await page.route('http://app.example/**', (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname === '/gantry/osapi.js') return route.fulfill({ path: sdk });
    return route.fulfill({
      contentType: 'text/html',
      body: pathname === '/own' ? `${script}<p>My own page</p>` : script,
    });
  });
  await page.goto('http://app.example/');
  await expect(page.locator('body')).toHaveText('This is a gadget. It works inside a page of a site that has it.');
  await page.goto('http://app.example/own');
  await expect(page.locator('body')).toHaveText('My own page');
});
