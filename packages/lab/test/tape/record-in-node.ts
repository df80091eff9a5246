import type { AppRequest } from '@gantry/bridge';
import type { Reply } from '@gantry/wire';
import type { Clock as PageClock } from '@gantry/wire/runtime';
import { createContainer } from '../../../container/src/create-container.ts';
import { createMemoryStorage } from '../../../container/src/memory-storage.ts';
import { createClock, createLab, type Lab, personaHeader, seededRandom } from '../../src/index.ts';
import { createTape, type Tape } from '../../src/tape/index.ts';
import { app, small, url } from '../page.ts';

export type Call = (operation: string, params?: object) => Promise<Reply>;
export const startMs = Date.UTC(2026, 10, 20, 9, 30);

/**
 * One conversation of an app with the container's real answers, the real proxy and the real
 * service, in this process.
 */
export async function recordInNode(
  converse: (call: Call, lab: Lab) => Promise<unknown>,
  { seed = 'tape', persona = 'eva', jitterMs = 0 }: { seed?: string; persona?: string; jitterMs?: number } = {},
): Promise<Tape> {
  const clock = createClock({ startMs });
  clock.stop(startMs);
  const random = seededRandom(seed);
  const lab = await createLab({ name: 'node', url, apps: [app], world: small, clock, random });
  const bytes = seededRandom(`${seed} page`);
  const pageClock: PageClock = {
    now: clock.now,
    elapsed: () => clock.now() - startMs,
    after(ms, callback) {
      const timer = setTimeout(callback, ms);
      return () => clearTimeout(timer);
    },
    random: () => 0.5,
    bytes: (length) => Uint8Array.from(bytes(length)),
  };
  const container = createContainer({
    base: `${url}/gantry/`,
    fetch: async (address, init) => {
      if (jitterMs > 0) await new Promise((resolve) => setTimeout(resolve, Math.random() * jitterMs));
      const headers = new Headers(init?.headers);
      for (const [name, value] of [
        ['origin', url],
        ['sec-fetch-site', 'same-origin'],
        [personaHeader, persona],
      ] as const) {
        headers.set(name, value);
      }
      const { method = 'GET', body = null, signal = null } = init ?? {};
      return lab.fetch(new Request(address, { method, body, headers, signal }));
    },
    storage: createMemoryStorage(),
    locale: 'en',
    clock: pageClock,
    follow: () => () => undefined,
    attention: { isHidden: () => false, onReturn: () => undefined } as never,
    observe: ({ place, ...observed }) =>
      void lab.record.add({ ...observed, place: `${persona}/${place}`, lab: lab.name, atMs: clock.now() }),
  });
  const mounted = await container.mount({ app: app.id }, () => undefined, {});
  if ('error' in mounted) throw new Error(mounted.error.message);
  const gadget = mounted.ok;
  await converse(async (operation, params = {}) => {
    const request: AppRequest = { operation, params: JSON.stringify(params) };
    return gadget.answer(request);
  }, lab);
  const tape = createTape({ host: 'mock', app: app.id, scenario: { persona } }, lab.record.entries);
  clock.close();
  await lab.close();
  return tape;
}

/** Reads at once, a write, a post, and reads after them. */
export async function everyday(call: Call): Promise<void> {
  await Promise.all([
    call('people.get', { userId: '@viewer' }),
    call('people.get', { userId: '@viewer', groupId: '@friends', fields: ['birthday'] }),
    call('appdata.get', { userId: '@viewer' }),
    call('activities.get', { userId: '@viewer' }),
  ]);
  await call('appdata.update', { data: { score: '1' } });
  await call('activities.create', { activity: { title: 'Moved the piano' } });
  await call('activities.create', { activity: { title: 'Too soon after it' } });
  await Promise.all([
    call('appdata.get', { userId: '@viewer' }),
    call('activities.get', { userId: '@viewer' }),
    call('people.get', { userId: '@viewer' }),
  ]);
}
