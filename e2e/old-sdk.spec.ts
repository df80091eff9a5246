import type { OsapiError } from '@gantry/osapi';
import type { Frame } from '@playwright/test';
import { expect, modes, test } from './hosted.ts';
import { frameWithSdk, type OldSdk, oldSdkApp } from './old-sdk.ts';

// Apps that ship the SDK of 0.1.0 with their own files run on every later site.
const listening = oldSdkApp({
  script: `gantry.on('context', ({ locale }) => { out.textContent = 'the page speaks ' + locale; });`,
  manifest: { uses: ['people.get'] },
});
test.use({ apps: { old: oldSdkApp(), listening } });

const gadget = '<gantry-gadget app="old"></gantry-gadget>';

for (const mode of modes) {
  test.describe(`the SDK of 0.1.0, ${mode}`, () => {
    test.use({ mode });

    test('is served by the app itself, and the container connects it (security rule 2)', async ({
      page,
      show,
      hosted,
    }) => {
      const scripts: string[] = [];
      page.on('response', (response) => scripts.push(new URL(response.url()).pathname));
      await show(gadget);
      const frame = await frameWithSdk(page);
      const context = await frame.evaluate(() => (globalThis as unknown as OldSdk).osapi.ready);
      expect(context).toMatchObject({ app: { id: 'old' }, viewer: '1', owner: '1', view: 'home' });
      expect(scripts).toContain('/gantry/apps/old/osapi.js');
      expect(scripts).not.toContain('/gantry/osapi.js');
      expect(hosted.mode).toBe(mode);
    });
  });
}

test('it reads the viewer, and friends page by page (app surface)', async ({ page, show }) => {
  await show(gadget);
  const frame = await frameWithSdk(page);
  const seen = await frame.evaluate(async () => {
    const { osapi } = globalThis as unknown as OldSdk;
    const viewer = await osapi.people.getViewer({ fields: ['birthday'] });
    const names: string[] = [];
    for await (const { displayName } of osapi.people.getViewerFriends({ count: 1 })) names.push(displayName);
    return { id: viewer.id, name: viewer.displayName, birthday: viewer.birthday, names };
  });
  expect(seen).toEqual({ id: '1', name: 'Ann Oyster', birthday: '1990/05/17', names: ['Bo Whelk', 'Cy Limpet'] });
});

test('a batch of several calls has the result of each, errors too (app surface)', async ({ page, show }) => {
  await show(gadget);
  const frame = await frameWithSdk(page);
  const results = await frame.evaluate(async () => {
    const { osapi } = globalThis as unknown as OldSdk;
    return osapi
      .newBatch()
      .add('viewer', osapi.people.getViewer())
      .add('friends', osapi.people.getViewerFriends())
      .add('activities', osapi.activities.get({ userId: '@viewer' }))
      .add('unknown', osapi.people.get({ userId: '404' }));
  });
  expect(results).toMatchObject({
    viewer: { id: '1' },
    friends: { list: [{ id: '2' }, { id: '3' }], totalResults: 2 },
    activities: { list: [] },
    unknown: { error: { code: 404, data: { reason: 'NOT_FOUND' } } },
  });
});

test('it writes AppData, reads it back and hears of it (app surface)', async ({ page, show }) => {
  await show(gadget);
  const frame = await frameWithSdk(page);
  const seen = await frame.evaluate(async () => {
    const { osapi, gantry } = globalThis as unknown as OldSdk;
    const heard = new Promise<unknown>((resolve) => {
      gantry.on('write', (report) => report.state === 'done' && resolve(report.operation));
    });
    await osapi.appdata.update({ data: { score: '7', list: [1, 2] } });
    return { read: await osapi.appdata.get({ keys: ['score', 'list'] }), heard: await heard };
  });
  expect(seen).toEqual({ read: { 1: { score: '7', list: '[1,2]' } }, heard: 'appdata.update' });
});

test('an error is an OsapiError with the number and word of the contract (contract §4)', async ({ page, show }) => {
  await show(gadget);
  const frame = await frameWithSdk(page);
  expect(await refusal(frame, 'bad key!')).toEqual({ kind: 'OsapiError', code: 400, reason: 'BAD_REQUEST' });
  expect(await refusal(frame, 'good-key')).toBeUndefined(); // the control
});

test('an event of the page arrives (app surface)', async ({ page, show }) => {
  await show('<gantry-gadget app="listening"></gantry-gadget>');
  const frame = await frameWithSdk(page);
  await frame.evaluate(() => (globalThis as unknown as OldSdk).osapi.ready);
  await page.evaluate(() => {
    document.documentElement.lang = 'fr';
  });
  await expect(frame.locator('#out')).toHaveText('the page speaks fr');
});

/** Returns the error of a write under `key`. */
function refusal(frame: Frame, key: string): Promise<object | undefined> {
  return frame.evaluate(async (name) => {
    const { osapi } = globalThis as unknown as OldSdk;
    try {
      await osapi.appdata.update({ data: { [name]: 'x' } });
      return undefined;
    } catch (error) {
      const { name: kind, code, data } = error as OsapiError;
      return { kind, code, reason: data?.reason };
    }
  }, key);
}
