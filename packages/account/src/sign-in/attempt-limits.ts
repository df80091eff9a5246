import { createHash } from 'node:crypto';
import type { Database } from '@gantry/store';
import { countAttempt, forgiveAttempt, pruneAttempts, readAttempts } from './attempt-rows.ts';
import { clientNetwork, siteNetwork } from './network.ts';

/** Client of an attempt to sign in. */
export interface Client {
  /** Network address, if it is known. */
  readonly address?: string | undefined;
  /**
   * False for an address that many may share, such as that of a reverse proxy; it has no limit of
   * its own. Default true.
   */
  readonly isDistinct?: boolean | undefined;
}

/** Counts attempts to sign in, in the database, for every process together. */
export interface AttemptLimits {
  /**
   * Resolves with the seconds until the next attempt, if a limit is reached. Nothing is counted.
   */
  limitedFor(attempt: AttemptOf): Promise<number | undefined>;
  /**
   * Counts an attempt that is about to be checked. Resolves as `limitedFor` and counts nothing if a
   * limit is reached.
   */
  count(attempt: AttemptOf): Promise<number | undefined>;
  /** Takes back an attempt that turned out to be right. */
  forgive(attempt: AttemptOf): Promise<void>;
}

export interface AttemptOf {
  readonly memberId: string;
  readonly client: Client;
}

const windowMs = 15 * 60 * 1000;
const pruneEveryMs = 60 * 1000;

/**
 * Wrong attempts in a quarter of an hour. A network has few for one member, so that guesses from
 * one place neither succeed nor keep the member out elsewhere; all networks together have as many
 * as NIST SP 800-63B (5.2.2) allows for an account.
 */
const most = { address: 50, memberAndNetwork: 10, member: 100 } as const;

/** Network of clients whose address is not known. */
const unknownNetwork = 'unknown';

/** Returns the network that an attempt takes its place in the queue for. */
export function networkOfClient({ address }: Client): string {
  return address === undefined ? unknownNetwork : siteNetwork(address);
}

export function createAttemptLimits({ db, now }: { readonly db: Database; readonly now: () => number }): AttemptLimits {
  let prunedAtMs = Number.NEGATIVE_INFINITY;

  async function prune(nowMs: number): Promise<void> {
    if (nowMs - prunedAtMs < pruneEveryMs) return;
    prunedAtMs = nowMs;
    await pruneAttempts(db, nowMs);
  }

  async function limitedFor(attempt: AttemptOf): Promise<number | undefined> {
    const nowMs = now();
    const limits = limitsOf(attempt);
    const known = await readAttempts(db, { subjects: limits.map(({ subject }) => subject), nowMs });
    const waitsMs = limits.flatMap(({ subject, most }) => {
      const { attempts = 0, resetsAtMs = nowMs } = known.get(subject) ?? {};
      return attempts >= most ? [resetsAtMs - nowMs] : [];
    });
    return waitsMs.length === 0 ? undefined : Math.max(1, Math.ceil(Math.max(...waitsMs) / 1000));
  }

  return {
    limitedFor,
    async count(attempt) {
      const nowMs = now();
      await prune(nowMs);
      const counted: string[] = [];
      for (const { subject, most } of limitsOf(attempt)) {
        if (await countAttempt(db, { subject, most, nowMs, windowMs })) {
          counted.push(subject);
          continue;
        }
        for (const one of counted) await forgiveAttempt(db, one);
        return (await limitedFor(attempt)) ?? 1; // 1: the window ended in this moment
      }
      return undefined;
    },
    async forgive(attempt) {
      for (const { subject } of limitsOf(attempt)) await forgiveAttempt(db, subject);
    },
  };
}

// The address first: an address over its limit cannot spend the limits of members too.
function limitsOf({ memberId, client }: AttemptOf): readonly { readonly subject: string; readonly most: number }[] {
  const { address, isDistinct = true } = client;
  return [
    ...(address !== undefined && isDistinct ? [limit('address', [clientNetwork(address)])] : []),
    limit('memberAndNetwork', [memberId, networkOfClient(client)]),
    limit('member', [memberId]),
  ];
}

// A digest: a row must not tell which text somebody typed as their member id.
function limit(kind: keyof typeof most, names: readonly string[]) {
  const subject = createHash('sha256')
    .update(JSON.stringify([kind, ...names]))
    .digest('base64url');
  return { subject, most: most[kind] };
}
