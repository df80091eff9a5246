import { failure, randomNonce } from '@gantry/bridge';
import { isWriteId, type Reply } from '@gantry/wire';
import type { Clock } from '@gantry/wire/runtime';
import { orderingKeyOf } from '../calls/scope.ts';
import type { Entry, EntryStore } from './entry.ts';

/** Most writes that wait, for each member and app. */
export const outboxLimits = { writes: 200, characters: 1_000_000 } as const;

/** A write as its app makes it. */
export type NewWrite = Pick<Entry, 'scope' | 'request' | 'id' | 'queues'>;

/** Returns the earlier write of the same id or its reply, or the refusal of a new one. */
export function findEarlier(store: EntryStore, { scope, request, id }: NewWrite): Entry | Reply | undefined {
  if (!isWriteId(id)) return badId;
  const mine = store.inOrder(orderingKeyOf(scope));
  const earlier = mine.find((entry) => entry.id === id);
  const text = JSON.stringify(request);
  if (earlier === undefined) return isFull(store, mine, text.length) ? full : undefined;
  if (store.charactersOf(earlier) !== text.length || JSON.stringify(earlier.request) !== text) return conflict;
  if (earlier.done === undefined) return earlier;
  if ('ok' in earlier.done.reply) return earlier.done.reply;
  store.forget(earlier); // a failed write is retried
  return undefined;
}

/** @param count Number of the write on this page, which orders those of one millisecond. */
export function newEntry(
  write: NewWrite,
  {
    store,
    clock,
    count,
  }: { readonly store: EntryStore; readonly clock: Pick<Clock, 'now' | 'bytes'>; readonly count: number },
): Entry {
  const earlier = store.inOrder(orderingKeyOf(write.scope));
  const isBehind = earlier.some(({ done, waits }) => done === undefined && waits);
  const addedAtMs = clock.now();
  // After all before it, also if the clock was set back.
  const lastMs = Number(earlier.at(-1)?.key.slice(0, 15));
  const orderMs = lastMs > addedAtMs ? lastMs + 1 : addedAtMs;
  const key = `${String(orderMs).padStart(15, '0')}.${String(count).padStart(6, '0')}.${randomNonce(clock)}`;
  return { ...write, key, addedAtMs, sent: !isBehind, waits: false };
}

function isFull(store: EntryStore, mine: readonly Entry[], length: number): boolean {
  const open = mine.filter(({ done }) => done === undefined);
  if (open.length === 0 || open.length >= outboxLimits.writes) return open.length > 0;
  return open.reduce((sum, entry) => sum + store.charactersOf(entry), length) > outboxLimits.characters;
}

const badId = failure('BAD_REQUEST', 'The id of a write is 1 to 64 of the characters A-Z a-z 0-9 _ -');
const conflict = failure('CONFLICT', 'Another write has this id already.');
const full = failure('STORAGE_FULL', 'Too many changes of this app wait to be sent.');
