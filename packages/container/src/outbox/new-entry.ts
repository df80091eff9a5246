import { failure, randomNonce } from '@gantry/bridge';
import { type Clock, isWriteId, type Reply, type ResourceRequest } from '@gantry/wire';
import { laneOf, type Scope } from '../calls/scope.ts';
import type { Entry, EntryStore } from './entry.ts';

/** Most writes that wait, for each member and app. */
export const outboxLimits = { writes: 200, characters: 1_000_000 } as const;

/** Makes entries of writes, and recognizes those that repeat an earlier one. */
export interface NewEntries {
  /** Returns the earlier write of this id or its reply, or the refusal of a new one. */
  earlier(scope: Scope, request: ResourceRequest, id: string): Entry | Reply | undefined;
  create(scope: Scope, request: ResourceRequest, options: Pick<Entry, 'id' | 'queues'>): Entry;
}

export function createNewEntries(options: {
  readonly store: Pick<EntryStore, 'lane' | 'charactersOf' | 'forget'>;
  readonly clock: Pick<Clock, 'now' | 'bytes'>;
}): NewEntries {
  const { store, clock } = options;
  let count = 0; // orders writes of one millisecond

  function isFull(mine: readonly Entry[], length: number): boolean {
    const open = mine.filter(({ done }) => done === undefined);
    if (open.length === 0 || open.length >= outboxLimits.writes) return open.length > 0;
    return open.reduce((sum, entry) => sum + store.charactersOf(entry), length) > outboxLimits.characters;
  }

  return {
    earlier(scope, request, id) {
      if (!isWriteId(id)) {
        return failure('BAD_REQUEST', 'The id of a write is 1 to 64 of the characters A-Z a-z 0-9 _ -');
      }
      const mine = store.lane(laneOf(scope));
      const known = mine.find((entry) => entry.id === id);
      const text = JSON.stringify(request);
      if (known === undefined) return isFull(mine, text.length) ? full : undefined;
      if (store.charactersOf(known) !== text.length || JSON.stringify(known.request) !== text) {
        return failure('CONFLICT', 'Another write has this id already.');
      }
      if (known.done === undefined) return known;
      if ('ok' in known.done.reply) return known.done.reply;
      store.forget(known); // it failed, and is tried again
      return undefined;
    },
    create(scope, request, { id, queues }) {
      count += 1;
      const isBehind = store.lane(laneOf(scope)).some(({ done, waits }) => done === undefined && waits);
      const addedAtMs = clock.now();
      const key = `${String(addedAtMs).padStart(15, '0')}.${String(count).padStart(6, '0')}.${randomNonce(clock)}`;
      return { key, id, scope, request, queues, addedAtMs, sent: !isBehind, waits: false };
    },
  };
}

const full = failure('STORAGE_FULL', 'Too many changes of this app wait for a connection.');
