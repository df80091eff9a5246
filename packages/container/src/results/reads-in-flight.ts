import type { Reply } from '@gantry/wire';
import { aborted } from '../calls/failures.ts';

/** A read that waits for its reply, shared by equal calls. */
export interface ReadInFlight {
  /** Aborts when all calls are given up. */
  readonly signal: AbortSignal;
  /** False once its result will be out of date. */
  readonly isCurrent: boolean;
}

/** @param start Sends a read. */
export function createReadsInFlight<Read extends { readonly key: string }>(
  start: (read: Read, inFlight: ReadInFlight) => Promise<Reply>,
) {
  interface Entry extends ReadInFlight {
    readonly read: Read;
    isCurrent: boolean;
    waiting: number;
    readonly controller: AbortController;
    reply: Promise<Reply>;
  }
  const entries = new Map<string, Entry>();

  function remove(entry: Entry): void {
    const { key } = entry.read;
    entry.isCurrent = false;
    if (entries.get(key) === entry) entries.delete(key);
  }

  function begin(read: Read): Entry {
    const controller = new AbortController();
    const { signal } = controller;
    const entry: Entry = { read, controller, signal, isCurrent: true, waiting: 0, reply: Promise.resolve(aborted) };
    entries.set(read.key, entry);
    entry.reply = start(read, entry).finally(() => remove(entry));
    return entry;
  }

  return {
    /** Joins or starts a read. `signal` gives up waiting: ABORTED. */
    join(read: Read, signal?: AbortSignal): Promise<Reply> {
      if (signal?.aborted) return Promise.resolve(aborted);
      const entry = entries.get(read.key) ?? begin(read);
      entry.waiting += 1;
      if (signal === undefined) return entry.reply;
      return new Promise((resolve) => {
        const leave = () => {
          resolve(aborted);
          entry.waiting -= 1;
          if (entry.waiting > 0) return;
          remove(entry);
          entry.controller.abort();
        };
        signal.addEventListener('abort', leave, { once: true });
        void entry.reply.then((reply) => {
          signal.removeEventListener('abort', leave);
          resolve(reply);
        });
      });
    },
    /** True while a read can be joined. */
    has: ({ key }: Read): boolean => entries.has(key),
    /** Makes later calls start anew; calls in flight still get their reply. */
    outdate(matches: (read: Read) => boolean): void {
      for (const entry of [...entries.values()]) if (matches(entry.read)) remove(entry);
    },
  };
}
