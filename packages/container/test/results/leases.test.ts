import { limits } from '@gantry/bridge';
import type { Reply } from '@gantry/wire';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { mostLeased } from '../../src/results/leases.ts';
import { createSetting, friends, notes, post, save, stream, tick } from '../setting.ts';
import { counting } from './cached.ts';
import { deliverAll, type LeasedApp, openLeasedApp } from './leased-apps.ts';

const second = 1_000;
const startMs = 1_790_000_000_000;

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: startMs }));
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A page with one app, welcomed, on a site that counts its answers. */
async function open(plan: { readonly apps?: readonly string[] } = {}) {
  const setting = createSetting({ isMachineClock: true });
  counting(setting);
  const container = setting.newPage();
  const apps: LeasedApp[] = [];
  for (const name of plan.apps ?? ['friends']) apps.push(await openLeasedApp(container, name));
  await settle(apps);
  return { ...setting, container, apps, app: apps[0] as LeasedApp };
}

/** Delivers messages and lets pages work, until nothing moves. */
async function settle(apps: readonly LeasedApp[]): Promise<void> {
  for (let round = 0; round < 6; round++) {
    await deliverAll(apps);
    await tick();
  }
  await deliverAll(apps);
}

async function read(app: LeasedApp, request = friends): Promise<Reply | undefined> {
  const replies = app.ask(request);
  await settle([app]);
  return replies[0];
}

/** Returns a reply that needed no message. */
async function withoutCrossing(app: LeasedApp, request = friends): Promise<Reply | undefined> {
  const replies = app.ask(request);
  await Promise.resolve();
  return replies[0];
}

test('a repeated read crosses nothing, counts its age, and is a copy (issue: a repeated read)', async () => {
  const { app, network } = await open();
  network.site = () => ({ ok: { list: [{ id: '2' }], startIndex: 0, totalResults: 1, itemsPerPage: 20 } });
  const first = await read(app);
  expect(first).toMatchObject({ ok: { list: [{ id: '2' }] }, meta: { ageMs: 0, source: 'network' } });
  const crossed = app.posted.length;
  vi.setSystemTime(startMs + 7 * second);
  for (let count = 0; count < 300; count++) {
    const reply = (await withoutCrossing(app)) as { ok: { list: object[] }; meta: object };
    expect(reply).toMatchObject({ ok: { list: [{ id: '2' }] }, meta: { ageMs: 7 * second, source: 'cache' } });
    reply.ok.list.push({ id: 'of the app' });
  }
  expect([app.posted.length, app.page.waiting, network.calls()]).toEqual([crossed, [], [expect.anything()]]);
});

test('a write to another member’s data and then to one’s own ends the leases of both', async () => {
  const { apps, network } = await open({ apps: ['friends', 'friends'] });
  const [writer, reader] = apps as [LeasedApp, LeasedApp];
  network.site = ({ operation }) => ({ ok: operation === 'appdata.get' ? { '1': { a: '0' } } : {} });
  await read(reader, notes);
  expect(await withoutCrossing(reader, notes)).toMatchObject({ ok: { '1': { a: '0' } } });
  writer.ask({ operation: 'appdata.update', params: { userId: '2', data: { a: '1' } } });
  writer.ask(save);
  await deliverAll(apps);
  expect(await withoutCrossing(reader, notes)).toBeUndefined();
});
