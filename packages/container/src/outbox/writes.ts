import { failure, randomNonce } from '@gantry/bridge';
import type { Reply } from '@gantry/wire';
import type { Clock } from '@gantry/wire/runtime';
import type { CallQueue, SendOptions } from '../calls/call-queue.ts';
import type { Scope } from '../calls/scope.ts';
import type { Sessions } from '../calls/sessions.ts';
import type { WriteGate } from '../calls/write-gate.ts';
import type { GadgetWrites } from '../gadget.ts';
import { type Lazy, lazy } from '../lazy.ts';
import type { Pend } from '../results/optimistic.ts';
import type { Write } from '../results/parse-request.ts';
import type { PageOutbox } from './outbox.ts';

/** Writes of a page: optimistic at once, then sent through the outbox. */
export type Writes = ReturnType<typeof createWrites>;

/** @param options.fetchOutbox May reject: writes then go through the queue alone. */
export function createWrites(options: {
  readonly queue: CallQueue;
  readonly gate: WriteGate;
  readonly clock: Clock;
  readonly sessions: Pick<Sessions, 'get'>;
  readonly freshness: Lazy<{ readonly pend: Pend }>;
  readonly fetchOutbox: () => Promise<PageOutbox>;
}) {
  const { queue, gate, clock, sessions, freshness, fetchOutbox } = options;
  let viewerNow: string | null | undefined;
  const followers = new Set<(outbox: PageOutbox) => void>(); // until it is here
  const outbox = lazy(async () => {
    const fetched = await fetchOutbox();
    if (viewerNow !== undefined) fetched.wake(viewerNow);
    for (const begin of followers) begin(fetched);
    followers.clear();
    return fetched;
  });
  /** Fetches the outbox, with the writes of earlier pages. Never rejects. */
  const load = () => outbox.load().catch(() => undefined); // the next write tries again

  /** Shows a write, sends it, and rolls it back if it fails. Never rejects. */
  async function send(write: Write, { write: wanted, signal }: Pick<SendOptions, 'write' | 'signal'>): Promise<Reply> {
    const { scope, request, session, sent } = write;
    const onQueued = gate.close(session);
    let settle: ReturnType<Pend>;
    const named = { id: randomNonce(clock), ...wanted };
    try {
      const { pend } = freshness.value ?? (await freshness.load());
      settle = pend({ id: String(named.id), scope, request, atMs: clock.now() });
    } catch {
      onQueued();
      return failure('UNAVAILABLE', 'The site cannot be reached. Nothing was written.');
    }
    if (outbox.value === undefined) await load();
    const reply = await (outbox.value
      ? outbox.value.add(session, sent, { write: named, signal, onQueued })
      : queue.send(session, sent, { isWrite: true, write: named, signal, onQueued })
    ).finally(onQueued);
    await settle(reply);
    if ('error' in reply) sessions.get(session)?.rollBack({ ...sent, error: reply.error });
    return reply;
  }

  return {
    send,
    load,
    /** Sends the waiting writes of the signed-in member, once the outbox is here. */
    wake(viewer: string | null): void {
      viewerNow = viewer;
      outbox.value?.wake(viewer);
    },
    /** Forgets every write that waits. Never rejects. */
    async clear(): Promise<void> {
      await load();
      await outbox.value?.clear();
    },
    of: (scope: Scope): GadgetWrites => ({
      reports: () => outbox.value?.reports(scope) ?? [],
      follow(place, reports) {
        let stop: (() => void) | undefined;
        const begin = (opened: PageOutbox): void => {
          stop = opened.follow(scope, place, reports);
        };
        if (outbox.value) begin(outbox.value);
        else {
          followers.add(begin);
          void place.whenLoaded().then(async () => {
            const opened = followers.has(begin) ? await load() : undefined; // no first paint needs it
            if (opened && followers.delete(begin)) begin(opened);
          });
        }
        return () => {
          followers.delete(begin);
          stop?.();
        };
      },
    }),
  };
}
