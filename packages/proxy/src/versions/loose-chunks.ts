import { setImmediate as turn } from 'node:timers/promises';
import { type Database, type Statement, sql } from '@gantry/store';
import { SocialError } from '@gantry/wire';
import type { Ports } from '../ports.ts';

// A bucket has no part in a transaction. So a chunk whose bytes it may have without a row is marked
// as loose: before its bytes are put, and with the deletion of its row. Bytes are removed of marks
// that are an hour old, which is longer than any put takes, and claimed, so that no put begins
// meanwhile.

/** Time for which the bytes of a loose chunk stay. */
export const looseMs = 60 * 60_000;
/** Time after which the removal of a process that was killed is done again. */
export const claimMs = 10 * 60_000;
/** Removals that one statement claims. */
const claimedAtOnce = 20;

/** Marks a chunk before its bytes are put. @throws SocialError UNAVAILABLE if they go now. */
export async function markLoose(db: Database, digest: string, nowMs: number): Promise<void> {
  const marked = await db.query(sql`
    insert into app_loose_chunks (digest, since_ms) values (${digest}, ${nowMs})
    on conflict (digest) do update set since_ms = excluded.since_ms, removing_at_ms = null
      where app_loose_chunks.removing_at_ms is null or app_loose_chunks.removing_at_ms < ${nowMs - claimMs}
    returning digest`);
  if (marked.length === 0) throw beingRemoved();
}

/** Makes the error for a chunk whose bytes are removed at the moment. */
export function beingRemoved(): SocialError {
  return new SocialError('UNAVAILABLE', 'This chunk is being removed: send it again.', { retryAfter: 5 });
}

/** Returns a condition: the bytes that were put after a mark are still there. */
export function notRemoving(digest: string): Statement {
  return sql`(exists (select 1 from app_loose_chunks where digest = ${digest} and removing_at_ms is null)
    or exists (select 1 from app_chunks where digest = ${digest}))`;
}

/** Returns the statement that marks the chunks whose rows are deleted in the same transaction. */
export function loosen(where: Statement, nowMs: number): Statement {
  return sql`
    insert into app_loose_chunks (digest, since_ms) select digest, ${nowMs} from app_chunks where ${where}
    on conflict (digest) do update set since_ms = excluded.since_ms, removing_at_ms = null`;
}

/** Removes the bytes of loose chunks from the bucket, those that were marked an hour ago. */
export async function removeLoose({ db, bucket, now }: Pick<Ports, 'db' | 'bucket' | 'now'>): Promise<void> {
  if (!bucket) return;
  for (;;) {
    const nowMs = now();
    const due = sql`since_ms < ${nowMs - looseMs} and (removing_at_ms is null or removing_at_ms < ${nowMs - claimMs})
      and not exists (select 1 from app_chunks where app_chunks.digest = app_loose_chunks.digest)`;
    // Twice: of a row that was changed meanwhile PostgreSQL asks the outer condition only.
    const claimed = await db.query<{ digest: string }>(sql`
      update app_loose_chunks set removing_at_ms = ${nowMs}
      where digest in (select digest from app_loose_chunks where ${due} limit ${claimedAtOnce}) and (${due})
      returning digest`);
    if (claimed.length === 0) return;
    const digests = claimed.map(({ digest }) => digest);
    await Promise.all(digests.map((digest) => bucket.chunks.remove(digest)));
    await db.query(sql`
      delete from app_loose_chunks where digest in (${sql.list(digests)}) and removing_at_ms = ${nowMs}`);
    await turn();
  }
}
