import type { ResourceRequest } from '@gantry/wire';
import { expect, test } from 'vitest';
import { createStillClock } from '../../../bridge/test/still-clock.ts';
import { createCallQueue } from '../../src/calls/call-queue.ts';
import { createProxyClient } from '../../src/calls/proxy-client.ts';
import type { Session } from '../../src/calls/session.ts';
import { createWriteGate } from '../../src/calls/write-gate.ts';
import { lazy } from '../../src/lazy.ts';
import { createMemoryStorage } from '../../src/memory-storage.ts';
import { createOutbox } from '../../src/outbox/create-outbox.ts';
import { createWrites } from '../../src/outbox/writes.ts';
import { createRequestParser } from '../../src/results/parse-request.ts';
import { createReads } from '../../src/results/reads.ts';
import { createResultCache } from '../../src/results/result-cache.ts';
import { isUsable } from '../../src/results/stored-results.ts';
import { createNetwork } from '../network.ts';
import { friends, notes, post, save, stream, tick } from '../setting.ts';

/** Opens a page whose outbox is fetched, and lists the operations of its POSTs. */
async function openPage({ isOutboxAway = false } = {}) {
  const network = createNetwork();
  const token = JSON.stringify({ app: 'friends', viewer: '1', owner: '1', serial: 1 });
  const session: Session = {
    scope: { upstream: 'site', app: 'friends', viewer: '1', owner: '1', since: 0 },
    rights: { uses: [], permissions: [] },
    since: undefined,
    credentials: async () => ({ ok: { instance: 'i1', token } }),
  };
  const clock = createStillClock();
  const storage = createMemoryStorage();
  const client = createProxyClient({ base: new URL('https://site.test/gantry/'), fetch: network.fetch });
  const queue = createCallQueue({ client, clock, sessions: { viewerChanged: () => {}, appReplaced: () => {} } });
  const gate = createWriteGate();
  const cache = createResultCache({ storage: storage.results, clock, fetchCheck: async () => isUsable });
  const reads = createReads({ cache, queue, gate, clock, overlay: (_, value) => value });
  const freshness = lazy(async () => ({ pend: () => async () => {} }));
  await freshness.load();
  const writes = createWrites({
    ...{ queue, gate, clock, freshness },
    sessions: { get: () => undefined },
    async fetchOutbox() {
      if (isOutboxAway) throw new Error('The network is away.');
      const outbox = await createOutbox({
        queue,
        storage: storage.writes,
        channel: { postMessage: () => undefined, onmessage: null },
        sessionFor: async () => ({ ok: session }),
        exclusive: (_, work) => work(),
        report: () => undefined,
        show: () => () => undefined,
        clock,
        mark: () => undefined,
        hasEarlier: false,
        onKept: () => undefined,
      });
      return { ...outbox, follow: () => () => undefined };
    },
  });
  writes.wake('1');
  await writes.load();
  const parseRequest = createRequestParser();
  async function send({ operation, params }: ResourceRequest) {
    const parsed = parseRequest(session, { operation, params: JSON.stringify(params) });
    if ('error' in parsed) throw new Error(parsed.error.message);
    return 'key' in parsed ? reads.answer(parsed) : writes.send(parsed, {});
  }
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
