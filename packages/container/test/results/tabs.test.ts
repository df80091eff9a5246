import { expect, onTestFinished, test, vi } from 'vitest';
import { joinTabs, openTabChannel, type TabMessage } from '../../src/results/tabs.ts';
import { createSetting, notes, save, stream, tick } from '../setting.ts';

test('a write in one tab makes results of the others stale, and what they watch is asked again', async () => {
  const { network, newPage, mount } = createSetting();
  network.site = () => ({ ok: { '1': { a: '0' } } });
  const [writer, reader] = [await mount(newPage()), await mount(newPage())];
  await reader.answer(notes);
  const shown: unknown[] = [];
  reader.watch(notes, (reply) => shown.push(reply));
  network.site = () => ({ ok: { '1': { a: '1' } } });
  await writer.answer(save);
  await vi.waitFor(() => expect(shown).toEqual([{ ok: { '1': { a: '1' } }, meta: { ageMs: 0, source: 'network' } }]));
});

test('a write that was refused concerns no other tab', async () => {
  const { network, newPage, mount } = createSetting();
  const [writer, reader] = [await mount(newPage()), await mount(newPage())];
  await reader.answer(notes);
  network.site = () => ({ error: { code: 403, message: 'No.' } });
  await writer.answer(save);
  expect(reader.answer(notes)).toMatchObject({ meta: { source: 'cache' } });
  expect(reader.answer(notes)).not.toHaveProperty('meta.stale');
});

test('once another member is signed in, no tab has anything of the first (security rule 14)', async () => {
  const { network, storage, newPage } = createSetting();
  const replaced: string[] = [];
  const first = await newPage().mount({ app: 'friends' }, () => replaced.push('first'));
  if ('ok' in first) await first.ok.answer({ operation: 'appdata.get', params: '{}' });
  await vi.waitFor(() => expect(storage.content.size).toBe(1));
  const second = newPage();
  await second.mount({ app: 'friends' }, () => replaced.push('second'));
  expect([replaced, storage.content.size]).toEqual([[], 1]); // control: the same member
  network.viewer = '2';
  await newPage().mount({ app: 'friends' }, () => replaced.push('third'));
  await vi.waitFor(() => expect(replaced).toEqual(['first', 'second']));
  expect(storage.content.size).toBe(0);
});

test('tabs of two viewers at once do not chase each other', async () => {
  const { network, newPage } = createSetting();
  const pages = [newPage(), newPage()];
  let replacements = 0;
  const mountAgain = async (page: (typeof pages)[number], viewer: string): Promise<void> => {
    network.viewer = viewer;
    await page.mount({ app: 'friends' }, () => {
      replacements += 1;
      if (replacements < 20) void mountAgain(page, viewer);
    });
  };
  await mountAgain(pages[0] as never, '1');
  await mountAgain(pages[1] as never, '2');
  for (let nth = 0; nth < 20; nth += 1) await tick();
  expect(replacements).toBeLessThan(5);
});

test('a site that signs its member out leaves nothing, in any tab and in the storage', async () => {
  const { network, storage, newPage } = createSetting();
  const replaced: string[] = [];
  const page = newPage();
  const text = (params: object) => JSON.stringify(params);
  for (const [name, container] of [['here', page] as const, ['there', newPage()] as const]) {
    const mounted = await container.mount({ app: 'friends' }, () => replaced.push(name));
    if ('ok' in mounted) await mounted.ok.answer({ operation: 'appdata.get', params: text(notes.params) });
  }
  await vi.waitFor(() => expect(storage.content.size).toBe(1));
  storage.content.set('of another page', {});
  network.viewer = undefined;
  await page.purge();
  expect(storage.content.size).toBe(0);
  await vi.waitFor(() => expect(replaced).toEqual(['here', 'there']));
});

test('a reply that was on its way at a sign-out is not kept', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { network, storage, newPage, mount } = createSetting();
  const page = newPage();
  const mounting = mount(page);
  await vi.runAllTimersAsync();
  const gadget = await mounting;
  const early = gadget.answer(notes);
  await vi.runAllTimersAsync();
  await early;
  expect(storage.content.size).toBe(1); // control: stored
  const late = Promise.withResolvers<{ ok: string }>();
  network.site = () => late.promise;
  const reply = gadget.answer(stream);
  await vi.waitFor(() => expect(network.calls()).toHaveLength(2));
  await page.purge();
  late.resolve({ ok: 'of the member who left' });
  await reply;
  await vi.runAllTimersAsync();
  expect(storage.content.size).toBe(0);
});

test('messages of another shape, from pages of another version, are left out', () => {
  const heard: TabMessage[] = [];
  let say: (event: { data: unknown }) => void = () => undefined;
  joinTabs({ postMessage: () => undefined, addEventListener: (_, listener) => (say = listener) }, (message) =>
    heard.push(message),
  );
  for (const data of [null, 'purge', [], {}, { changes: 'all' }, { purge: 1 }]) say({ data });
  expect(heard).toEqual([]);
  say({ data: { purge: true } });
  expect(heard).toEqual([{ purge: true }]);
});

test('a browser without channels, or that denies them, is a browser with one tab', () => {
  vi.stubGlobal('BroadcastChannel', undefined);
  const channel = openTabChannel(new URL('https://site.test/gantry/'));
  vi.unstubAllGlobals();
  expect(channel).toBeUndefined();
  joinTabs(channel, () => undefined)({ purge: true });
});
