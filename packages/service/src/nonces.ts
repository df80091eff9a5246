import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { uptime } from 'node:os';
import { type Database, migrate, sql } from '@gantry/store';
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

/** Opens the nonces in a database of their own, for several machines. */
export async function openNonces(db: Database, options: NoncesOptions = {}): Promise<Nonces> {
  const { now = Date.now, boot = await currentBoot(now()) } = options;
  await migrate(db, { name: 'service', migrations: nonceMigrations }, now);
  const refuseBefore = await admitBoot(db, boot);
  let prunedAt = 0;
  let pruning: Promise<unknown> = Promise.resolve();

  function prune(): void {
    const second = Math.floor(now() / 1000);
    if (second === prunedAt) return;
    prunedAt = second;
    // A failure leaves rows for the next second; the request that came by has nothing to do with it.
    pruning = db.query(sql`delete from nonce where timestamp_s < ${second - keepSeconds}`).catch(() => undefined);
  }

  return {
    async consume({ consumerKey, token, timestamp, nonce }) {
      if (timestamp < refuseBefore) return 'too old';
      const digest = hash('sha256', JSON.stringify([consumerKey, token, nonce]), 'base64url');
      const inserted = await db.query(sql`
        insert into nonce (timestamp_s, digest) values (${timestamp}, ${digest})
        on conflict (timestamp_s, digest) do nothing returning timestamp_s`);
      prune();
      return inserted.length === 1 ? 'fresh' : 'used';
    },
    async close() {
      await pruning;
    },
  };
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
      refuse_before_s = case when boot.id = excluded.id then boot.refuse_before_s else ${boot.startedAt} end
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
