import { createHash } from 'node:crypto';
import type { Database } from './database.ts';
import { deleteExpired } from './retention.ts';
import { type Statement, sql } from './sql.ts';

/** Tokens a minute, and those that may be spent at once. A rate of 0 is no limit. */
interface Rate {
  readonly perMinute: number;
  readonly burst: number;
}

/** Takes tokens of a key, or returns the whole seconds until there are as many. */
type Take<Result> = (key: string, rate: Rate, amount?: number) => Result;

export interface SharedRatesOptions {
  readonly db: Database;
  /** Milliseconds of this process, from any start. */
  readonly now: () => number;
  /** SQL for the clock of all processes, in milliseconds. Default: `now`, for one machine. */
  readonly clock?: Statement | undefined;
  /** Counts in this process, while the database is away. */
  readonly own: Take<number | undefined>;
}

/** Statements that create the table of rates. Its key is a digest: it names no member. */
export const sharedRatesTable: readonly Statement[] = [
  sql`create table shared_rate (
    key text primary key, before bigint not null, units bigint not null, at_ms bigint not null,
    full_at_ms bigint not null
  )`,
  sql`create index shared_rate_by_end on shared_rate (full_at_ms)`,
];

/** Units of a token: a rate of one a minute adds one in a millisecond, so all sums are whole. */
const unitsOfToken = 60_000;
/** Part of a burst that processes may hold at the end of their leases, and that the row lacks. */
const reserve = 10;
const keptKeys = 50_000;
const pruneEveryMs = 60_000;
const restMs = 1_000;
const leastWaitMs = 250;

/** Allowance of one key in this process. */
interface Held {
  tokens: number;
  /** Tokens of the last lease beyond those that callers waited for. */
  portion: number;
  /** Start of the lease, no later than in the database. */
  askedAtMs: number;
  /** Amount that the row lacks until `waitMs` after the lease's start. */
  lacking: number;
  waitMs: number;
  waiting: Waiting[];
  isAsking: boolean;
}

interface Waiting {
  readonly amount: number;
  readonly settle: (seconds: number | undefined) => void;
}

/**
 * Makes token buckets that all processes of a database share (docs/decisions/0097-shared-rates.md):
 * a row holds the tokens of a key, and each process leases some of them, by one statement. In any
 * stretch of time all processes together pass at most what burst and rate allow.
 *
 * @returns The function that takes tokens, at once if it holds a lease.
 */
export function createSharedRates({
  db,
  now,
  clock,
  own,
}: SharedRatesOptions): Take<number | undefined | Promise<number | undefined>> {
  let recent = new Map<string, Held>();
  let older = new Map<string, Held>(); // dropped as a whole, as in the buckets of one process
  let awayAtMs = Number.NEGATIVE_INFINITY;
  let prunedAtMs = Number.NEGATIVE_INFINITY;
  const clockMs = () => clock ?? sql`cast(${Math.floor(now())} as bigint)`;

  function heldOf(key: string): Held {
    const held = recent.get(key) ?? older.get(key) ?? newHeld();
    if (recent.size === keptKeys && !recent.has(key)) {
      older = recent;
      recent = new Map();
    }
    recent.set(key, held);
    return held;
  }

  function prune(): void {
    const nowMs = now();
    if (isWithin(nowMs - prunedAtMs, pruneEveryMs)) return;
    prunedAtMs = nowMs;
    // No request waits for it, and the next run deletes what is left after a failure.
    deleteExpired(db, { table: sql`shared_rate`, key: ['key'], where: sql`full_at_ms < ${clockMs()}` }).catch(
      () => undefined,
    );
  }

  /** Serves those who wait, by one statement unless the lease before is enough. */
  async function lease(key: string, held: Held, rate: Rate): Promise<void> {
    const startedAtMs = now();
    const served = held.waiting.filter(({ amount, settle }) => {
      const answer = answerAtOnce(held, rate, { amount, nowMs: startedAtMs });
      if (answer !== 'ask') settle(answer);
      return answer === 'ask';
    });
    held.waiting = [];
    if (served.length === 0) return;
    const sum = served.reduce((total, { amount }) => total + amount, 0);
    const least = Math.min(...served.map(({ amount }) => amount));
    const portion = nextPortion(held, rate, startedAtMs);
    let before: number;
    let left: number;
    try {
      const [row] = await db.query<{ before: number; units: number }>(
        leaseStatement(digestOf(key), rate, { sum, least, portion }, clockMs()),
      );
      before = Number(row?.before);
      left = Number(row?.units);
    } catch {
      awayAtMs = now();
      for (const { amount, settle } of served) settle(own(key, rate, amount));
      return;
    }
    let tokens = (before - left) / unitsOfToken;
    held.lacking = Number.POSITIVE_INFINITY;
    for (const { amount, settle } of served) {
      if (amount <= tokens) {
        tokens -= amount;
        settle(undefined);
        continue;
      }
      const waitMs = Math.max(0, Math.ceil((amount * unitsOfToken - left) / rate.perMinute));
      settle(Math.max(1, Math.ceil(waitMs / 1_000)));
      if (amount >= held.lacking) continue;
      held.lacking = amount;
      held.waitMs = Math.max(leastWaitMs, waitMs);
    }
    held.askedAtMs = startedAtMs;
    held.tokens = held.portion = tokens;
    prune();
  }

  /** Asks once at a time: callers that come meanwhile share the next lease. */
  async function serve(key: string, held: Held, rate: Rate): Promise<void> {
    if (held.isAsking) return;
    held.isAsking = true;
    while (held.waiting.length > 0) await lease(key, held, rate);
    held.isAsking = false;
  }

  return (key, rate, amount = 1) => {
    if (rate.perMinute === 0) return undefined;
    const held = heldOf(key);
    const nowMs = now();
    const answer = answerAtOnce(held, rate, { amount, nowMs });
    if (answer !== 'ask') return answer;
    if (isWithin(nowMs - awayAtMs, restMs)) return own(key, rate, amount);
    const { promise, resolve: settle } = Promise.withResolvers<number | undefined>();
    held.waiting.push({ amount, settle });
    void serve(key, held, rate);
    return promise;
  };
}

