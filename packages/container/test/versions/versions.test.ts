import { expect, test, vi } from 'vitest';
import type { Gadget } from '../../src/gadget.ts';
import { createSetting, friends, type Setting } from '../setting.ts';

/** A page with a gadget of version `v1`, whose app runs or does not. */
async function openGadget(setting: Setting, { isRunning = true, app = 'friends' } = {}) {
  const container = setting.newPage();
  const onReplace = vi.fn<(why?: string) => void>();
  const reply = await container.mount({ app }, onReplace);
  if ('error' in reply) throw new Error(reply.error.message);
  const gadget = reply.ok;
  const onVersion = vi.fn<() => void>();
  if (isRunning) {
    gadget.go = () => {};
    gadget.onVersion = onVersion;
  }
  return { container, gadget, onReplace, onVersion };
}

function createVersionedSetting(): Setting {
  const setting = createSetting();
  setting.network.live = 'v1';
  return setting;
}

/** Makes `version` live; the one before stays. */
function makeLive({ network }: Setting, version: string): void {
  if (network.live) network.kept.add(network.live);
  network.live = version;
}

const instancesOf = ({ network }: Setting) =>
  network.posts.flatMap(({ path, body }) => (path === 'instances' ? [body] : []));
const isOutdated = ({ outdatedAtMs }: Gadget) => outdatedAtMs !== undefined;

test('a renewal names the version that the page runs, and keeps it', async () => {
  const setting = createVersionedSetting();
  const { gadget, onReplace } = await openGadget(setting);
  setting.clock.nowMs += 540_000;
  await gadget.answer({ operation: friends.operation, params: JSON.stringify(friends.params) });
  expect(instancesOf(setting)).toEqual([[{ app: 'friends' }], [{ app: 'friends', version: 'v1' }]]);
  expect([isOutdated(gadget), onReplace.mock.calls]).toEqual([false, []]);
});

test('a renewal of a live folder names none (control: as before versions)', async () => {
  const setting = createSetting();
  const { gadget } = await openGadget(setting);
  setting.clock.nowMs += 540_000;
  await gadget.answer({ operation: friends.operation, params: JSON.stringify(friends.params) });
  expect(instancesOf(setting)).toEqual([[{ app: 'friends' }], [{ app: 'friends' }]]);
});

test('a page that missed the event learns of a new version from the renewal of a token', async () => {
  const setting = createVersionedSetting();
  const { gadget, onVersion, onReplace } = await openGadget(setting);
  makeLive(setting, 'v2');
  setting.clock.nowMs += 540_000;
  await gadget.answer({ operation: friends.operation, params: JSON.stringify(friends.params) });
  await vi.waitFor(() => expect(onVersion).toHaveBeenCalledOnce());
  expect([isOutdated(gadget), onReplace.mock.calls]).toEqual([true, []]);
});

test('a page that hears of a change asks once for each app and version, and its running gadgets wait', async () => {
  const setting = createVersionedSetting();
  const { container, gadget, onVersion, onReplace } = await openGadget(setting);
  for (const app of ['friends', 'notes']) await openGadget({ ...setting, newPage: () => container }, { app });
  const before = instancesOf(setting).length;
  makeLive(setting, 'v2');
  setting.change('friends');
  await vi.waitFor(() => expect(onVersion).toHaveBeenCalledOnce());
  expect(instancesOf(setting).slice(before)).toEqual([[{ app: 'friends', version: 'v1' }]]);
  expect([isOutdated(gadget), onReplace.mock.calls]).toEqual([true, []]);
});

test('a gadget that does not run loads the new version at once', async () => {
  const setting = createVersionedSetting();
  const { onReplace } = await openGadget(setting, { isRunning: false });
  makeLive(setting, 'v2');
  setting.change('friends');
  await vi.waitFor(() => expect(onReplace).toHaveBeenCalledExactlyOnceWith('version'));
});

test('a gadget whose own version is live again waits no longer', async () => {
  const setting = createVersionedSetting();
  const { gadget, onVersion } = await openGadget(setting);
  makeLive(setting, 'v2');
  setting.change('friends');
  await vi.waitFor(() => expect(isOutdated(gadget)).toBe(true));
  makeLive(setting, 'v1');
  setting.change('friends');
  await vi.waitFor(() => expect(isOutdated(gadget)).toBe(false));
  expect(onVersion).toHaveBeenCalledTimes(2);
});

test('a gadget whose version the site has removed gets a token of the live one, and waits', async () => {
  const setting = createVersionedSetting();
  const { gadget, onReplace } = await openGadget(setting);
  setting.network.live = 'v2';
  setting.change('friends');
  await vi.waitFor(() => expect(isOutdated(gadget)).toBe(true));
  expect(onReplace).not.toHaveBeenCalled();
});

test('a decision about a version that declares less ends no gadget of the one before, which asks for its own part', async () => {
  const setting = createVersionedSetting();
  const first = await openGadget(setting);
  makeLive(setting, 'v2');
  const second = await openGadget({ ...setting, newPage: () => first.container });
  const { network } = setting;
  const before = instancesOf(setting).length;
  network.transform = (response, { path }) =>
    path === 'grants' ? Response.json({ granted: ['people'], needed: [], optional: [] }) : response;
  network.consent = { needed: [], optional: ['activities'] };
  await second.gadget.decide({ revoke: ['activities'] });
  expect(second.onReplace).toHaveBeenCalledExactlyOnceWith('decided'); // control: it lost permissions
  await vi.waitFor(() => expect(first.gadget.consent.optional).toEqual(['activities']));
  expect(instancesOf(setting).slice(before)).toEqual([expect.arrayContaining([{ app: 'friends', version: 'v1' }])]);
  expect(first.gadget.context.permissions).toEqual(network.permissions);
  expect(first.onReplace).not.toHaveBeenCalled();
});

