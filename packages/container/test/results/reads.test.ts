import type { Reply } from '@gantry/wire';
import { expect, test, vi } from 'vitest';
import type { Network } from '../network.ts';
import { createSetting, friends, mountOne, notes, post, save, stream, tick } from '../setting.ts';
import { cached, counting, stale } from './cached.ts';

const second = 1_000;
const day = 24 * 60 * 60 * second;

test('a fresh result is answered at once, without a promise and without a POST', async () => {
  const setting = createSetting();
  counting(setting);
  const { network, clock, newPage, mount } = setting;
  const gadget = await mount(newPage());
  expect(await gadget.answer(friends)).toEqual({ ok: 1, meta: { ageMs: 0, source: 'network' } });
  clock.nowMs += 59 * second;
  expect(gadget.answer(friends)).toEqual(cached(1, 59 * second));
  await tick();
  expect(network.calls()).toHaveLength(1);
});

test('an older one is answered at once and asked again behind it', async () => {
  const setting = createSetting();
  counting(setting);
  const { network, clock, newPage, mount } = setting;
  const gadget = await mount(newPage());
  await gadget.answer(friends);
  clock.nowMs += 60 * second;
  expect(gadget.answer(friends)).toEqual(stale(1, 60 * second));
  expect(gadget.answer(friends)).toEqual(stale(1, 60 * second));
  await vi.waitFor(() => expect(gadget.answer(friends)).toEqual(cached(2, 0)));
  expect(network.calls()).toHaveLength(2);
});

test('one older than a day is not shown any more', async () => {
  const setting = createSetting();
  counting(setting);
  const { clock, newPage, mount } = setting;
  const gadget = await mount(newPage());
  await gadget.answer(friends);
  clock.nowMs += day;
  expect(await gadget.answer(friends)).toEqual({ ok: 2, meta: { ageMs: 0, source: 'network' } });
});

test('one older than a day is shown while the site is out of reach, with its age, on a later page too; after a week it is not', async () => {
  const setting = createSetting();
  const { network, clock, newPage, mount } = setting;
  network.site = () => ({ ok: 'kept' });
  await (await mount(newPage())).answer(friends);
  await vi.waitFor(() => expect(setting.storage.content.size).toBe(1));
  network.site = () => ({ error: { code: 503, message: 'Down.' } });
  clock.nowMs += 6 * day;
  const gadget = await mount(newPage());
  expect(await gadget.answer(friends)).toEqual(stale('kept', 6 * day));
  network.site = () => ({ error: { code: 403, message: 'No longer.' } });
  expect(await gadget.answer(friends)).toMatchObject({ error: { code: 403 } });
  network.site = () => ({ error: { code: 503, message: 'Down.' } });
  clock.nowMs += day;
  expect(await gadget.answer(friends)).toMatchObject({ error: { code: 503 } });
});

test('a clock that was set back makes no result younger than it is', async () => {
  const setting = createSetting();
  counting(setting);
  const { clock, newPage, mount } = setting;
  const gadget = await mount(newPage());
  await gadget.answer(friends);
  clock.nowMs -= second;
  expect(await gadget.answer(friends)).toMatchObject({ ok: 2 });
});

test('errors are not cached', async () => {
  const { network, gadget } = await mountOne();
  network.site = () => ({ error: { code: 503, message: 'Down.' } });
  expect(await gadget.answer(friends)).toMatchObject({ error: { code: 503 } });
  network.site = () => ({ ok: 'up' });
  expect(await gadget.answer(friends)).toMatchObject({ ok: 'up' });
});

test('a read that fails the second time leaves the first result', async () => {
  const { network, clock, gadget } = await mountOne();
  network.site = () => ({ ok: 'good' });
  await gadget.answer(friends);
  network.site = () => ({ error: { code: 503, message: 'Down.' } });
  clock.nowMs += 60 * second;
  gadget.answer(friends);
  await vi.waitFor(() => expect(network.calls()).toHaveLength(2));
  await tick();
  expect(gadget.answer(friends)).toEqual(stale('good', 60 * second));
});

