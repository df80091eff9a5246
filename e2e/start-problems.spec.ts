import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Osapi } from '@gantry/osapi';
import type { Page, Request } from '@playwright/test';
import { expect, frameOf, inEachMode, modes, test } from './hosted.ts';

declare const osapi: Osapi;

// An app that does not start is silent: its page, site and author get reports instead.

const sdk = '<script src="/gantry/osapi.js"></script>';
const page = (rest: string) => `<!doctype html><html lang="en"><title>App</title>${rest}`;

test.use({
  apps: {
    calm: { 'index.html': page(`<p>Here</p>${sdk}`) },
    silent: { 'index.html': page('<p>No SDK') },
    throws: { 'index.html': page(`${sdk}<script>const list = undefined;\nlist.length;</script>`) },
    rejects: { 'index.html': page(`${sdk}<script>Promise.reject(new RangeError('too far'));</script>`) },
    bare: { 'index.html': page(`${sdk}<script src="missing.js"></script>`) },
    refused: {
      'gadget.json': JSON.stringify({ name: 'refused', page: 'index.html', uses: ['people.get'] }),
      'index.html': page(`${sdk}<script>osapi.activities.get().subscribe(() => {});</script>`),
    },
    gone: { 'index.html': page(sdk) },
    leaver: {
      'index.html': page(`${sdk}<script>onload = () => setTimeout(() => { location.href = '/out'; });</script>`),
    },
  },
});

const collect = `<script>incidents = [];
  addEventListener('gantry-incident', ({ detail }) => incidents.push(detail));</script>`;
const incidents = (page: Page) => page.evaluate('incidents') as Promise<unknown>;

test('an app without the SDK: the site hears whether its page loaded, and its author what to look for', async ({
  show,
}) => {
  const page = await show(`${collect}<gantry-gadget app="silent" budgets='{"startMs": 2000}'></gantry-gadget>`);
  await expect(page.locator('[part=card]')).toContainText('Load /gantry/osapi.js with a plain script tag');
  await expect.poll(() => incidents(page)).toEqual([{ app: 'silent', kind: 'silent', detail: { loaded: true } }]);
});