test('a preview that is taken up loads all gadgets of the app anew, in every tab', async () => {
  const setting = createVersionedSetting();
  setting.network.preview = { version: 'p1' };
  const pages = [await openGadget(setting), await openGadget(setting)];
  const other = await openGadget(setting, { app: 'notes' });
  expect(pages.map(({ gadget }) => gadget.preview)).toEqual(['offered', 'offered']);
  expect(await pages[0]?.gadget.decidePreview(true)).toEqual({ ok: expect.anything() });
  const sent = setting.network.posts.find(({ path }) => path === 'previews')?.body;
  expect(sent).toEqual({ token: expect.stringContaining('friends'), accept: true });
  for (const { onReplace } of pages)
    await vi.waitFor(() => expect(onReplace).toHaveBeenCalledExactlyOnceWith('version'));
  expect(other.onReplace).not.toHaveBeenCalled();
  expect((await openGadget(setting)).gadget.preview).toBe('shown');
});

test('a preview that is declined takes the question from every tab, and loads nothing', async () => {
  const setting = createVersionedSetting();
  setting.network.preview = { version: 'p1' };
  const pages = [await openGadget(setting), await openGadget(setting)];
  await pages[0]?.gadget.decidePreview(false);
  for (const { gadget, onVersion, onReplace } of pages) {
    await vi.waitFor(() => expect(gadget.preview).toBeUndefined());
    expect(onVersion).toHaveBeenCalled();
    expect(onReplace).not.toHaveBeenCalled();
  }
});

test('a preview that is left loads the live version', async () => {
  const setting = createVersionedSetting();
  setting.network.preview = { version: 'p1', accept: true };
  const { gadget, onReplace } = await openGadget(setting);
  expect(gadget.preview).toBe('shown');
  await gadget.decidePreview(false);
  await vi.waitFor(() => expect(onReplace).toHaveBeenCalledExactlyOnceWith('version'));
  expect(gadget.preview).toBe('shown'); // marked until its document is gone
});

test('a preview is not outdated by the live version, and goes on as that once it is released', async () => {
  const setting = createVersionedSetting();
  setting.network.preview = { version: 'p1', accept: true };
  const { gadget, onVersion } = await openGadget(setting);
  makeLive(setting, 'v2');
  setting.change('friends');
  await vi.waitFor(() => expect(onVersion).toHaveBeenCalledOnce());
  expect([isOutdated(gadget), gadget.preview]).toEqual([false, 'shown']);
  setting.network.preview = undefined;
  setting.network.live = 'p1';
  setting.change('friends');
  await vi.waitFor(() => expect(onVersion).toHaveBeenCalledTimes(2));
  expect([isOutdated(gadget), gadget.preview]).toEqual([false, undefined]);
});

test('a decision that does not reach the site changes nothing', async () => {
  const setting = createVersionedSetting();
  setting.network.preview = { version: 'p1' };
  const { gadget, onReplace } = await openGadget(setting);
  setting.network.transform = (response, { path }) => {
    if (path === 'previews') throw new TypeError('Offline.');
    return response;
  };
  expect(await gadget.decidePreview(true)).toMatchObject({ error: { data: { reason: 'UNAVAILABLE' } } });
  expect([gadget.preview, onReplace.mock.calls]).toEqual(['offered', []]);
});

test('a version is loaded only if the site gives it, and if it is still wanted then', async () => {
  const setting = createVersionedSetting();
  const { gadget, onReplace } = await openGadget(setting);
  setting.network.transform = () => {
    throw new TypeError('Offline.');
  };
  expect(await gadget.loadAnew()).toBe(false);
  setting.network.transform = (response) => response;
  expect(await gadget.loadAnew(() => false)).toBe(false);
  expect(onReplace).not.toHaveBeenCalled();
  expect(await gadget.loadAnew(() => true)).toBe(true);
  expect(onReplace).toHaveBeenCalledExactlyOnceWith('version');
  gadget.close();
  expect(await gadget.loadAnew()).toBe(false);
  expect(onReplace).toHaveBeenCalledOnce();
});

test('a decision about a preview that was offered since the page was opened goes with a token that names it', async () => {
  const setting = createVersionedSetting();
  const { gadget } = await openGadget(setting);
  setting.network.preview = { version: 'p1' };
  setting.change('friends');
  await vi.waitFor(() => expect(gadget.preview).toBe('offered'));
  await gadget.decidePreview(true);
  const decided = setting.network.posts.findIndex(({ path }) => path === 'previews');
  expect(setting.network.posts[decided - 1]).toMatchObject({
    path: 'instances',
    body: [{ app: 'friends', version: 'v1' }],
  });
  const body = setting.network.posts[decided]?.body as { token: string } | undefined;
  expect(JSON.parse(body?.token ?? '{}').serial).toBe(3); // first, asked after the change, renewed
});
