import { setImmediate as turn } from 'node:timers/promises';
import { isWide, type OperationId, serviceColumnsOf } from '@gantry/wire';
import { createGate, type Gate } from '@gantry/wire/runtime';
import type { Authenticated } from './auth/authenticate.ts';
import { createTurns } from './turns.ts';

/**
 * Runs a requester's read when its turn comes, a few at a time if it reads much or makes a long
 * text.
 */
export type ReadGate = (read: Read, work: () => Promise<string>) => Promise<string>;

export interface Read {
  readonly requester: Pick<Authenticated, 'consumerKey' | 'memberId'>;
  readonly operationId: OperationId;
  /** Ids of the members asked for, joined with commas. */
  readonly members: string | undefined;
}

const atOnce = 2;
const longCharacters = 64 * 1024;

/**
 * Creates the gate for reads of one process. With SQLite, reading and writing an answer is one
 * piece of work, and all requests whose nonces were stored together would be answered in one turn
 * of the event loop. Wide reads would take seconds, with all answers in memory, and with PostgreSQL
 * all connections of the pool: two run at once, one of each requester, so that no requester keeps
 * the others out; after a long one the event loop gets a turn. A requester's reads that hold many
 * rows while they look for more, such as the activities of friends, run one at a time.
 */
export function createReadGate(): ReadGate {
  const shared = createGate({ atOnce });
  const gates = new Map<string, Gate>();
  const inTurn = createTurns();

  function gateOf({ consumerKey, memberId }: Read['requester']): Gate {
    const requester = JSON.stringify([consumerKey, memberId]);
    const gate = gates.get(requester) ?? createGate({ atOnce: 1, idle: () => void gates.delete(requester) });
    gates.set(requester, gate);
    return gate;
  }

  return ({ requester, operationId, members }, read) => {
    const work = () => inTurn(read);
    if (isWide(operationId, members)) {
      return gateOf(requester)(() =>
        shared(async () => {
          const text = await work();
          if (text.length > longCharacters) await turn();
          return text;
        }),
      );
    }
    return serviceColumnsOf(operationId).isLong ? gateOf(requester)(work) : work();
  };
}
