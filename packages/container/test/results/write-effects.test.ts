import type { Call, Reply } from '@gantry/wire';
import { expect, test, vi } from 'vitest';
import { mostShown } from '../../src/results/pending-writes.ts';
import { createSetting, type TestGadget, tick } from '../setting.ts';

// Many reads that are watched, and many writes at once: each costs its own, and no read is shown
// twice in a tick.

const read = (index: number) => ({ operation: 'appdata.get', params: { keys: `k${index}` } });
const write = (index: number, keys = 1) => ({
  operation: 'appdata.update',
  params: { data: Object.fromEntries(Array.from({ length: keys }, (_, key) => [`k${index + key}`, `v${index}`])) },
});
const activity = { operation: 'activities.create', params: { activity: { title: 'Hello' } } };
const ownStream = { operation: 'activities.get', params: {} };

/** A gadget that watches results that are all cached; its writes wait for `answer`. */
async function watching(reads: number) {
  const setting = createSetting();
  const { network, newPage, mount } = setting;
  const values: Record<string, string> = {};
  const waiting: (() => void)[] = [];
  let readCount = 0;
  network.site = ({ operation, params }: Call): Reply | Promise<Reply> => {
    if (operation === 'activities.get') return { ok: { list: [], startIndex: 0, totalResults: 0, itemsPerPage: 100 } };
    if (operation === 'activities.create') return new Promise(() => {});
    if (operation === 'appdata.get') {
      readCount += 1;
      const key = params.keys as string;
      return { ok: { '1': key in values ? { [key]: values[key] } : {} } };
    }
    return new Promise((resolve) => {
      waiting.push(() => {
        Object.assign(values, params.data);
        resolve({ ok: {} });
      });
    });
  };
  const gadget: TestGadget = await mount(newPage());
  const shown = Array.from({ length: reads }, (): unknown[] => []);
  for (const index of shown.keys()) {
    await gadget.answer(read(index));
    gadget.watch(read(index), (reply) => shown[index]?.push('ok' in reply && reply.ok));
  }
  readCount = 0;
  return { gadget, shown, waiting, readCount: () => readCount };
}

test('however many writes come in a tick, each read that is watched is shown once (security rule 25)', async () => {
  const { gadget, shown, waiting } = await watching(100);
  for (let index = 0; index < 200; index++) void gadget.answer(write(index % 40));
  await vi.waitFor(() => expect(waiting).toHaveLength(200));
  await tick();
  expect(shown.map((views) => views.length)).toEqual(shown.map(() => 1));
  expect(shown[7]).toEqual([{ '1': { k7: 'v7' } }]);
});

test('watched reads are sent again once for writes that end in one tick, not once for each (security rule 25)', async () => {
  const { gadget, shown, waiting, readCount } = await watching(50);
  for (let index = 0; index < 200; index++) void gadget.answer(write(index % 50));
  await vi.waitFor(() => expect(waiting).toHaveLength(200));
  for (const answer of waiting) answer();
  await vi.waitFor(() =>
    expect(gadget.answer(read(3))).toMatchObject({ ok: { '1': { k3: 'v3' } }, meta: { ageMs: 0 } }),
  );
  await vi.waitFor(() => expect(gadget.answer(read(3))).not.toHaveProperty('meta.stale'));
  expect(readCount()).toBeLessThanOrEqual(3 * 50);
  for (const views of shown) expect(views.length).toBeLessThanOrEqual(3);
});

test('writes that end one after the other have watched reads asked again when the last has ended, or after a second', async () => {
  const { gadget, waiting, readCount } = await watching(20);
  const startMs = performance.now();
  const written = Array.from({ length: 30 }, (_, index) => gadget.answer(write(index % 20)));
  await vi.waitFor(() => expect(waiting).toHaveLength(30));
  for (const [index, answer] of waiting.slice(0, -1).entries()) {
    answer();
    await written[index];
  }
  waiting.at(-1)?.();
  await vi.waitFor(() => {
    for (let index = 0; index < 20; index++) {
      const reply = gadget.answer(read(index));
      expect(reply).toMatchObject({ ok: { '1': { [`k${index}`]: `v${index}` } } });
      expect(reply).not.toHaveProperty('meta.stale');
    }
  });
  const seconds = (performance.now() - startMs) / 1_000; // a busy machine takes several
  expect(readCount()).toBeGreaterThanOrEqual(20);
  expect(readCount()).toBeLessThanOrEqual((4 + seconds) * 20); // once a second, not 30 times
});

test('50 writes of a gadget are shown before they are sent; the next is shown by its reply (security rule 25)', async () => {
  const { gadget, waiting } = await watching(60);
  for (let index = 0; index < 60; index++) void gadget.answer(write(index));
  await vi.waitFor(() => expect(waiting).toHaveLength(60)); // all are sent
  const isShown = (index: number) => JSON.stringify(gadget.answer(read(index))).includes(`v${index}`);
  const last = mostShown.writes - 1;
  expect([isShown(0), isShown(last), isShown(last + 1), isShown(59)]).toEqual([true, true, false, false]);
  waiting[59]?.();
  await vi.waitFor(() => expect(isShown(59)).toBe(true));
  expect(isShown(58)).toBe(false);
});

test('50 posts, too, are shown before they are sent', async () => {
  const { gadget } = await watching(1);
  await gadget.answer(ownStream);
  for (let index = 0; index < 60; index++) void gadget.answer(activity);
  await vi.waitFor(() => expect(gadget.answer(ownStream)).toMatchObject({ ok: { totalResults: mostShown.writes } }));
});

test('writes of more keys than a member may have are not shown before they are sent (security rule 25)', async () => {
  const { gadget, waiting } = await watching(3);
  void gadget.answer(write(1, mostShown.keys - 1));
  void gadget.answer(write(0, 2));
  void gadget.answer(write(0));
  await vi.waitFor(() => expect(waiting).toHaveLength(3));
  expect(gadget.answer(read(2))).toMatchObject({ ok: { '1': { k2: 'v1' } } });
  expect(gadget.answer(read(0))).toMatchObject({ ok: { '1': { k0: 'v0' } } });
  expect(gadget.answer(read(1))).toMatchObject({ ok: { '1': { k1: 'v1' } } });
});
