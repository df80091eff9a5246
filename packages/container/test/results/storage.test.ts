import { expect, test, vi } from 'vitest';
import type { CachedResult } from '../../src/results/result-cache.ts';
import { createSetting, friends, mountOne, notes, type Setting, save } from '../setting.ts';
import { cached, ownRequest } from './cached.ts';

/** By whom each stored result was found out of date. */
function outdated({ storage }: Setting): unknown[] {
  return [...storage.content.values()].map((entry) => (entry as CachedResult).outdated);
}

test('results outlive the page', async () => {
  const { network, storage, newPage, mount } = createSetting();
  network.site = () => ({ ok: 'kept' });
  const gadget = await mount(newPage());
  await gadget.answer(friends);
  await vi.waitFor(() => expect(storage.content.size).toBe(1));
  const reloaded = await mount(newPage());
  expect(reloaded.answer(friends)).toEqual(cached('kept', 0));
});

test('a result that a write made stale is marked in the storage before the reply', async () => {
  const setting = createSetting();
  const { network, storage, newPage, mount } = setting;
  network.site = () => ({ ok: 'old' });
  const gadget = await mount(newPage());
  await gadget.answer(notes);
  await vi.waitFor(() => expect(storage.content.size).toBe(1));
  await gadget.answer(save);
  expect(outdated(setting)).toEqual(['here']);
});

test('a page left while a write is on its way does not show the old result later', async () => {
  const setting = createSetting();
  const { network, storage, newPage, mount } = setting;
  network.site = ({ operation }) => (operation === 'appdata.get' ? { ok: 'old' } : new Promise(() => undefined));
  const gadget = await mount(newPage());
  await gadget.answer(notes);
  await vi.waitFor(() => expect(storage.content.size).toBe(1));
  void gadget.answer(save);
  await vi.waitFor(() => expect(network.calls()).toHaveLength(2));
  expect(outdated(setting)).toEqual(['here']);
  network.site = () => ({ ok: 'new' });
  const reloaded = await mount(newPage());
  expect(await reloaded.answer(notes)).toEqual({ ok: 'new', meta: { ageMs: 0, source: 'network' } });
});

test('a result that an event made stale is not the first reply of the next page', async () => {
  const setting = createSetting();
  const { network, storage, newPage, mount } = setting;
  network.site = () => ({ ok: ['Ben'] });
  const container = newPage();
  await (await mount(container)).answer(friends);
  await vi.waitFor(() => expect(storage.content.size).toBe(1));
  container.invalidate([{ topic: 'people', member: '5' }]);
  await vi.waitFor(() => expect(outdated(setting)).toEqual(['elsewhere']));
  network.site = () => ({ ok: ['Benedict'] });
  const next = await mount(newPage());
  expect(await next.answer(friends)).toEqual({ ok: ['Benedict'], meta: { ageMs: 0, source: 'network' } });
});

test('another viewer sees nothing of the first, and nothing of the first stays (security rule 14)', async () => {
  const { network, storage, newPage, mount } = createSetting();
  network.site = (_, { viewer }) => ({ ok: `for ${viewer}` });
  const everyone = { operation: 'people.get', params: { userId: '7', groupId: '@friends' } };
  const first = await mount(newPage(), 'friends', '7');
  await first.answer(everyone);
  await vi.waitFor(() => expect(storage.content.size).toBe(1));
  const sameViewer = await mount(newPage(), 'friends', '7');
  expect(sameViewer.answer(everyone)).toMatchObject({ ok: 'for 1' }); // control: this result would be shown
  network.viewer = '2';
  const other = await mount(newPage(), 'friends', '7');
  expect(storage.content.size).toBe(0);
  expect(await other.answer(everyone)).toMatchObject({ ok: 'for 2', meta: { source: 'network' } });
});

test('signing out leaves nothing behind', async () => {
  const { network, storage, newPage, mount, gadget } = await mountOne();
  await gadget.answer(friends);
  await vi.waitFor(() => expect(storage.content.size).toBe(1));
  network.viewer = undefined;
  await mount(newPage());
  expect(storage.content.size).toBe(0);
});

test.each([
  ['denied', () => Promise.reject(new DOMException('Denied.', 'SecurityError'))],
  ['hanging', () => new Promise<never>(() => undefined)],
])('the page works with a storage that is %s', async (_, behave) => {
  const { network, newPage, mount } = createSetting();
  network.site = () => ({ ok: 'there' });
  const gadget = await mount(newPage({ entries: behave, setMany: behave, delMany: behave, clear: behave }));
  await gadget.answer(friends);
  expect(gadget.answer(friends)).toEqual(cached('there', 0));
  expect(await gadget.answer(save)).toMatchObject({ ok: 'there' });
});

test('stored entries that are corrupt are ignored and removed', async () => {
  const { network, storage, newPage, mount } = createSetting();
  network.site = () => ({ ok: 'good' });
  const gadget = await mount(newPage());
  await gadget.answer(friends);
  await vi.waitFor(() => expect(storage.content.size).toBe(1));
  const [[key, good]] = [...storage.content] as [[string, Record<string, unknown>]];
  const bad: unknown[] = [
    null,
    'text',
    {},
    { ...good, storedAtMs: 'now' },
    { ...good, request: null },
    { ...good, request: { ...ownRequest('1'), operation: 'constructor' } },
    { ...good, request: { ...ownRequest('1'), operation: 'appData.update' } },
    { ...good, request: ownRequest('2') },
    { ...good, value: undefined },
    { ...good, version: 0 },
    { ...good, scope: undefined },
  ];
  bad.forEach((value, index) => {
    storage.content.set(`${key.slice(0, -1)},${index}]`, value);
  });
  storage.content.set('no key', good);
  storage.content.set(JSON.stringify(['site', 'friends', '2', '1', 'x']), good);
  const reloaded = await mount(newPage());
  expect(reloaded.answer(friends)).toEqual(cached('good', 0));
  await vi.waitFor(() => expect([...storage.content.keys()]).toEqual([key]));
});
