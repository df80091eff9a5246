import type pg from 'pg';
import type { Wakes } from './database.ts';
import { type Every, every as repeat } from './every.ts';

const beatEveryMs = 1_000;

/** Age of the last beat from which notifications may be lost on the way. */
const silentMs = 2_000;

/** Age from which the connection is given up: the network may have forgotten it. */
const lostMs = 10_000;

/** Writes within this time are announced together. */
const togetherMs = 20;

/** An open connection, with the names of its channels. */
interface Line {
  readonly client: pg.Client;
  /** That of all processes on this schema. */
  readonly channel: string;
  /** Its own, for the beat. */
  readonly beat: string;
}

/**
 * Makes the wake-up of processes over one PostgreSQL (decision 94). It connects for the first
 * listener or announcement, and again each second while there is a listener and no connection.
 *
 * @param options.connect Opens a connection of its own; resolves with `undefined` through a pooler.
 */
export function createWakes(options: {
  readonly connect: () => Promise<pg.Client | undefined>;
  readonly every?: Every;
  readonly now?: () => number;
}): Wakes & { close(): Promise<void> } {
  const { connect, every = repeat, now = () => performance.now() } = options;
  const listeners = new Set<() => void>();
  let line: Promise<Line | undefined> | undefined;
  let heardAtMs = Number.NEGATIVE_INFINITY;
  let pending: NodeJS.Timeout | undefined;
  let stopBeating: (() => void) | undefined;
  let isClosed = false;

  async function open(): Promise<Line | undefined> {
    const client = await connect();
    if (client === undefined) return undefined; // stays so: polls are all there is
    client.on('error', () => {}).on('end', drop);
    try {
      const { rows } = await client.query<{ channel: string; beat: string; pid: number }>(`
        select 'gantry_' || oid as channel, 'gantry_' || oid || '_' || pg_backend_pid() as beat, pg_backend_pid() as pid
        from pg_namespace where nspname = current_schema()`);
      const { channel = '', beat = '', pid } = rows[0] ?? {};
      client.on('notification', (message) => {
        if (message.channel === beat) heardAtMs = now();
        else if (message.processId !== pid) for (const listener of listeners) listener();
      });
      await client.query(`listen ${channel}; listen ${beat}`);
      return { client, channel, beat };
    } catch (error) {
      await client.end().catch(() => {});
      throw error;
    }
  }

  function opened(): Promise<Line | undefined> {
    line ??= open().catch(() => {
      line = undefined; // the next beat or announcement tries again
      return undefined;
    });
    return line;
  }

  function drop(): void {
    line = undefined;
    heardAtMs = Number.NEGATIVE_INFINITY;
  }

  /** Sends an empty notification, which waits for no disk. */
  async function send(to: 'channel' | 'beat'): Promise<void> {
    const current = await opened();
    await current?.client
      .query(`begin; set local synchronous_commit = off; notify ${current[to]}; commit`)
      .catch(() => current.client.end().catch(() => {})); // a standby refuses it
  }

  async function beat(): Promise<void> {
    if (heardAtMs > 0 && now() - heardAtMs > lostMs) {
      const lost = await line;
      drop();
      lost?.client.end().catch(() => {});
    }
    await send('beat');
  }

  return {
    get isAlive() {
      return now() - heardAtMs <= silentMs;
    },
    listen(listener) {
      listeners.add(listener);
      if (stopBeating === undefined) {
        stopBeating = every(beat, beatEveryMs);
        void beat();
      }
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        stopBeating?.();
        stopBeating = undefined;
      };
    },
    notify() {
      if (isClosed) return;
      pending ??= setTimeout(() => {
        pending = undefined;
        void send('channel');
      }, togetherMs).unref();
    },
    async close() {
      isClosed = true;
      stopBeating?.();
      if (pending !== undefined) {
        clearTimeout(pending);
        await send('channel');
      }
      const last = await line;
      // Not awaited: it keeps no process alive, which would end with the wait unsettled.
      last?.client.end().catch(() => {});
    },
  };
}
