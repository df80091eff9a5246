import { setImmediate as turn } from 'node:timers/promises';
import { createGate, type Gate } from '@gantry/wire';
import type { Authenticated } from './auth/authenticate.ts';

/** Runs a requester's work that reads much or makes a long text; a few at a time. */
export type WideReads = (
  requester: Pick<Authenticated, 'consumerKey' | 'memberId'>,
  work: () => Promise<string>,
) => Promise<string>;

const atOnce = 2;
const longCharacters = 64 * 1024;

/**
 * Creates the gate for wide reads of one process. With SQLite, reading and writing an answer is one
 * piece of work, and all requests whose nonces were stored together would be answered in one turn
 * of the event loop: seconds, with all answers in memory. With PostgreSQL they would take all
 * connections of the pool. Two run at once, one of each requester, so that no requester keeps the
 * others out; after a long one the event loop gets a turn.
 */
export function createWideReads(): WideReads {
  const shared = createGate({ atOnce });
  const own = new Map<string, Gate>();

  function gateOf({ consumerKey, memberId }: Pick<Authenticated, 'consumerKey' | 'memberId'>): Gate {
    const requester = JSON.stringify([consumerKey, memberId]);
    const gate = own.get(requester) ?? createGate({ atOnce: 1, idle: () => void own.delete(requester) });
    own.set(requester, gate);
    return gate;
  }

  return (requester, work) =>
    gateOf(requester)(() =>
      shared(async () => {
        const text = await work();
        if (text.length > longCharacters) await turn();
        return text;
      }),
    );
}