function newHeld(): Held {
  return {
    ...{ tokens: 0, portion: 0, askedAtMs: Number.NEGATIVE_INFINITY },
    ...{ lacking: Number.POSITIVE_INFINITY, waitMs: 0, waiting: [], isAsking: false },
  };
}

/** Returns the answer that a lease, or a refusal of late, allows without a statement. */
function answerAtOnce(
  held: Held,
  rate: Rate,
  { amount, nowMs }: { readonly amount: number; readonly nowMs: number },
): number | undefined | 'ask' {
  const ageMs = nowMs - held.askedAtMs;
  if (held.tokens >= amount && isWithin(ageMs, leaseMs(rate))) {
    held.tokens -= amount;
    return undefined;
  }
  const isLacking = amount >= held.lacking && isWithin(ageMs, held.waitMs);
  return isLacking ? Math.max(1, Math.ceil((held.waitMs - ageMs) / 1_000)) : 'ask';
}

/** Returns whether so much time has passed at most. After a clock was set back nothing is known. */
function isWithin(passedMs: number, mostMs: number): boolean {
  return passedMs >= 0 && passedMs < mostMs;
}

/** Tokens that leases may hold when the row is full: what comes back during one. */
function reserveOf({ burst }: Rate): number {
  return Math.floor(burst / reserve);
}

function leaseMs(rate: Rate): number {
  return (reserveOf(rate) * unitsOfToken) / rate.perMinute;
}

/**
 * Returns how many tokens to lease beyond those that are waited for: twice as many if the last ones
 * went in half of a lease's time, and if some of them expired, as many as were used. So a quiet
 * process keeps none from a busy one.
 */
function nextPortion({ tokens, portion, askedAtMs }: Held, rate: Rate, nowMs: number): number {
  const used = portion - tokens;
  const isQuick = isWithin(nowMs - askedAtMs, leaseMs(rate) / 2);
  return Math.min(reserveOf(rate), isQuick ? Math.max(1, portion * 2) : used);
}

interface Wanted {
  /** Tokens that callers wait for, and the fewest that help one. */
  readonly sum: number;
  readonly least: number;
  /** Further ones: at most a tenth of those that are left then. */
  readonly portion: number;
}

/** Builds the statement that leases tokens, whose number is `before - units`. */
function leaseStatement(key: string, rate: Rate, { sum, least, portion }: Wanted, clock: Statement): Statement {
  const { perMinute } = rate;
  const most = (rate.burst - reserveOf(rate)) * unitsOfToken;
  const fillMs = Math.ceil(most / perMinute);
  const leastUnits = least * unitsOfToken;
  const sumUnits = sum * unitsOfToken;
  const atFirst = most < leastUnits ? 0 : Math.min(most, sumUnits + furtherOf(most - sumUnits, portion));

  const elapsed = sql`case when excluded.at_ms > shared_rate.at_ms then excluded.at_ms - shared_rate.at_ms else 0 end`;
  const filled = sql`shared_rate.units + ${perMinute} * (${elapsed})`;
  const present = sql`(case when ${filled} < ${most} then ${filled} else ${most} end)`;
  const further = sql`cast((${present} - ${sumUnits}) / 600000 as bigint)`;
  const taken = sql`case
    when ${present} < ${leastUnits} then 0
    when ${present} < ${sumUnits} then cast(${present} / 60000 as bigint) * 60000
    else ${sumUnits} + 60000 * (case when ${further} < ${portion} then ${further} else ${portion} end) end`;
  // A statement may have waited for another, whose time is later. A clock set back gives nothing.
  const isNew = sql`excluded.at_ms > shared_rate.at_ms or excluded.at_ms < shared_rate.at_ms - 10000`;
  return sql`
    insert into shared_rate (key, before, units, at_ms, full_at_ms)
    values (${key}, ${most}, ${most - atFirst}, ${clock}, ${clock} + ${fillMs})
    on conflict (key) do update set
      before = ${present},
      units = ${present} - (${taken}),
      at_ms = case when ${isNew} then excluded.at_ms else shared_rate.at_ms end,
      full_at_ms = excluded.full_at_ms
    returning before, units`;
}

function furtherOf(left: number, portion: number): number {
  return unitsOfToken * Math.max(0, Math.min(portion, Math.floor(left / (10 * unitsOfToken))));
}

function digestOf(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}
