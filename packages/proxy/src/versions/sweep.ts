import { setImmediate as turn } from 'node:timers/promises';
import { deleteSomeExpired, sql } from '@gantry/store';
import type { Ports } from '../ports.ts';
import { isConstraint } from './chunk-store.ts';
import { loosen, removeLoose } from './loose-chunks.ts';
import { isVersion, type VersionName } from './stored-versions.ts';

/** Accepted versions of an app that are kept beside the live one. */
export const keptVersions = 10;

const dayMs = 24 * 60 * 60_000;
/** Twice the life of a token, and the time between two notes that a page was given a version. */
export const namedForMs = 20 * 60_000;
const sweepEveryMs = 10 * 60_000;

/** Chunks that one statement looks at, and bytes of those that one deletes. */
const chunksATurn = 1_000;
const bytesATurn = 4 * 1024 * 1024;

export interface SweepOptions extends Pick<Ports, 'db' | 'bucket' | 'now'> {
  /** Accepted versions that are kept of each app. Default: 10. */
  readonly kept?: number | undefined;
}

/**
 * Deletes versions that nobody can come back to, then chunks of no version that nobody has seen for
 * a day, and from a bucket bytes without a row. Any number of processes may do so at once, while
 * versions are stored.
 */
export async function sweepVersions(options: SweepOptions): Promise<void> {
  await sweepOld(options);
  await sweepChunks(options);
  await removeLoose(options);
}

async function sweepOld({ db, now, kept = keptVersions }: SweepOptions): Promise<void> {
  const nowMs = now();
  const dayAgo = nowMs - dayMs;
  const old = sql`
    state = 'accepted' and (select count(*) from app_versions newer
      where newer.app_id = app_versions.app_id and newer.registration = app_versions.registration
        and newer.state = 'accepted' and (newer.made_at_ms > app_versions.made_at_ms
          or newer.made_at_ms = app_versions.made_at_ms and newer.digest < app_versions.digest)) >= ${kept}`;
  const dropped = sql`
    made_at_ms < ${dayAgo} and (state = 'refused' and decided_at_ms < ${dayAgo} or state = 'preview')`;
  const isLive = sql`exists (select 1 from app_registrations live where live.id = app_versions.app_id
    and live.registration = app_versions.registration and live.version = app_versions.digest)`;
  const isOffered = sql`exists (select 1 from app_previews offer where offer.app_id = app_versions.app_id
    and offer.registration = app_versions.registration and offer.version = app_versions.digest)`;
  // The app was replaced, or removed; an approval may wait for an app that was never registered.
  const isOrphan = sql`
    exists (select 1 from app_registrations other where other.id = app_versions.app_id
      and other.registration <> app_versions.registration and other.registered_at_ms < ${dayAgo})
    or exists (select 1 from removed_apps gone where gone.id = app_versions.app_id and gone.removed_at_ms < ${dayAgo}
      and (gone.registration = app_versions.registration or app_versions.state <> 'waiting'))`;
  const isUnused = sql`named_at_ms < ${nowMs - namedForMs}
    and (((${old}) or (${dropped})) and not ${isLive} and not ${isOffered} or ${isOrphan})`;
  const rows = await db.query<{ app_id: string; registration: string; digest: string }>(sql`
    select app_id, registration, digest from app_versions where ${isUnused}`);
  for (const { app_id: app, registration, digest } of rows) {
    const name: VersionName = { app, registration, digest };
    // Asked again: it may have been named meanwhile.
    await db.query(sql`delete from app_versions where ${isVersion(name)} and ${isUnused}`);
  }
}

async function sweepChunks({ db, bucket, now }: SweepOptions): Promise<void> {
  for (let last: string | undefined = ''; last !== undefined; ) {
    const page: readonly ChunkRow[] = await db.query(sql`
      select digest, size, seen_at_ms >= ${now() - dayMs} or exists (
        select 1 from app_version_chunks where chunk = digest) as is_used
      from app_chunks where digest > ${last} order by digest limit ${chunksATurn}`);
    for (const group of grouped(page.filter(({ is_used }) => is_used === 0))) {
      await deleteChunks({ db, bucket, now }, group);
      await turn();
    }
    last = page.length === chunksATurn ? page.at(-1)?.digest : undefined;
  }
}

interface ChunkRow {
  readonly digest: string;
  readonly size: number;
  readonly is_used: number;
}

/** Groups chunks to delete at once: SQLite reads each page that it sets free. */
function grouped(rows: readonly ChunkRow[]): readonly (readonly string[])[] {
  const groups: string[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const { digest, size } of rows) {
    bytes += size;
    if (bytes > bytesATurn) {
      groups.push([]);
      bytes = size;
    }
    groups.at(-1)?.push(digest);
  }
  return groups;
}

async function deleteChunks({ db, bucket, now }: SweepOptions, digests: readonly string[]): Promise<void> {
  try {
    const where = sql`digest in (${sql.list(digests)}) and seen_at_ms < ${now() - dayMs}
      and not exists (select 1 from app_version_chunks where chunk = digest)`;
    const deletion = deleteSomeExpired({ table: sql`app_chunks`, key: ['digest'], where });
    await (bucket ? db.batch([loosen(where, now()), deletion]) : db.query(deletion));
  } catch (error) {
    if (!isConstraint(error)) throw error; // a version has one of them by now: the next sweep deletes the others
  }
}

/** Sweeps every ten minutes, each process at its own time. Returns a function that stops it. */
export function sweepRegularly(options: SweepOptions & Pick<Ports, 'every' | 'log' | 'random'>): () => void {
  const { every, log, random } = options;
  const [spread = 0] = random(1);
  let isSweeping = false;
  return every(
    () => {
      if (isSweeping) return;
      isSweeping = true;
      void sweepVersions(options)
        .catch((err: unknown) => log.warn({ err }, 'old versions of apps could not be deleted'))
        .finally(() => {
          isSweeping = false;
        });
    },
    sweepEveryMs * (1 + spread / 256),
  );
}