test('results of one owner’s page are not those of another’s', async () => {
  const { network, newPage, mount } = createSetting();
  network.site = (_, { owner }) => ({ ok: `for the page of ${owner}` });
  const container = newPage();
  const [one, other] = await Promise.all([mount(container, 'friends', '1'), mount(container, 'friends', '7')]);
  expect(await one.answer(friends)).toMatchObject({ ok: 'for the page of 1' });
  expect(await other.answer(friends)).toMatchObject({ ok: 'for the page of 7' });
});

test('after a write its app waits for the network (read your writes)', async () => {
  const setting = createSetting();
  counting(setting);
  const { newPage, mount } = setting;
  const gadget = await mount(newPage());
  expect(await gadget.answer(notes)).toMatchObject({ ok: 1 });
  await gadget.answer(save);
  expect(await gadget.answer(notes)).toMatchObject({ ok: 3, meta: { source: 'network' } });
});

test('a read that was on its way when a write was done is not kept', async () => {
  const { network, gadget } = await mountOne();
  const old = Promise.withResolvers<Reply>();
  network.site = ({ operation }) => (operation === 'appdata.get' ? old.promise : { ok: {} });
  const earlier = gadget.answer(notes);
  await vi.waitFor(() => expect(network.calls()).toHaveLength(1));
  await gadget.answer(save);
  network.site = () => ({ ok: 'new' });
  expect(await gadget.answer(notes)).toMatchObject({ ok: 'new' });
  old.resolve({ ok: 'old' });
  expect(await earlier).toMatchObject({ ok: 'old' });
  expect(gadget.answer(notes)).toEqual(cached('new', 0));
});

test.each([
  ['AppData is its app’s own', notes, save, { ok: 'cached', meta: { ageMs: 0, source: 'cache' } }],
  ['activities are everybody’s', stream, post, { ok: 'asked again', meta: { ageMs: 0, source: 'network' } }],
])('an app sees another app’s writes: %s', async (_, read, write, seen) => {
  const { network, newPage, mount } = createSetting();
  const container = newPage();
  const [writer, reader] = await Promise.all([mount(container, 'writer'), mount(container, 'reader')]);
  network.site = () => ({ ok: 'cached' });
  await reader.answer(read);
  await writer.answer(write);
  network.site = () => ({ ok: 'asked again' });
  expect(await reader.answer(read)).toEqual(seen);
});

test('a write leaves other topics alone', async () => {
  const setting = createSetting();
  counting(setting);
  const { newPage, mount } = setting;
  const gadget = await mount(newPage());
  await gadget.answer(friends);
  await gadget.answer(post);
  expect(gadget.answer(friends)).toEqual(cached(1, 0));
});

test('a write whose outcome is unknown counts as done', async () => {
  const { network, gadget } = await mountOne();
  const broken = Promise.withResolvers<void>();
  network.site = ({ operation }) => ({ ok: operation });
  network.transform = async (response, { body }) => {
    if (!JSON.stringify(body).includes('appdata.update')) return response;
    await broken.promise;
    throw new TypeError('Failed to fetch');
  };
  const written = gadget.answer(save);
  await vi.waitFor(() => expect(network.calls()).toHaveLength(1));
  await gadget.answer(notes);
  broken.resolve();
  expect(await written).toMatchObject({ error: { code: 503 } });
  expect(await gadget.answer(notes)).toMatchObject({ meta: { source: 'network' } });
});

test.each<[string, Partial<Pick<Network, 'uses' | 'permissions'>>]>([
  ['declared', { uses: ['albums.get'] }],
  ['granted', { permissions: ['albums'] }],
])('a call that is no longer %s is not answered from the cache, online or offline', async (_, rights) => {
  const setting = createSetting();
  counting(setting);
  const { network, newPage, mount } = setting;
  const before = await mount(newPage());
  await before.answer(friends);
  await vi.waitFor(() => expect(setting.storage.content.size).toBe(1));
  const pushed = vi.fn();
  expect((await mount(newPage())).answer(friends)).toEqual(cached(1, 0)); // control
  Object.assign(network, rights);
  network.site = () => ({ error: { code: 403, message: 'No longer.' } });
  const gadget = await mount(newPage());
  gadget.watch(friends, pushed);
  expect(await gadget.answer(friends)).toMatchObject({ error: { code: 403 } });
  network.site = () => ({ error: { code: 503, message: 'Down.' } });
  expect(await gadget.answer(friends)).toMatchObject({ error: { code: 503 } });
  expect(pushed).not.toHaveBeenCalled();
});
