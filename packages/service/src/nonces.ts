import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { uptime } from 'node:os';
import { type Database, migrate, type Statement, sql } from '@gantry/store';
import { nonceMigrations } from './store/migrations.ts';

/** Remembers which nonces were used. The design is docs/decisions/0004-nonces.md. */
export interface Nonces {
  /**
   * Uses up a nonce of a request whose signature was verified.
   *
   * @returns False if it was used before, or is so old that this could have been forgotten.
   */
  consume(use: NonceUse): Promise<NonceVerdict>;
  /** Resolves once no work is left behind. */
  close(): Promise<void>;
}

export interface NonceUse {
  readonly consumerKey: string;
  /** `''` for none. */
  readonly token: string;
  readonly timestamp: number;
  readonly nonce: string;
}

export type NonceVerdict = 'fresh' | 'used' | 'too old';

export interface NoncesOptions {
  readonly now?: () => number;
  /** This boot of the machine and when it began; for tests. */
  readonly boot?: Boot;
}

export interface Boot {
  readonly id: string;
  /** Seconds since the epoch. */
  readonly startedAt: number;
}

/** Older timestamps are refused anyway. One second more, since timestamps are whole. */
export const keepSeconds = 301;

export interface TableOptions extends NoncesOptions {
  /** An expression for the milliseconds at which the database server started: what boots then is the server. */
  readonly serverStartMs?: Statement;
}

interface Waiting {
  readonly timestamp: number;
  readonly digest: string;
  readonly settle: (verdict: NonceVerdict) => void;
  readonly fail: (error: unknown) => void;
}

/** Nonces that one statement takes at most. */
const mostTogether = 64;

/** While these are on their way, what comes waits and then goes together. */
const mostStatements = 2;

/** Opens the nonces in a table, for several machines. Those that wait at the same time are stored by one statement. */
export async function openNonces(db: Database, options: TableOptions = {}): Promise<Nonces> {
  const { now = Date.now, serverStartMs } = options;
  await migrate(db, { name: 'nonces', migrations: nonceMigrations }, now);
  let boot = options.boot ?? (serverStartMs ? await serverBoot(db, serverStartMs) : await currentBoot(now()));
  let refuseBefore = await admitBoot(db, boot);
  const start = serverStartMs ?? sql`0`;
  const waiting: Waiting[] = [];
  let statements = 0;
  let prunedAt = 0;
  let pruning: Promise<unknown> = Promise.resolve();

  function prune(): void {
    const second = Math.floor(now() / 1000);
    if (second === prunedAt) return;
    prunedAt = second;
    // A failure leaves rows for the next second; the request that came by has nothing to do with it.
    pruning = db.query(sql`delete from nonce where timestamp_s < ${second - keepSeconds}`).catch(() => undefined);
  }

  function sendWaiting(): void {
    while (waiting.length > 0 && statements < mostStatements) {
      statements += 1;
      void send(waiting.splice(0, mostTogether)).finally(() => {
        statements -= 1;
        sendWaiting();
      });
    }
  }

  async function send(uses: readonly Waiting[]): Promise<void> {
    try {
      // In one order, so that two processes with the same nonces do not wait for each other.
      const rows = uses
        .toSorted((a, b) => a.timestamp - b.timestamp || (a.digest < b.digest ? -1 : 1))
        .map(({ timestamp, digest }) => sql`(${timestamp}, ${digest})`);
      const inserted = await db.query<{ timestamp_s: number; digest: string; start_ms: number }>(sql`
        insert into nonce (timestamp_s, digest) values ${sql.join(rows)}
        on conflict (timestamp_s, digest) do nothing returning timestamp_s, digest, ${start} as start_ms`);
      // A server that started anew may have forgotten: that is known before anything is called fresh.
      const started = inserted.find(({ start_ms }) => serverStartMs && String(start_ms) !== boot.id);
      if (started) {
        boot = bootAt(started.start_ms);
        refuseBefore = await admitBoot(db, boot);
      }
      const fresh = new Set(inserted.map((row) => `${row.timestamp_s} ${row.digest}`));
      for (const { timestamp, digest, settle } of uses) {
        const isFresh = fresh.delete(`${timestamp} ${digest}`); // of two alike, one
        settle(timestamp < refuseBefore ? 'too old' : isFresh ? 'fresh' : 'used');
      }
      prune();
    } catch (error) {
      for (const { fail } of uses) fail(error);
    }
  }

  return {
    async consume({ consumerKey, token, timestamp, nonce }) {
      if (timestamp < refuseBefore) return 'too old';
      const digest = hash('sha256', JSON.stringify([consumerKey, token, nonce]), 'base64url');
      return new Promise((settle, fail) => {
        waiting.push({ timestamp, digest, settle, fail });
        if (waiting.length === 1) queueMicrotask(sendWaiting);
      });
    },
    async close() {
      await pruning;
    },
  };
}

async function serverBoot(db: Database, serverStartMs: Statement): Promise<Boot> {
  const [row] = await db.query<{ start_ms: number }>(sql`select ${serverStartMs} as start_ms`);
  return bootAt(row?.start_ms ?? 0);
}

function bootAt(startMs: number): Boot {
  return { id: String(startMs), startedAt: Math.ceil(startMs / 1000) };
}

/**
 * Notes which boot the nonces belong to. If the machine was started since, the last of them may have been lost with its
 * power: then what is older than this boot is refused for as long as it would otherwise be accepted.
 *
 * @returns Seconds since the epoch, before which timestamps are refused.
 */
async function admitBoot(db: Database, boot: Boot): Promise<number> {
  const [row] = await db.query<{ refuse_before_s: number }>(sql`
    insert into boot (one, id, refuse_before_s) values (1, ${boot.id}, 0)
    on conflict (one) do update set id = excluded.id,
      refuse_before_s = case
        when boot.id = excluded.id or boot.refuse_before_s > ${boot.startedAt} then boot.refuse_before_s
        else ${boot.startedAt} end
    returning refuse_before_s`);
  return row?.refuse_before_s ?? 0;
}

export async function currentBoot(nowMs: number): Promise<Boot> {
  try {
    const id = (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
    return { id, startedAt: Math.floor(nowMs / 1000 - uptime()) };
  } catch {
    // Where boots have no id, every start could follow a loss of power.
    return { id: `start at ${nowMs}`, startedAt: Math.floor(nowMs / 1000) };
  }
}
