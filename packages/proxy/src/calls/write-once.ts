import { hash } from 'node:crypto';
import { StoreError } from '@gantry/store';
import { operation, type Reply, requestKey, SocialError, type WireError } from '@gantry/wire';
import { writerOf } from '../apps/registrations.ts';
import type { CallContext, Middleware, Send } from '../call-path.ts';
import type { Ports } from '../ports.ts';
import { NotSent } from '../upstream/upstream.ts';
import {
  beginWrite,
  endWrite,
  findWrite,
  forgetWrite,
  pruneWrites,
  takeWrite,
  type WriteAttempt,
} from './write-log.ts';

export interface WriteOnceOptions extends Pick<Ports, 'db' | 'now' | 'random' | 'pause' | 'log'> {
  /** The upstream deduplicates posts by `Idempotency-Key`, so retrying them is safe. */
  readonly honoursKeys: boolean;
  /** Maximum duration of an attempt. */
  readonly longestMs: number;
}

const pollMs = 100;
const prunedEveryMs = 60_000;
// A write that is safe to retry need not wait until the other attempt must be over.
const politeMs = 2_000;

/**
 * Does a write with an id once, across retries and processes: a retry resolves with the first
 * attempt's reply. A refused write was not done, so it is tried again
 * (docs/decisions/0021-writes-happen-once.md).
 *
 * If an attempt never ended, because its process died or the site timed out, a retry is done where
 * that is safe: AppData writes are idempotent, and so are posts if the upstream honours keys. Any
 * other post fails with OUTCOME_UNKNOWN.
 */
export function createWriteOnce(options: WriteOnceOptions): Middleware {
  const { db, now, random, pause, log, honoursKeys, longestMs } = options;
  const running = new Map<string, { readonly digest: string; readonly reply: Promise<Reply> }>();
  let prunedAtMs = 0;

  function join(context: CallContext, id: string, next: Send): Promise<Reply> {
    const { asker, request, access } = context;
    const app = writerOf(access.app);
    const name = JSON.stringify([asker.viewer, app, id]);
    const digest = hash('sha256', requestKey(request), 'base64url');
    const earlier = running.get(name);
    if (earlier !== undefined) return earlier.digest === digest ? earlier.reply : Promise.reject(conflict());
    const attempt = Buffer.from(random(12)).toString('base64url');
    const mine: WriteAttempt = { viewer: asker.viewer, app, id, digest, attempt, nowMs: now() };
    const reply = once(name, mine, context, next);
    running.set(name, { digest, reply });
    return reply;
  }

  async function once(name: string, mine: WriteAttempt, context: CallContext, next: Send): Promise<Reply> {
    const isSafe = honoursKeys || operation(context.request.operation).isIdempotent === true;
    let ending: Promise<void> | undefined;
    try {
      const earlier = await begin(mine, isSafe);
      if (earlier !== undefined) return earlier;
      const { reply, outcome } = await attempt(context, next, isSafe);
      const logged = outcome === 'retry' ? forgetWrite(db, mine) : endWrite(db, mine, outcome.reply);
      // If this fails, a retry proceeds as after a crash.
      ending = logged.catch((err: unknown) => log.error({ err }, 'the outcome of a write could not be stored'));
      // A write that is unsafe to retry is acknowledged only after its outcome is logged.
      if (!isSafe) await ending;
      return await reply;
    } catch (error) {
      throw error instanceof StoreError ? storeError(error) : error;
    } finally {
      void Promise.resolve(ending).then(() => running.delete(name));
      prune();
    }
  }

  /** Claims the write. Resolves with the reply of an earlier attempt, if one completed it. */
  async function begin(mine: WriteAttempt, isSafe: boolean): Promise<Reply | undefined> {
    const patienceMs = isSafe ? politeMs : longestMs;
    for (let waitedMs = 0; ; waitedMs += pollMs) {
      if (await beginWrite(db, mine)) return undefined;
      const row = await findWrite(db, mine);
      if (row === undefined) continue; // another process has just deleted it
      if (row.digest !== mine.digest) throw conflict();
      if (row.state === 'done') return JSON.parse(row.reply as string) as Reply;
      const isOver = row.state === 'unknown' || Math.max(waitedMs, mine.nowMs - row.at_ms) >= patienceMs;
      if (isOver && !isSafe) throw new SocialError('OUTCOME_UNKNOWN', unknownOutcome);
      if (isOver && (await takeWrite(db, row.attempt, mine))) return undefined;
      await pause(pollMs);
    }
  }

  function prune(): void {
    const nowMs = now();
    if (nowMs - prunedAtMs < prunedEveryMs) return;
    prunedAtMs = nowMs;
    pruneWrites(db, nowMs).catch(() => undefined); // the next run deletes the rows
  }

  return (next) => (context) => {
    const { write } = context.call;
    return write === undefined || context.request.method === 'GET' ? next(context) : join(context, write, next);
  };
}

/** `retry`: a retry does the write. Else JSON of the reply; null if the outcome is unknown. */
type Outcome = 'retry' | { readonly reply: string | null };

/** Sends the write once and classifies its outcome for the log. */
async function attempt(
  context: CallContext,
  next: Send,
  isSafe: boolean,
): Promise<{ readonly reply: Promise<Reply>; readonly outcome: Outcome }> {
  const reply = next(context);
  const unsure: Outcome = isSafe ? 'retry' : { reply: null };
  try {
    const answer = await reply;
    if ('ok' in answer) return { reply, outcome: { reply: JSON.stringify(answer) } };
    return { reply, outcome: isRefusal(answer.error) ? 'retry' : unsure };
  } catch (error) {
    return { reply, outcome: wasNeverSent(error) ? 'retry' : unsure };
  }
}

/** Returns whether an error proves that nothing was done. */
function isRefusal({ code, data }: WireError): boolean {
  return code < 500 || code === 501 || code === 507 || data?.reason === 'RATE_LIMITED';
}

function wasNeverSent(error: unknown): boolean {
  if (error instanceof SocialError) return error.code !== 'TIMED_OUT' && error.code !== 'UPSTREAM_FAILED';
  return error instanceof NotSent;
}

function conflict(): SocialError {
  return new SocialError('CONFLICT', 'Another write has this id already.');
}

const unknownOutcome = 'It cannot be determined whether this was posted, so it is not posted again.';

function storeError({ reason }: StoreError): SocialError {
  return reason === 'full'
    ? new SocialError('STORAGE_FULL', 'The site cannot store anything at the moment.')
    : new SocialError('UNAVAILABLE', 'The database is not available.', { retryAfter: 1 });
}
