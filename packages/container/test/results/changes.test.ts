import type { Reply } from '@gantry/wire';
import { expect, test, vi } from 'vitest';
import { createSetting, friends, mountOne, notes, post, stream, tick } from '../setting.ts';
import { cached, counting, stale } from './cached.ts';

const second = 1_000;

test('subscribers hear of a result that changed, and of no other', async () => {
  const { network, clock, gadget } = await mountOne();
  const heard: Reply[] = [];
  const end = gadget.watch(friends, (reply) => heard.push(reply));
  const revalidate = async (value: string) => {
    network.site = () => ({ ok: value });
    clock.nowMs += 60 * second;
    gadget.answer(friends);
    await vi.waitFor(() => expect(gadget.answer(friends)).toMatchObject({ ok: value, meta: { ageMs: 0 } }));
  };
  await revalidate('first');
  await revalidate('first');
  await revalidate('second');
  end();
  await revalidate('third');
  expect(heard).toEqual([
    { ok: 'first', meta: { ageMs: 0, source: 'network' } },
    { ok: 'second', meta: { ageMs: 0, source: 'network' } },
  ]);
});

test('a watched read is sent again after a write, in any gadget', async () => {
  const { network, newPage, mount } = createSetting();
  const container = newPage();
  const [writer, reader] = await Promise.all([mount(container, 'writer'), mount(container, 'reader')]);
  network.site = () => ({ ok: ['old'] });
  await reader.answer(stream);
  const heard: Reply[] = [];
  reader.watch(stream, (reply) => heard.push(reply));
  network.site = () => ({ ok: ['new', 'old'] });
  await writer.answer(post);
  await vi.waitFor(() => expect(heard).toEqual([{ ok: ['new', 'old'], meta: { ageMs: 0, source: 'network' } }]));
});

test('a change elsewhere makes results stale: shown once more with their age, and asked again', async () => {
  const setting = createSetting();
  counting(setting);
  const { clock, newPage, mount } = setting;
  const container = newPage();
  const gadget = await mount(container);
  await gadget.answer(notes);
  clock.nowMs += second;
  container.invalidate([{ topic: 'appData', member: '1', app: 'friends' }]);
  expect(gadget.answer(notes)).toEqual(stale(1, second));
  await vi.waitFor(() => expect(gadget.answer(notes)).toEqual(cached(2, 0)));
});

test('a change elsewhere concerns no other member’s results and no other topic’s', async () => {
  const setting = createSetting();
  counting(setting);
  const { newPage, mount } = setting;
  const container = newPage();
  const gadget = await mount(container);
  await gadget.answer(notes);
  container.invalidate([
    { topic: 'appData', member: '2', app: 'friends' },
    { topic: 'activities', member: '1' },
  ]);
  expect(gadget.answer(notes)).toEqual(cached(1, 0));
});

test('watched reads are sent again in one POST after a change elsewhere', async () => {
  const { network, newPage, mount } = createSetting();
  const container = newPage();
  const [one, two] = await Promise.all([mount(container, 'one'), mount(container, 'two')]);
  const heard: unknown[] = [];
  for (const gadget of [one, two]) gadget.watch(stream, (reply) => heard.push(reply));
  network.site = (_, { app }) => ({ ok: `new for ${app}` });
  container.invalidate([{ topic: 'activities', member: '5' }]);
  await vi.waitFor(() => expect(heard).toHaveLength(2));
  expect(heard).toEqual(['one', 'two'].map((app) => ({ ok: `new for ${app}`, meta: { ageMs: 0, source: 'network' } })));
  expect(network.calls().map(({ calls }) => calls.length)).toEqual([2]);
});

test('a read that was on its way when something changed elsewhere is not kept', async () => {
  const { network, newPage, mount } = createSetting();
  const container = newPage();
  const gadget = await mount(container);
  const old = Promise.withResolvers<Reply>();
  network.site = () => old.promise;
  const earlier = gadget.answer(notes);
  await vi.waitFor(() => expect(network.calls()).toHaveLength(1));
  container.invalidate([{ topic: 'appData', member: '1' }]);
  old.resolve({ ok: 'old' });
  await earlier;
  network.site = () => ({ ok: 'new' });
  expect(await gadget.answer(notes)).toMatchObject({ ok: 'new' });
});

test('watched reads of a hidden page are sent again when it is visible', async () => {
  const { network, clock, newPage, mount, setHidden } = createSetting();
  const container = newPage();
  const gadget = await mount(container);
  const heard: unknown[] = [];
  const end = gadget.watch(notes, (reply) => heard.push('ok' in reply && reply.ok));
  await gadget.answer(notes);
  setHidden(true);
  network.site = () => ({ ok: 'new' });
  container.invalidate([{ topic: 'appData', member: '1' }]);
  await tick();
  expect(network.calls()).toHaveLength(1);
  setHidden(false);
  await vi.waitFor(() => expect(heard.at(-1)).toBe('new'));
  network.site = () => ({ ok: 'newer' });
  setHidden(false);
  await tick();
  expect(network.calls()).toHaveLength(2); // a fresh result is not read again
  clock.nowMs += 5 * second;
  setHidden(false);
  await vi.waitFor(() => expect(heard.at(-1)).toBe('newer'));
  end();
  clock.nowMs += 5 * second;
  setHidden(false);
  await tick();
  expect(network.calls()).toHaveLength(3);
});
