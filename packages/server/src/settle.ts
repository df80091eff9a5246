import cluster from 'node:cluster';
import { repeatDecision } from '@gantry/proxy';
import { recountAppData } from '@gantry/service';
import { type Database, type Every, every as repeat, sql } from '@gantry/store';
import type { Logger } from 'pino';
import { siteHaving } from './site-having.ts';

const hourMs = 60 * 60_000;
const settlingMs = 24 * hourMs;
const everyMs = 5 * 60_000;

/** When a database got its first migration, and when its latest. Undefined before it has any. */
export interface MigrationTimes {
  readonly firstMs: number;
  readonly lastMs: number;
}

export async function migrationTimes(db: Database): Promise<MigrationTimes | undefined> {
  const [row] = await db.query<{ first_ms: number | null; last_ms: number | null }>(
    sql`select min(applied_at_ms) as first_ms, max(applied_at_ms) as last_ms from schema_migration`,
  );
  return row?.first_ms != null && row.last_ms !== null ? { firstMs: row.first_ms, lastMs: row.last_ms } : undefined;
}

/**
 * Completes what servers of 0.1.0 write while they run beside this version: they count no AppData keys, and keep a member's
 * decision about an app without who has the app. May run at any time, in any number of processes.
 *
 * @param sinceMs Decisions from before are complete.
 */
export async function settle(db: Database, sinceMs: number): Promise<void> {
  await recountAppData(db);
  const having = siteHaving(db);
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
    await repeatDecision({ db, having }, { viewer, app, gives: gives === 1, nowMs });
}

/**
 * Settles at the start if an upgrade is less than a day old, and every five minutes in its first hour: by then no server of
 * the version before should be left (docs/guides/upgrade.md). One process of several does it.
 *
 * @returns Ends it.
 */
export function settleAfterUpgrade(
  db: Database,
  {
    log,
    now = Date.now,
    every = repeat,
  }: { readonly log: Logger; readonly now?: () => number; readonly every?: Every },
): () => void {
  async function look(): Promise<void> {
    const times = await migrationTimes(db);
    if (!times) return stop();
    const { firstMs, lastMs } = times;
    const isUpgrade = lastMs - firstMs > hourMs;
    if (!isUpgrade || now() - lastMs > hourMs) stop();
    if (isUpgrade && now() - lastMs < settlingMs) await settle(db, lastMs);
  }
  const run = () =>
    void look().catch((error: unknown) =>
      isOver ? undefined : log.warn({ err: error }, 'what the version before wrote could not be completed'),
    );
  let isOver = false;
  const stop = every(run, everyMs);
  if (cluster.isWorker && cluster.worker?.id !== 1) stop();
  else run();
  return () => {
    isOver = true; // the database closes under it
    stop();
  };
}
