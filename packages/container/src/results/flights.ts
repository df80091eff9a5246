import type { Reply } from '@gantry/wire';
import { aborted } from '../calls/failures.ts';

/** A request in flight, shared by equal calls. */
export interface Flight<Subject> {
  readonly subject: Subject;
  /** Aborts when all calls are given up. */
  readonly signal: AbortSignal;
  /** False once its result will be out of date. */
  readonly isCurrent: boolean;
}

export interface Flights<Subject> {
  /** Joins or begins the flight of `key`. `signal` gives up waiting: ABORTED. */
  join(
    key: string,
    subject: Subject,
    start: (flight: Flight<Subject>) => Promise<Reply>,
    signal?: AbortSignal,
  ): Promise<Reply>;
  /** True while a flight of `key` can be joined. */
  has(key: string): boolean;
  /** Makes later calls start anew; calls in flight still get their reply. */
  outdate(matches: (subject: Subject) => boolean): void;
}

export function createFlights<Subject>(): Flights<Subject> {
  interface Entry extends Flight<Subject> {
    isCurrent: boolean;
    waiting: number;
    readonly controller: AbortController;
    reply: Promise<Reply>;
  }
  const flying = new Map<string, Entry>();

  function land(key: string, entry: Entry): void {
    entry.isCurrent = false;
    if (flying.get(key) === entry) flying.delete(key);
  }

  function begin(key: string, subject: Subject, start: (flight: Flight<Subject>) => Promise<Reply>): Entry {
    const controller = new AbortController();
    const entry: Entry = {
      subject,
      controller,
      signal: controller.signal,
      isCurrent: true,
      waiting: 0,
      reply: Promise.resolve(aborted),
    };
    flying.set(key, entry);
    entry.reply = start(entry).finally(() => land(key, entry));
    return entry;
  }

  return {
    join(key, subject, start, signal) {
      if (signal?.aborted) return Promise.resolve(aborted);
      const entry = flying.get(key) ?? begin(key, subject, start);
      entry.waiting += 1;
      if (signal === undefined) return entry.reply;
      return new Promise((resolve) => {
        const leave = () => {
          resolve(aborted);
          entry.waiting -= 1;
          if (entry.waiting > 0) return;
          land(key, entry);
          entry.controller.abort();
        };
        signal.addEventListener('abort', leave, { once: true });
        void entry.reply.then((reply) => {
          signal.removeEventListener('abort', leave);
          resolve(reply);
        });
      });
    },
    has: (key) => flying.has(key),
    outdate(matches) {
      for (const [key, entry] of flying) if (matches(entry.subject)) land(key, entry);
    },
  };
}
