import type { Worker } from 'node:cluster';
import type { HashPermit } from '@gantry/service';

/** Messages between a worker and the process that started it. A worker that ends gives back all it has. */
interface PermitMessage {
  readonly hashPermit: 'wanted' | 'given' | 'returned';
}

/** Environment of a worker whose permits come from the process that started it. */
export const permitsVariable = 'GANTRY_HASH_PERMITS';

/** The permits that workers share. */
export interface HashPermits {
  /** Serves a worker until it ends. */
  serve(worker: Pick<Worker, 'on' | 'send'>): void;
}

/**
 * Shares `count` permits among workers, in the order in which they ask: their event loops know nothing of each other, and
 * the processors are the same.
 */
export function createHashPermits(count: number): HashPermits {
  const waiting: { readonly worker: object; readonly give: () => void }[] = [];
  let free = count;

  function giveNext(): void {
    while (free > 0 && waiting.length > 0) {
      free--;
      waiting.shift()?.give();
    }
  }

  return {
    serve(worker) {
      let held = 0;
      worker.on('message', (message: Partial<PermitMessage> | undefined) => {
        if (message?.hashPermit === 'wanted') {
          waiting.push({
            worker,
            give() {
              held++;
              worker.send({ hashPermit: 'given' } satisfies PermitMessage, () => {}); // its end is noticed below
            },
          });
        } else if (message?.hashPermit === 'returned' && held > 0) {
          held--;
          free++;
        }
        giveNext();
      });
      worker.on('exit', () => {
        for (let at = waiting.length - 1; at >= 0; at--) if (waiting[at]?.worker === worker) waiting.splice(at, 1);
        free += held;
        held = 0;
        giveNext();
      });
    },
  };
}

/** The part of `process` by which a worker speaks with the process that started it. */
export type ParentLink = Pick<NodeJS.Process, 'on' | 'send' | 'connected'>;

/** Makes a worker's side. Without the process that started it, which also ends the worker, every permit is given. */
export function createWorkerPermit(parent: ParentLink): HashPermit {
  const waiting: (() => void)[] = [];
  parent.on('message', (message: Partial<PermitMessage> | undefined) => {
    if (message?.hashPermit === 'given') waiting.shift()?.();
  });
  parent.on('disconnect', () => {
    for (const give of waiting.splice(0)) give();
  });
  const say = (hashPermit: PermitMessage['hashPermit']) => {
    if (parent.connected) parent.send?.({ hashPermit } satisfies PermitMessage, undefined, undefined, () => {});
  };
  return async () => {
    if (parent.connected) {
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        say('wanted');
      });
    }
    return () => say('returned');
  };
}
