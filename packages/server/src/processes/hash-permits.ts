import type { Worker } from 'node:cluster';
import type { HashPermit } from '@gantry/service';

/** Messages between worker and primary process. A worker that ends returns its permits. */
interface PermitMessage {
  readonly hashPermit: 'wanted' | 'given' | 'returned';
}

/** Environment variable of a worker that gets its permits from the primary process. */
export const permitsVariable = 'GANTRY_HASH_PERMITS';

/** Permits to hash a password, shared by worker processes. */
export type HashPermits = ReturnType<typeof createHashPermits>;

/** Shares `count` permits among workers, which use the same processors, in order of request. */
export function createHashPermits(count: number) {
  const waiting: { readonly worker: object; readonly give: () => void }[] = [];
  let free = count;

  function giveNext(): void {
    while (free > 0 && waiting.length > 0) {
      free--;
      waiting.shift()?.give();
    }
  }

  return {
    /** Serves a worker's requests until it ends. */
    serve(worker: Pick<Worker, 'on' | 'send'>): void {
      let held = 0;
      worker.on('message', (message: Partial<PermitMessage> | undefined) => {
        if (message?.hashPermit === 'wanted') {
          waiting.push({
            worker,
            give() {
              held++;
              worker.send({ hashPermit: 'given' } satisfies PermitMessage, () => {}); // its end is handled below
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

/** The part of `process` that a worker uses to communicate with the primary process. */
export type ParentLink = Pick<NodeJS.Process, 'on' | 'send' | 'connected'>;

/** Makes a worker's function to get a permit, granted at once without a primary process. */
export function createWorkerPermit(parent: ParentLink): HashPermit {
  const waiting: (() => void)[] = [];
  parent.on('message', (message: Partial<PermitMessage> | undefined) => {
    if (message?.hashPermit === 'given') waiting.shift()?.();
  });
  parent.on('disconnect', () => {
    for (const give of waiting.splice(0)) give();
  });
  const send = (hashPermit: PermitMessage['hashPermit']) => {
    if (parent.connected) parent.send?.({ hashPermit } satisfies PermitMessage, undefined, undefined, () => {});
  };
  return async () => {
    if (parent.connected) {
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        send('wanted');
      });
    }
    return () => send('returned');
  };
}