test('a page that never arrives is reported to the site, and its address to the author', async ({ show, page }) => {
  await page.route('**/gantry/apps/calm/**', () => {}); // a server that never responds
  await show(`${collect}<gantry-gadget app="calm" budgets='{"startMs": 500}'></gantry-gadget>`);
  await expect(page.locator('[part=card]')).toContainText(/Nothing loaded from http.*index\.html in time/);
  await expect.poll(() => incidents(page)).toEqual([{ app: 'calm', kind: 'silent', detail: { loaded: false } }]);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test('a page whose own policy refuses the frame says so at once', async ({ show, hosted }) => {
  const content = `frame-src ${hosted.url}/elsewhere/`;
  const policy = `<script>document.head.append(Object.assign(document.createElement('meta'),
    { httpEquiv: 'Content-Security-Policy', content: '${content}' }));</script>`;
  const page = await show(`${policy}${collect}<gantry-gadget app="calm" heading></gantry-gadget>`);
  await expect(page.locator('[part=card]')).toContainText('has no frame-src for');
  await expect.poll(() => incidents(page)).toEqual([{ app: 'calm', kind: 'blocked', detail: {} }]);
});

const violations = `<script>violations = []; document.addEventListener('securitypolicyviolation', ({ blockedURI }) =>
  violations.push(blockedURI));</script>`;

inEachMode(
  (mode) => {
    test('an app that leaves against the policy of the page ends no app of its origin that still loads', async ({
      show,
      hosted,
      page,
    }) => {
      const released = Promise.withResolvers<void>();
      await page.route('**/gantry/apps/calm/**', async (route) => {
        await released.promise;
        await route.continue();
      });
      const { host } = new URL(hosted.url);
      const origin = mode === 'opaque' ? hosted.url : `http://sandbox.${host}`;
      const gadgets = '<gantry-gadget app="leaver"></gantry-gadget><gantry-gadget app="calm"></gantry-gadget>';
      const headers = { 'Content-Security-Policy': `frame-src ${origin}/gantry/apps/` };
      await show(violations + collect + gadgets, { headers });
      await expect.poll(() => page.evaluate('violations[0]')).toBe(mode === 'opaque' ? `${origin}/out` : origin);
      released.resolve();
      await expect(page.locator('gantry-gadget[app=calm]')).toHaveJSProperty('state', 'ready');
      await page.unrouteAll({ behavior: 'ignoreErrors' });
    });
  },
  modes.filter((each) => each !== 'origin per app'),
);

test.describe('one origin', () => {
  test.use({ mode: 'one origin' });

  test('a policy of the page that refuses another origin is the reason once the start is over', async ({ show }) => {
    const gadget = '<gantry-gadget app="calm" budgets=\'{"startMs": 2000}\'></gantry-gadget>';
    const page = await show(collect + gadget, { headers: { 'Content-Security-Policy': 'frame-src http://*.example' } });
    await expect(page.locator('[part=card]')).toContainText('has no frame-src for');
    await expect.poll(() => incidents(page)).toEqual([{ app: 'calm', kind: 'blocked', detail: {} }]);
  });
});

test('a folder that is gone is named to the author at once, without waiting for a hello', async ({ show, hosted }) => {
  const folder = hosted.folderOf('gone');
  await rm(join(folder, 'index.html'));
  const page = await show('<gantry-gadget app="gone"></gantry-gadget>');
  await expect(page.locator('[part=card]')).toContainText(`There is no index.html in ${folder}`);
});

for (const [app, message, source] of [
  ['throws', /TypeError.*undefined/, /index\.html$/],
  ['rejects', 'RangeError: too far', ''],
  ['bare', /missing\.js did not load/, ''],
  ['refused', /activities\.get: .*gadget\.json/, ''],
] as const) {
  test(`an error at the start of an app (${app}) is an incident, and its author sees it above the blank app`, async ({
    show,
  }) => {
    const page = await show(`${collect}<gantry-gadget app="${app}"></gantry-gadget>`);
    await expect
      .poll(() => incidents(page))
      .toEqual([
        {
          app,
          kind: 'error',
          detail: {
            message: expect.stringMatching(message),
            source: expect.stringMatching(source),
            line: expect.any(Number),
          },
        },
      ]);
    const notice = page.locator('[part=notice]');
    await expect(notice).toContainText(message);
    await notice.getByRole('button', { name: 'Close' }).click();
    await expect(notice).toHaveCount(0);
  });
}

test('control: an app that starts well has neither incident nor notice', async ({ show }) => {
  const page = await show(`${collect}<gantry-gadget app="calm"></gantry-gadget>`);
  await expect(frameOf(page, 'calm').getByText('Here')).toBeVisible();
  await expect
    .poll(() => page.locator('gantry-gadget').evaluate((gadget) => (gadget as HTMLElement & { state: string }).state))
    .toBe('ready');
  expect(await incidents(page)).toEqual([]);
  await expect(page.locator('[part=notice]')).toHaveCount(0);
});

test('the browser lists no answered POST as failed', async ({ show, page }) => {
  const ended: string[] = [];
  const note = (end: string) => (request: Request) => request.url().endsWith('/gantry/calls') && ended.push(end);
  page.on('requestfinished', note('finished'));
  page.on('requestfailed', note('failed'));
  await show('<gantry-gadget app="calm"></gantry-gadget>');
  await frameOf(page, 'calm').getByText('Here').waitFor();
  await frameOf(page, 'calm')
    .locator('html')
    .evaluate(async () => {
      for (let count = 0; count < 30; count++) {
        await Promise.all([
          osapi.people.get({ userId: String(count) }),
          osapi.appdata.update({ data: { count } }),
        ]).catch(() => {});
      }
    });
  await expect.poll(() => ended.length).toBeGreaterThanOrEqual(30);
  expect(ended.filter((end) => end === 'failed')).toEqual([]);
});
