import { hash } from 'node:crypto';
import { type Database, StoreError } from '@gantry/store';
import { type Reply, requestKey, SocialError } from '@gantry/wire';
import type { Asking, Send, Stage } from './call-path.ts';
import type { Log } from './calls.ts';
import { NotSent } from './upstream.ts';
import {
  type Attempt,
  beginWrite,
  endWrite,
  findWrite,
  forgetWrite,
  pruneWrites,
  takeWrite,
  writerOf,
} from './write-log.ts';

export interface WriteOnceOptions {
  readonly db: Database;
  readonly now: () => number;
  readonly random: (bytes: number) => Uint8Array;
  /** Waits between looks at another attempt, in milliseconds. */
  readonly pause: (ms: number) => Promise<unknown>;
  readonly log: Log;
  /** The upstream does a post with a known `Idempotency-Key` once, so repeating it is safe. */
  readonly honoursKeys: boolean;
  /** Longest time that an attempt can take. */
  readonly longestMs: number;
}

const pollMs = 100;
const prunedEveryMs = 60_000;
// Repeating it does no harm, so there is no need to wait until the other attempt must be over.
const politeMs = 2_000;

interface Running {
  readonly digest: string;
  readonly reply: Promise<Reply>;
}

/**
 * Does a write that has an id once, however often and through however many processes it is sent: a repeat gets the first
 * one's answer, and waits for it if need be. What was refused is not done, so a repeat of it is tried anew.
 *
 * Where an attempt came to no end, because its process died or the site fell silent, a repeat is done again if that is safe:
 * AppData, which it leaves the same, and posts before an upstream that honours keys. Any other post is OUTCOME_UNKNOWN.
 * The design is docs/decisions/0021-writes-happen-once.md.
 */
export function createWriteOnce(options: WriteOnceOptions): Stage {
  const { db, now, random, pause, log, honoursKeys, longestMs } = options;
  const running = new Map<string, Running>();
  let prunedAtMs = 0;

  function join(asking: Asking, id: string, next: Send): Promise<Reply> {
    const { asker, request, access } = asking;
    const app = writerOf(access.app);
    const name = JSON.stringify([asker.viewer, app, id]);
    const digest = hash('sha256', requestKey(request), 'base64url');
    const known = running.get(name);
    if (known !== undefined) return known.digest === digest ? known.reply : Promise.reject(conflict());
    const attempt = Buffer.from(random(12)).toString('base64url');
    const mine: Attempt = { viewer: asker.viewer, app, id, digest, attempt, nowMs: now() };
    const entry = { digest, reply: once(mine, asking, { next, onEnd: () => running.delete(name) }) };
    running.set(name, entry);
    return entry.reply;
  }

  /** @param way.onEnd Called when the log, too, knows how it ended. */
  async function once(
    mine: Attempt,
    asking: Asking,
    way: { readonly next: Send; readonly onEnd: () => void },
  ): Promise<Reply> {
    const isSafe = honoursKeys || asking.request.operation !== 'activities.create';
    let ending: Promise<void> | undefined;
    try {
      const known = await begin(mine, isSafe);
      if (known !== undefined) return known;
      const { reply, end } = await attempt(asking, way.next, isSafe);
      ending = noted(end === 'forget' ? forgetWrite(db, mine) : endWrite(db, mine, end));
      // Where repeating is safe, the caller need not wait until the log knows. Elsewhere the log is all there is.
      if (!isSafe) await ending;
      return await reply;
    } catch (error) {
      throw error instanceof StoreError ? storeTrouble(error) : error;
    } finally {
      void Promise.resolve(ending).then(way.onEnd);
      prune();
    }
  }

  /** @returns The answer of an attempt that was made before; none when the write is to be done now. */
  async function begin(mine: Attempt, isSafe: boolean): Promise<Reply | undefined> {
    const patienceMs = isSafe ? politeMs : longestMs;
    for (let waitedMs = 0; ; waitedMs += pollMs) {
      if (await beginWrite(db, mine)) return undefined;
      const found = await findWrite(db, mine);
      if (found === undefined) continue; // forgotten at this very moment
      if (found.digest !== mine.digest) throw conflict();
      if (found.state === 'done') return JSON.parse(found.reply as string) as Reply;
      const isOver = found.state === 'unknown' || Math.max(waitedMs, mine.nowMs - found.at_ms) >= patienceMs;
      if (isOver && !isSafe) throw unknownOutcome();
      if (isOver && (await takeWrite(db, found.attempt, mine))) return undefined;
      await pause(pollMs);
    }
  }

  async function noted(work: Promise<void>): Promise<void> {
    try {
      await work;
    } catch (error) {
      log.error({ err: error }, 'the end of a write was not logged'); // a repeat finds out as after a kill
    }
  }

  function prune(): void {
    const nowMs = now();
    if (nowMs - prunedAtMs < prunedEveryMs) return;
    prunedAtMs = nowMs;
    pruneWrites(db, nowMs).catch(() => undefined); // a failure leaves rows for the next time
  }

  return (next) => (asking) => {
    const { write } = asking.call;
    return write === undefined || asking.request.method === 'GET' ? next(asking) : join(asking, write, next);
  };
}

type End = 'forget' | Parameters<typeof endWrite>[2];

/** Tries it, and says what the log must know of it. */
async function attempt(
  asking: Asking,
  next: Send,
  isSafe: boolean,
): Promise<{ readonly reply: Promise<Reply>; readonly end: End }> {
  const reply = next(asking);
  const unsure: End = isSafe ? 'forget' : { state: 'unknown' };
  try {
    const answer = await reply;
    if ('ok' in answer) return { reply, end: { state: 'done', reply: JSON.stringify(answer) } };
    return { reply, end: isRefusal(answer.error.code, answer.error.data?.reason) ? 'forget' : unsure };
  } catch (error) {
    return { reply, end: wasNeverSent(error) ? 'forget' : unsure };
  }
}

/** True for an answer that says for certain that nothing was done. */
function isRefusal(code: number, reason: string | undefined): boolean {
  return code < 500 || code === 501 || code === 507 || reason === 'RATE_LIMITED';
}

function wasNeverSent(error: unknown): boolean {
  if (error instanceof SocialError) return error.code !== 'TIMED_OUT' && error.code !== 'UPSTREAM_FAILED';
  return error instanceof NotSent;
}

function conflict(): SocialError {
  return new SocialError('CONFLICT', 'Another write has this id already.');
}

function unknownOutcome(): SocialError {
  return new SocialError('OUTCOME_UNKNOWN', 'Whether this was posted cannot be found out, so it is not posted again.');
}

function storeTrouble({ reason }: StoreError): SocialError {
  return reason === 'full'
    ? new SocialError('STORAGE_FULL', 'The site cannot store anything at the moment.')
    : new SocialError('UNAVAILABLE', 'The database is not available.', { retryAfter: 1 });
}
