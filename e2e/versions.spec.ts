import { readFile } from 'node:fs/promises';
import type { Osapi } from '@gantry/osapi';
import type { Page } from '@playwright/test';
import { expect, frameOf, test } from './hosted.ts';
import { buildAs, serveContainer } from './other-versions.ts';

declare const osapi: Osapi;

// An app built with one release of Gantry and shown by another.

const future = { speaks: [3, 4], release: '0.9.1', since: '0.8.0' } as const;
const overlapping = { speaks: [1, 4], release: '0.9.1', since: '0.1.0' } as const;
const newest = await readFile(new URL(import.meta.resolve('@gantry/osapi/osapi.js')), 'utf8');

/** Returns an app that ships this SDK and reports its outcome. */
function appWith(sdk: string | undefined) {
  if (sdk === undefined) throw new Error('There is no such SDK.');
  return {
    'index.html': `<!doctype html><html lang="en"><title>App</title><p id="out">Waiting</p>
      <script src="sdk.js"></script><script>osapi.ready.then(
        (context) => (out.textContent = 'ready for ' + context.viewer),
        ({ code, data }) => refused({ code, reason: data.reason }),
      );</script>`,
    'sdk.js': sdk,
  };
}

/** Returns an app without SDK whose hello has these members. */
function appThatSays(hello: string, then = '') {
  return {
    'index.html': `<!doctype html><html lang="en"><title>App</title><script>
      const [, nonce, origin] = /^#gantry=1\\.(\\w+)\\.(.+)$/.exec(location.hash);
      parent.postMessage({ gantry: 'hello', nonce, ${hello} }, decodeURIComponent(origin), [new MessageChannel().port2]);
      ${then}
    </script>`,
  };
}

test.use({
  apps: {
    now: appWith(newest),
    future: appWith((await buildAs('osapi', future)).get('osapi.js')),
    overlapping: appWith((await buildAs('osapi', overlapping)).get('osapi.js')),
    painting: appThatSays(`versions: [9, 9], sdk: '<img src=x>', needs: '0.3.0 or send money to'`),
    reloading: appThatSays(`versions: [9, 9]`, 'setTimeout(() => location.reload());'),
    junk: appThatSays(`versions: 'all', sdk: {}, needs: 1n`),
  },
});

const collect = `<script>heard = [];
  for (const type of ['gantry-error', 'gantry-incident']) addEventListener(type, ({ detail }) => heard.push({ type, detail }));
</script>`;
const heard = (page: Page) => page.evaluate('heard') as Promise<unknown[]>;
const gadget = (app: string) => `${collect}<gantry-gadget app="${app}" heading></gantry-gadget>`;
const card = (page: Page) => page.locator('[part=card]');

test('an app that is too new for the page: a card says which Gantry the site needs, and both ends get the error (security rule 2)', async ({
  page,
  show,
}) => {
  const lines: string[] = [];
  const reasons: unknown[] = [];
  await page.exposeFunction('refused', (reason: unknown) => reasons.push(reason));
  page.on('console', (message) => message.location().url.endsWith('sdk.js') && lines.push(message.text()));
  await show(gadget('future'));
  await expect(card(page)).toContainText('was made for another version of this site');
  await expect(card(page)).toContainText(
    'The app speaks protocol 3–4, the site 1. The site needs Gantry 0.8.0 or later.',
  );
  const versions = { app: [3, 4], page: [1, 1], update: 'site', needs: '0.8.0', sdk: '0.9.1' };
  expect(await heard(page)).toMatchObject([
    { type: 'gantry-incident', detail: { app: 'future', kind: 'version', detail: versions } },
    { type: 'gantry-error', detail: { code: 503, data: { reason: 'VERSION_MISMATCH', versions } } },
  ]);
  await expect
    .poll(() => lines)
    .toEqual(['The app speaks protocol 3–4, this page 1: the site needs Gantry 0.8.0 or later.']);
  await expect.poll(() => reasons).toEqual([{ code: 503, reason: 'VERSION_MISMATCH' }]);
});

test('the card says the same in German', async ({ page, show }) => {
  await show(`<script>document.documentElement.lang = 'de'</script>${gadget('future')}`);
  await expect(card(page)).toContainText('wurde für eine andere Version dieser Website gemacht');
  await expect(card(page)).toContainText(
    'Die App spricht Protokoll 3–4, die Website 1. Die Website braucht Gantry 0.8.0 oder neuer.',
  );
});

test('an app that is too old for the page: the card says with which SDK it must be built', async ({ page, show }) => {
  await serveContainer(page, await buildAs('container', { speaks: [2, 3], release: '0.9.1', since: '0.7.0' }));
  await show(gadget('now'));
  await expect(card(page)).toContainText(
    'The app speaks protocol 1, the site 2–3. The app must be built with @gantry/osapi 0.7.0 or later.',
  );
  expect(await heard(page)).toMatchObject([
    { detail: { kind: 'version', detail: { app: [1, 1], page: [2, 3], update: 'app', needs: '0.7.0' } } },
    { detail: { data: { reason: 'VERSION_MISMATCH' } } },
  ]);
});

test('app and page speak the greatest version that both have', async ({ page, show }) => {
  await show(gadget('overlapping'));
  await expect(frameOf(page, 'overlapping').locator('#out')).toHaveText('ready for 1');
  expect(await heard(page)).toEqual([]); // no incident
});

test('nothing that an app names as its version is shown unless it is one (security rule 7)', async ({ page, show }) => {
  await show(gadget('painting'));
  await expect(card(page)).toContainText('The site needs a later version of Gantry.');
  await expect(card(page)).not.toContainText(/money|img/);
  expect(await heard(page)).toMatchObject([
    { detail: { kind: 'version', detail: { app: [9, 9], page: [1, 1], update: 'site' } } },
    {},
  ]);
  expect(JSON.stringify(await heard(page))).not.toMatch(/money|img/);
});

test('an app that reloads itself instead of giving up is not started again and again', async ({ page, show }) => {
  await show(gadget('reloading'));
  await expect(card(page)).toContainText('The site needs a later version of Gantry.');
  expect(await heard(page)).toMatchObject([{ detail: { kind: 'version' } }, { type: 'gantry-error' }]); // no restart
});

test('a hello whose versions are junk is an incident, and no error of the page (security rule 1)', async ({
  page,
  show,
}) => {
  const errors: Error[] = [];
  page.on('pageerror', (error) => errors.push(error));
  await show(gadget('junk'));
  await expect(card(page)).toContainText('It sent what the page does not understand');
  expect(await heard(page)).toMatchObject([{ detail: { app: 'junk', kind: 'malformed', detail: {} } }, {}]);
  expect(errors).toEqual([]);
});

test('control: today’s SDK and today’s page have version 1 in common', async ({ page, show }) => {
  await show(gadget('now'));
  const context = await frameOf(page, 'now')
    .locator('body')
    .evaluate(() => osapi.ready);
  expect(context).toMatchObject({ app: { id: 'now' }, viewer: '1' });
});
