import { setImmediate as turn } from 'node:timers/promises';
import type { OperationId, RouteParams } from '@gantry/wire';

/** Runs work that makes a long text, a little of it at a time. */
export type WideReads = (work: () => Promise<string>) => Promise<string>;

/** True for reads of AppData of several members, whose answers can be as long as answers may be. */
export function isWide({ operationId, params }: Asked): boolean {
  if (operationId === 'appData.getFriends') return true;
  return operationId === 'appData.getSelf' && params.guid?.includes(',') === true;
}

interface Asked {
  readonly operationId: OperationId | undefined;
  readonly params: RouteParams;
}

const atOnce = 2;
const longCharacters = 64 * 1024;

/**
 * Makes the gate that wide reads of one process pass. With SQLite, reading and writing an answer is one piece of work, and
 * requests whose nonces were stored together would all be answered in one turn of the event loop: seconds, and all their
 * answers in memory. Two go at once, and after a long one the loop has its turn.
 */
export function createWideReads(nextTurn: () => Promise<unknown> = () => turn()): WideReads {
  const queue: (() => void)[] = [];
  let running = 0;

  function leave(): void {
    const next = queue.shift();
    if (next) next();
    else running--;
  }

  return async (work) => {
    if (running === atOnce) await new Promise<void>((resolve) => queue.push(resolve));
    else running++;
    try {
      const text = await work();
      if (text.length > longCharacters) await nextTurn();
      return text;
    } finally {
      leave();
    }
  };
}
