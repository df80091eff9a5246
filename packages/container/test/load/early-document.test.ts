import { expect, test, vi } from 'vitest';
import { createSetting, tick } from '../setting.ts';

/** A page whose storage of results does not answer, so that no mount settles for a second. */
async function waitingPage() {
  const { network, newPage } = createSetting();
  const entries = Promise.withResolvers<never>();
  const container = newPage({ ...createSetting().storage, entries: () => entries.promise });
  const onDocument = vi.fn();
  async function mountSoon(app: string): Promise<readonly unknown[]> {
    const asked = network.posts.length;
    const mounted = container.mount({ app }, vi.fn(), {}, onDocument);
    await vi.waitFor(() => expect(network.posts.length).toBeGreaterThan(asked));
    await tick();
    expect(await Promise.race([mounted, tick()])).toBeUndefined(); // control: it waits
    return onDocument.mock.calls.flat();
  }
  return { network, mountSoon };
}

test("an app's document loads as soon as the proxy has answered, while other parts come", async () => {
  const { mountSoon } = await waitingPage();
  expect(await mountSoon('chess')).toEqual([
    { document: 'https://site.test/gantry/apps/chess/index.html', sandbox: 'allow-scripts allow-forms' },
  ]);
});

test('no document loads before its member is asked, or without the mark of a preview', async () => {
  const { network, mountSoon } = await waitingPage();
  network.consent = { needed: ['people'], optional: [] };
  expect(await mountSoon('chess')).toEqual([]);
  network.consent = { needed: [], optional: [] };
  network.preview = { version: 'p1', accept: true };
  expect(await mountSoon('notes')).toEqual([]);
});

test('no document of an app that the site refuses loads', async () => {
  const { network, mountSoon } = await waitingPage();
  network.paused.add('chess');
  expect(await mountSoon('chess')).toEqual([]);
});
