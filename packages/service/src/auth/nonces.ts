import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { uptime } from 'node:os';
import type { OAuthRequest } from '@gantry/oauth';
import { type Database, deleteExpired, migrate, type Statement, sql } from '@gantry/store';
import { nonceMigrations } from '../store/migrations.ts';

/** Store of used nonces. Its design is docs/decisions/0004-nonces.md. */
export interface Nonces {
  /** Marks the nonce of a verified request as used; `too old` if earlier uses may be forgotten. */
  consume(use: NonceUse): Promise<NonceVerdict>;
  /** Resolves once pending work is done. */
  close(): Promise<void>;
}

export type NonceUse = Pick<OAuthRequest, 'consumerKey' | 'token' | 'timestamp' | 'nonce'>;

export type NonceVerdict = 'fresh' | 'used' | 'too old';

export interface NoncesOptions {
  readonly now?: () => number;
  /** Overrides the boot of this machine in tests. */
  readonly boot?: Boot;
}

export interface Boot {
  readonly id: string;
  /** Seconds since the epoch. */
  readonly startedAt: number;
}

/** Seconds to keep a nonce: older timestamps are refused. One more, since timestamps are whole. */
export const keepSeconds = 301;

/** Most seconds between clocks of machines: the one ahead deletes, another still accepts. */
const clockDifferenceSeconds = 300;

export interface NonceTableOptions extends NoncesOptions {
  /** The database server, whose restarts count as boots. */
  readonly server?: {
    /** SQL for its start in milliseconds. */
    readonly startMs: Statement;
    /** SQL for the number that a standby changes when it becomes the primary. Absent: unknown. */
    readonly timeline?: Statement;
    /** SQL for its clock in milliseconds. Absent: that of this machine counts alone. */
    readonly nowMs?: Statement;
  };
}

interface ServerFacts {
  readonly start_ms: number;
  readonly timeline: string;
}

interface Waiting {
  readonly timestamp: number;
  readonly digest: string;
  readonly settle: (verdict: NonceVerdict) => void;
  readonly fail: (error: unknown) => void;
}

const mostTogether = 64;

/** Most statements in flight; nonces that arrive meanwhile share the next one. */
const mostStatements = 2;

/** Opens the nonces in a table, for several machines. One statement stores all that are waiting. */
export async function openNonces(db: Database, options: NonceTableOptions = {}): Promise<Nonces> {
  const { now = Date.now, server } = options;
  const facts = sql`${server?.startMs ?? sql`0`} as start_ms, ${server?.timeline ?? sql`''`} as timeline`;
  await migrate(db, { name: 'nonces', migrations: nonceMigrations }, now);
  let boot = options.boot ?? (server ? await serverBoot() : await currentBoot(now()));
  let refuseBefore = await admitBoot(db, boot);
  const waiting: Waiting[] = [];
  let statements = 0;
  let prunedAt = 0;
  let pruning: Promise<void> | undefined;

  /** Returns the later one of two clocks: a slow one would date a takeover before lost nonces. */
  async function latest(): Promise<number> {
    if (server?.nowMs === undefined) return now();
    const [row] = await db.query<{ now_ms: number }>(sql`select ${server.nowMs} as now_ms`);
    return Math.max(now(), Number(row?.now_ms ?? 0));
  }

  async function serverBoot(): Promise<Boot> {
    const [row] = await db.query<ServerFacts & { before: string | null }>(
      sql`select ${facts}, (select id from boot where one = 1) as before`,
    );
    return bootAfter(row?.before ?? '', row ?? { start_ms: 0, timeline: '' }, await latest());
  }

  function prune(): void {
    const second = Math.floor(now() / 1000);
    if (second === prunedAt || pruning) return;
    prunedAt = second;
    const where = sql`timestamp_s < ${second - keepSeconds - clockDifferenceSeconds}`;
    // A failure leaves rows for the next second and concerns no request.
    pruning = deleteExpired(db, { table: sql`nonce`, key: ['timestamp_s', 'digest'], where })
      .catch(() => undefined)
      .finally(() => {
        pruning = undefined;
      });
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
      // In a fixed order, so that processes that store the same nonces do not deadlock.
      const rows = uses
        .toSorted((a, b) => a.timestamp - b.timestamp || (a.digest < b.digest ? -1 : 1))
        .map(({ timestamp, digest }) => sql`(${timestamp}, ${digest})`);
      const inserted = await db.query<ServerFacts & { timestamp_s: number; digest: string }>(sql`
        insert into nonce (timestamp_s, digest) values ${sql.join(rows)}
        on conflict (timestamp_s, digest) do nothing returning timestamp_s, digest, ${facts}`);
      // A server that started or took over may have lost nonces: check before any is called fresh.
      const changed = server && inserted.find((row) => idOf(row) !== boot.id);
      if (changed) {
        boot = bootAfter(boot.id, changed, await latest());
        refuseBefore = await admitBoot(db, boot);
      }
      const fresh = new Set(inserted.map((row) => `${row.timestamp_s} ${row.digest}`));
      for (const { timestamp, digest, settle } of uses) {
        const isFresh = fresh.delete(`${timestamp} ${digest}`);
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

/** Refuses earlier timestamps, in a database without the nonces that were used until then. */
export async function forgetNonceTable(db: Database, refuseBefore: number): Promise<void> {
  await migrate(db, { name: 'nonces', migrations: nonceMigrations });
  await db.query(sql`
    insert into boot (one, id, refuse_before_s) values (1, 'moved', ${refuseBefore})
    on conflict (one) do update set id = excluded.id, refuse_before_s = excluded.refuse_before_s`);
}

/**
 * Returns the server's present boot. A standby that took over was started long before, without the
 * last nonces of the primary: it counts as started now.
 */
function bootAfter(before: string, facts: ServerFacts, nowMs: number): Boot {
  const [, timelineBefore = facts.timeline] = before.split(' ');
  const startedAtMs = facts.timeline === timelineBefore ? facts.start_ms : nowMs;
  return { id: idOf(facts), startedAt: Math.ceil(startedAtMs / 1000) };
}

function idOf({ start_ms: startMs, timeline }: ServerFacts): string {
  return timeline === '' ? String(startMs) : `${startMs} ${timeline}`;
}

/**
 * Records the current boot. If the machine was restarted since, a power failure may have lost the
 * last nonces: timestamps from before this boot are refused until they expire anyway.
 *
 * @returns Seconds since the epoch. Older timestamps are refused.
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
    // Without boot ids, every start may follow a power failure.
    return { id: `start at ${nowMs}`, startedAt: Math.floor(nowMs / 1000) };
  }
}
