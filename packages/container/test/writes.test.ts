import type { ResourceRequest } from '@gantry/wire';
import { expect, test } from 'vitest';
import { createStillClock } from '../../bridge/test/still-clock.ts';
import { createCallQueue } from '../src/call-queue.ts';
import { createOutbox } from '../src/outbox.ts';
import { createProxyClient } from '../src/proxy-client.ts';
import type { Session } from '../src/session.ts';
import { createWrites } from '../src/writes.ts';
import { createNetwork } from './network.ts';
import { friends, notes, post, save, stream, tick } from './setting.ts';

/** A page whose outbox is there, with what its POSTs ask. */
async function openPage({ isOutboxAway = false } = {}) {
  const network = createNetwork();
  const token = JSON.stringify({ app: 'friends', viewer: '1', owner: '1', serial: 1 });
  const session: Session = {
    scope: { upstream: 'site', app: 'friends', viewer: '1', owner: '1', since: 0 },
    since: undefined,
    credentials: async () => ({ ok: { instance: 'i1', token } }),
  };
  const clock = createStillClock();
  const client = createProxyClient({ base: new URL('https://site.test/gantry/'), fetch: network.fetch });
  const queue = createCallQueue({ client, clock, onViewerChanged: () => undefined, onReplaced: () => undefined });
  const writes = createWrites(queue, async () => {
    if (isOutboxAway) throw new Error('The network is away.');
    const outbox = await createOutbox({
      queue,
      storage: {
        all: async () => [],
        get: async () => undefined,
        put: async () => {},
        remove: async () => {},
        clear: async () => {},
      },
      channel: { postMessage: () => undefined, onmessage: null },
      sessionFor: async () => ({ ok: session }),
      exclusive: (_, work) => work(),
      report: () => undefined,
      show: () => () => undefined,
      clock,
      mark: () => undefined,
    });
    return { ...outbox, attend: () => () => undefined };
  });
  writes.wake('1');
  await writes.load();
  const send = (request: ResourceRequest) =>
    writes.send(session, request, { isWrite: request === save || request === post });
  const posts = () => network.calls().map(({ calls }) => calls.map(({ operation }) => operation));
  return { network, send, posts };
}

test('reads and writes of one tick are one POST, in the order of the calls (architecture: one request)', async () => {
  const { send, posts } = await openPage();
  await Promise.all([send(friends), send(save), send(notes), send(post), send(stream)]);
  expect(posts()).toEqual([['people.get', 'appdata.update', 'appdata.get', 'activities.create', 'activities.get']]);
});

test('so are they where what keeps writes cannot be fetched', async () => {
  const { send, posts } = await openPage({ isOutboxAway: true });
  await Promise.all([send(friends), send(save), send(notes)]);
  expect(posts()).toEqual([['people.get', 'appdata.update', 'appdata.get']]);
});

test('a read behind a write that waits for an earlier one goes with it, not before it', async () => {
  const { network, send, posts } = await openPage();
  const answered = Promise.withResolvers<void>();
  network.site = async ({ operation }) => {
    if (operation === 'activities.create') await answered.promise;
    return { ok: {} };
  };
  const first = send(post);
  await expect.poll(posts).toEqual([['activities.create']]);
  const later = [send(save), send(notes)];
  await tick(); // the end of their tick
  expect(posts()).toEqual([['activities.create']]);
  answered.resolve();
  await Promise.all([first, ...later]);
  expect(posts()).toEqual([['activities.create'], ['appdata.update', 'appdata.get']]);
});
