import { failure, randomNonce } from '@gantry/bridge';
import { type Clock, isWriteId, type Reply, type ResourceRequest } from '@gantry/wire';
import type { Entry } from './outbox-entry.ts';
import type { Shelf } from './outbox-shelf.ts';
import { laneOf, type Scope } from './scope.ts';

/** What may wait, for each member and app. */
export const outboxLimits = { writes: 200, characters: 1_000_000 } as const;

/** Decides what becomes of a write that comes in: it is new, repeats one that is known, or is not taken. */
export interface Intake {
  /** The write of this id that is known already, or what speaks against a new one. */
  earlier(scope: Scope, request: ResourceRequest, id: string): Entry | Reply | undefined;
  newEntry(scope: Scope, request: ResourceRequest, options: Pick<Entry, 'id' | 'queues'>): Entry;
}

export function createIntake(options: {
  readonly shelf: Pick<Shelf, 'lane' | 'charactersOf' | 'forget'>;
  readonly clock: Pick<Clock, 'now' | 'bytes'>;
}): Intake {
  const { shelf, clock } = options;
  let count = 0; // orders what came in one millisecond

  function isFull(mine: readonly Entry[], length: number): boolean {
    const open = mine.filter(({ done }) => done === undefined);
    if (open.length === 0 || open.length >= outboxLimits.writes) return open.length > 0;
    return open.reduce((sum, entry) => sum + shelf.charactersOf(entry), length) > outboxLimits.characters;
  }

  return {
    earlier(scope, request, id) {
      if (!isWriteId(id)) {
        return failure('BAD_REQUEST', 'The id of a write is 1 to 64 of the characters A-Z a-z 0-9 _ -');
      }
      const mine = shelf.lane(laneOf(scope));
      const known = mine.find((entry) => entry.id === id);
      const text = JSON.stringify(request);
      if (known === undefined) return isFull(mine, text.length) ? full : undefined;
      if (shelf.charactersOf(known) !== text.length || JSON.stringify(known.request) !== text) {
        return failure('CONFLICT', 'Another write has this id already.');
      }
      if (known.done === undefined) return known;
      if ('ok' in known.done.reply) return known.done.reply;
      shelf.forget(known); // it was not done, and now it is tried again
      return undefined;
    },
    newEntry(scope, request, { id, queues }) {
      count += 1;
      const isBehind = shelf.lane(laneOf(scope)).some(({ done, waits }) => done === undefined && waits);
      const addedAtMs = clock.now();
      const key = `${String(addedAtMs).padStart(15, '0')}.${String(count).padStart(6, '0')}.${randomNonce(clock)}`;
      return { key, id, scope, request, queues, addedAtMs, sent: !isBehind, waits: false };
    },
  };
}

const full = failure('STORAGE_FULL', 'Too many changes of this app wait for a connection.');
