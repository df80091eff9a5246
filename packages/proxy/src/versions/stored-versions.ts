import { type Database, type Statement, sql } from '@gantry/store';
import { SocialError } from '@gantry/wire';
import type { Manifest } from '../apps/manifest.ts';
import { storedManifest } from '../apps/registrations.ts';
import { auditEntry, audited } from './audit.ts';
import { type ChunkStore, isConstraint } from './chunk-store.ts';
import { manifestOfList } from './list-manifest.ts';
import { chunksOf, type VersionFile, type VersionList } from './version-list.ts';

/**
 * `accepted`: may be or become the live one. `waiting`: for an administrator's approval.
 * `preview`: for members who were asked. `refused`: by an administrator.
 */
export type VersionState = 'accepted' | 'waiting' | 'preview' | 'refused';

/** Names one version of one registration of an app (security rule 29). */
export interface VersionName {
  readonly app: string;
  readonly registration: string;
  readonly digest: string;
}

/** A version without its files. */
export interface VersionSummary extends VersionName {
  readonly state: VersionState;
  readonly manifest: Manifest;
  /** Sum of all files. */
  readonly bytes: number;
  /** Author's own account of checks and tests, as text. Nothing of it was verified. */
  readonly statement?: string;
  /** Maker, as in `AuditEntry.actor`. */
  readonly madeBy: string;
  readonly madeAtMs: number;
  readonly decidedBy?: string;
  readonly decidedAtMs?: number;
  /** Last time that a page was given this version, to within five minutes. */
  readonly namedAtMs: number;
}

export interface StoredVersion extends VersionSummary {
  readonly files: readonly VersionFile[];
}

export interface VersionStores {
  readonly db: Database;
  readonly chunks: ChunkStore;
}

/** A version to store, whose chunks are stored already. */
export interface NewVersion {
  readonly app: string;
  /** Registration that the app has, or will have in the same transaction. */
  readonly registration: string;
  readonly list: VersionList;
  readonly state: Exclude<VersionState, 'refused'>;
  /** Maker, as in `AuditEntry.actor`. */
  readonly by: string;
  readonly statement?: string | undefined;
  readonly nowMs: number;
}

/** The statements that store a version, for one transaction. */
export interface VersionPlan {
  readonly manifest: Manifest;
  readonly statements: readonly Statement[];
}

/** UTF-16 code units of an author's statement. */
export const maxStatementLength = 16_384;

/**
 * Plans to store a version; `runVersionPlan` runs the statements, with others of the caller if need
 * be. A version that is stored keeps its state, unless the new one is `accepted`.
 *
 * @throws SocialError CONFLICT that says how many chunks are missing, TOO_LARGE for the statement,
 * BAD_REQUEST for a faulty manifest and sizes that are not those of the chunks.
 */
export async function planVersion({ db, chunks }: VersionStores, version: NewVersion): Promise<VersionPlan> {
  const { app, registration, list, state, by, statement = null, nowMs } = version;
  if (statement !== null && statement.length > maxStatementLength) {
    throw new SocialError('TOO_LARGE', `A statement has at most ${maxStatementLength} characters.`);
  }
  const { digest, bytes, files } = list;
  await requireChunks({ db, chunks }, list);
  const manifest = await manifestOfList(list, chunks.read);
  const row = [app, registration, digest, state, bytes, by, nowMs, nowMs, statement];
  const used = [...chunksOf(list).keys()].map((chunk) => [app, registration, digest, chunk] as const);
  const isNew = sql`app_versions.state <> 'accepted' and excluded.state = 'accepted'`;
  return {
    manifest,
    statements: [
      // An update, so that the sweeper sees that this one is in use.
      sql`
        insert into app_versions (app_id, registration, digest, state, bytes, made_by, made_at_ms, named_at_ms,
          statement, manifest, files)
        values ${sql.rows([[...row, JSON.stringify(manifest), JSON.stringify(files)]])}
        on conflict (app_id, registration, digest) do update set named_at_ms = excluded.named_at_ms,
          state = case when ${isNew} then excluded.state else app_versions.state end,
          decided_by = case when ${isNew} then excluded.made_by else app_versions.decided_by end,
          decided_at_ms = case when ${isNew} then excluded.made_at_ms else app_versions.decided_at_ms end`,
      sql`
        insert into app_version_chunks (app_id, registration, version, chunk) values ${sql.rows(padded(used))}
        on conflict (app_id, registration, version, chunk) do nothing`,
      auditEntry({ atMs: nowMs, actor: by, app, action: 'store', to: digest, outcome: 'done', detail: state }),
    ],
  };
}

/**
 * Stores a version: all of it, or nothing.
 *
 * @returns Its state: that of an earlier time, if it was stored already.
 * @throws SocialError as `planVersion`.
 */
