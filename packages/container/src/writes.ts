import type { WriteReport } from '@gantry/bridge';
import type { CallQueue } from './call-queue.ts';
import type { Outbox } from './outbox.ts';
import type { BarePlace } from './place.ts';
import type { Scope } from './scope.ts';
import type { Session } from './session.ts';

/** The queue with the outbox before it, which is fetched after the first paint. */
export interface Writes extends CallQueue {
  /** Brings the outbox, with the writes of earlier pages. Never rejects. */
  load(): Promise<unknown>;
  /** This member is signed in: what waits for that may be sent. */
  wake(viewer: string | null): void;
  /** Forgets every write that waits. Never rejects. */
  clear(): Promise<void>;
  of(scope: Scope): PlaceWrites;
}

/** The writes of one app for one viewer and owner. */
export interface PlaceWrites {
  /** The newest ones, oldest first. */
  reports(): readonly WriteReport[];
  /**
   * Tells the app of each one that waits or is done, and the member what waits, until the returned function is called.
   *
   * @param told What the app knows already.
   */
  attend(place: BarePlace, told: readonly WriteReport[]): () => void;
}

/** An outbox with what a page shows of it. */
export interface AttendedOutbox extends Outbox {
  attend(scope: Scope, place: BarePlace, told: readonly WriteReport[]): () => void;
}

/** Names the outbox in this browser: its database, its channel, and the mark that says that it is not empty. */
export const outboxMark = 'gantry-outbox';

/** @param fetchOutbox May reject: writes then are as safe as the network. */
export function createWrites(queue: CallQueue, fetchOutbox: () => Promise<AttendedOutbox>): Writes {
  const gates = new WeakMap<Session, Promise<unknown>>(); // closed while a write is on its way into the queue
  let outbox: AttendedOutbox | undefined;
  let loading: Promise<unknown> | undefined;
  let viewerNow: string | null = null;

  function load(): Promise<unknown> {
    loading ??= fetchOutbox().then(
      (fetched) => {
        outbox = fetched;
        outbox.wake(viewerNow);
      },
      () => {
        loading = undefined; // the network is away: another write tries again
      },
    );
    return loading;
  }

  /** @returns What opens the gate before `until`. */
  function hold(session: Session, until: Promise<unknown>): () => void {
    const open = (): void => {
      if (gates.get(session) === until) gates.delete(session);
    };
    gates.set(session, until);
    until.then(open, open);
    return open;
  }

  return {
    load,
    hold,
    wake(viewer) {
      viewerNow = viewer;
      if (outbox) outbox.wake(viewer);
      else void load();
    },
    async clear() {
      await load();
      await outbox?.clear();
    },
    of: (scope) => ({
      reports: () => outbox?.reports(scope) ?? [],
      attend(place, told) {
        const attending = load().then(() => outbox?.attend(scope, place, told));
        return () => void attending.then((stop) => stop?.());
      },
    }),
    async send(session, request, options) {
      if (!options.isWrite) {
        // What follows a write stands behind it, in the same POST where it can: the proxy keeps that order.
        while (gates.has(session)) await gates.get(session)?.catch(() => undefined);
        return queue.send(session, request, options);
      }
      const { promise, resolve } = Promise.withResolvers<void>();
      const open = hold(session, promise);
      const onQueued = (): void => {
        open(); // at once: a read of the same tick must not wait behind the next write
        resolve();
      };
      if (outbox === undefined) await load();
      return (outbox ?? queue).send(session, request, { ...options, onQueued }).finally(onQueued);
    },
  };
}
