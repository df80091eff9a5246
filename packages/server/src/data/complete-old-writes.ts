import cluster from 'node:cluster';
import { replayDecision } from '@gantry/proxy';
import { recountAppData } from '@gantry/service';
import { type Database, type Every, every as repeat, sql } from '@gantry/store';
import type { Logger } from '@gantry/wire';
import { siteHaving } from '../members/site-having.ts';

const hourMs = 60 * 60_000;
const completingMs = 24 * hourMs;
const everyMs = 5 * 60_000;

/** Returns the times of a database's first and latest migration. */
export async function migrationTimes(db: Database): Promise<{ firstMs: number; lastMs: number } | undefined> {
  const [row] = await db.query<{ first_ms: number | null; last_ms: number | null }>(
    sql`select min(applied_at_ms) as first_ms, max(applied_at_ms) as last_ms from schema_migration`,
  );
  return row?.first_ms != null && row.last_ms !== null ? { firstMs: row.first_ms, lastMs: row.last_ms } : undefined;
}

/**
 * Completes what servers of 0.1.0 write while they run beside this version: they do not count
 * AppData keys, and store a member's decision about an app without recording that the member has
 * it. May run at any time, in any number of processes.
 *
 * @param sinceMs Earlier decisions are complete.
 */
export async function completeOldWrites(db: Database, sinceMs: number): Promise<void> {
  await recountAppData(db);
  const installs = siteHaving(db);
  const decided = await db.query<{ viewer: string; app_id: string; decided_ms: number; gives: number }>(sql`
    with latest (viewer, app_id, decided_ms) as (
      select viewer, app_id, max(decided_at_ms) from app_grants where decided_at_ms >= ${sinceMs} group by viewer, app_id
    )
    select latest.viewer, latest.app_id, decided_ms, max(app_grants.granted) as gives from latest
    join app_grants on app_grants.viewer = latest.viewer and app_grants.app_id = latest.app_id
      and app_grants.decided_at_ms = decided_ms
    left join member_app on member_app.member_id = latest.viewer and member_app.app_id = latest.app_id
    where decided_ms > coalesce(member_app.changed_at_ms, 0)
    group by latest.viewer, latest.app_id, decided_ms`);
  for (const { viewer, app_id: app, decided_ms: nowMs, gives } of decided)
    await replayDecision({ db, installs }, { viewer, app, gives: gives === 1, nowMs });
}

/**
 * Runs `completeOldWrites` at the start if an upgrade is less than a day old, and every five
 * minutes in its first hour: by then no server of the previous version should be left
 * (docs/guides/upgrade.md). With several workers, the first one does it.
 *
 * @returns Stops it.
 */
export function completeAfterUpgrade(
  db: Database,
  {
    log,
    now = Date.now,
    every = repeat,
  }: { readonly log: Logger; readonly now?: () => number; readonly every?: Every },
): () => void {
  async function check(): Promise<void> {
    const times = await migrationTimes(db);
    if (!times) return stop();
    const { firstMs, lastMs } = times;
    const isUpgrade = lastMs - firstMs > hourMs;
    if (!isUpgrade || now() - lastMs > hourMs) stop();
    if (isUpgrade && now() - lastMs < completingMs) await completeOldWrites(db, lastMs);
  }
  const run = () =>
    void check().catch((error: unknown) =>
      isOver ? undefined : log.warn({ err: error }, 'records of the previous version could not be completed'),
    );
  let isOver = false;
  const stop = every(run, everyMs);
  if (cluster.isWorker && cluster.worker?.id !== 1) stop();
  else run();
  return () => {
    isOver = true; // the database closes while it runs
    stop();
  };
}