export async function storeVersion(stores: VersionStores, version: NewVersion): Promise<VersionSummary> {
  const { app, by, nowMs, list } = version;
  await audited(stores.db, { atMs: nowMs, actor: by, app, action: 'store', to: list.digest }, async () => {
    const { statements } = await planVersion(stores, version);
    await runVersionPlan(stores, { list, statements });
  });
  const { files: _, ...stored } = (await findVersion(stores.db, nameOf(version))) as StoredVersion;
  return stored;
}

/**
 * Runs statements with those of a version's plan as one transaction.
 *
 * @throws SocialError CONFLICT if a chunk went away or the app changed since the plan was made.
 */
export async function runVersionPlan(
  stores: VersionStores,
  { list, statements }: { readonly list?: VersionList; readonly statements: readonly Statement[] },
): Promise<void> {
  try {
    await stores.db.batch(statements);
  } catch (cause) {
    if (!isConstraint(cause)) throw cause;
    if (list) await requireChunks(stores, list);
    const message = 'The app was changed by somebody else meanwhile. Nothing was changed; try again.';
    throw new SocialError('CONFLICT', message, { cause });
  }
}

/** Finds a version with its files. */
export async function findVersion(db: Database, name: VersionName): Promise<StoredVersion | undefined> {
  const [row] = await db.query<VersionRow & { files: string }>(sql`
    select ${summaryColumns}, files from app_versions where ${isVersion(name)}`);
  return row && { ...toSummary(row), files: JSON.parse(row.files) };
}

/** Lists the versions of one registration, the newest first. */
export async function listVersions(
  db: Database,
  { app, registration }: Omit<VersionName, 'digest'>,
): Promise<readonly VersionSummary[]> {
  const rows = await db.query<VersionRow>(sql`
    select ${summaryColumns} from app_versions where app_id = ${app} and registration = ${registration}
    order by made_at_ms desc, digest`);
  return rows.map(toSummary);
}

/** Returns a condition over `app_versions`. */
export function isVersion({ app, registration, digest }: VersionName): Statement {
  return sql`app_id = ${app} and registration = ${registration} and digest = ${digest}`;
}

/** Returns the statement that keeps a version for the pages that were given it. */
export function nameVersion(name: VersionName, nowMs: number): Statement {
  return sql`update app_versions set named_at_ms = ${nowMs} where ${isVersion(name)} returning state`;
}

function nameOf({ app, registration, list: { digest } }: NewVersion): VersionName {
  return { app, registration, digest };
}

async function requireChunks({ db, chunks }: VersionStores, list: VersionList): Promise<void> {
  const expected = chunksOf(list);
  const missing = await chunks.missing([...expected.keys()]);
  if (missing.length > 0) {
    throw new SocialError('CONFLICT', `${missing.length} of ${expected.size} chunks are missing. Send them first.`);
  }
  const sizes = await db.query<{ digest: string; size: number }>(sql`
    select digest, size from app_chunks where digest in (${sql.list([...expected.keys()])})`);
  const liar = sizes.find(({ digest, size }) => expected.get(digest) !== size);
  if (liar) throw new SocialError('BAD_REQUEST', `A file of the list has another size than its chunk ${liar.digest}.`);
}

/** Repeats the last row up to a power of two: databases keep statements by their text. */
function padded<T>(rows: readonly T[]): readonly T[] {
  const count = 2 ** Math.ceil(Math.log2(rows.length));
  return [...rows, ...new Array<T>(count - rows.length).fill(rows.at(-1) as T)];
}

const summaryColumns = sql`
  app_id, registration, digest, state, bytes, made_by, made_at_ms, decided_by, decided_at_ms, named_at_ms,
  statement, manifest`;

interface VersionRow {
  readonly app_id: string;
  readonly registration: string;
  readonly digest: string;
  readonly state: VersionState;
  readonly bytes: number;
  readonly made_by: string;
  readonly made_at_ms: number;
  readonly decided_by: string | null;
  readonly decided_at_ms: number | null;
  readonly named_at_ms: number;
  readonly statement: string | null;
  readonly manifest: string;
}

function toSummary(row: VersionRow): VersionSummary {
  const { registration, digest, state, bytes, statement, decided_by: decidedBy, decided_at_ms: decidedAtMs } = row;
  return {
    ...{ app: row.app_id, registration, digest, state, bytes, manifest: storedManifest(row.manifest) },
    ...(statement !== null && { statement }),
    ...{ madeBy: row.made_by, madeAtMs: row.made_at_ms, namedAtMs: row.named_at_ms },
    ...(decidedBy !== null && { decidedBy }),
    ...(decidedAtMs !== null && { decidedAtMs }),
  };
}
