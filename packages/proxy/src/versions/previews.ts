import { type Database, type Statement, sql } from '@gantry/store';
import { isId, SocialError } from '@gantry/wire';
import { type VersionOf, versionKey } from '../apps/app-version.ts';
import { auditEntry, audited } from './audit.ts';
import { isConstraint } from './chunk-store.ts';
import { isVersion, type VersionName } from './stored-versions.ts';

/** A version that a member may see before it is live. */
export interface Preview {
  readonly app: string;
  readonly registration: string;
  readonly member: string;
  /** Digest of the version. */
  readonly version: string;
  /** Absent until the member has decided. */
  readonly accepted?: boolean;
  readonly offeredAtMs: number;
}

/** Members in one offer of a preview. */
export const maxPreviewMembers = 100;

interface PreviewChange extends VersionName {
  /** Maker, as in `AuditEntry.actor`. */
  readonly by: string;
  readonly nowMs: number;
  /** Statements of the same transaction, which announce it to open pages. */
  readonly announce?: readonly Statement[];
}

interface Offer extends PreviewChange {
  readonly members: readonly string[];
}

/**
 * Returns the statements that offer a version to members, each of whom is asked once; another
 * version replaces the one that a member was offered before. The transaction fails as a violated
 * constraint for a version that is neither accepted nor for previews.
 *
 * @throws SocialError BAD_REQUEST for no members, too many, and what is no id.
 */
function planOffer({ members, by, nowMs, announce = [], ...name }: Offer): readonly Statement[] {
  const { app, registration, digest } = name;
  if (members.length === 0 || members.length > maxPreviewMembers || !members.every(isId)) {
    throw new SocialError('BAD_REQUEST', `A preview is for 1 to ${maxPreviewMembers} members, named by their ids.`);
  }
  const rows = [...new Set(members)].map((member) => [app, registration, member, digest, nowMs] as const);
  const isShown = sql`exists (
    select 1 from app_versions where ${isVersion(name)} and state in ('accepted', 'preview'))`;
  const detail = `offered to ${rows.length} members`;
  return [
    sql`update app_versions set named_at_ms = ${nowMs} where ${isVersion(name)}`,
    auditEntry({ atMs: nowMs, actor: by, app, action: 'preview', to: digest, outcome: 'done', detail }, isShown),
    sql`
      insert into app_previews (app_id, registration, member_id, version, offered_at_ms) values ${sql.rows(rows)}
      on conflict (app_id, registration, member_id) do update set version = excluded.version,
        accepted = null, decided_at_ms = null, offered_at_ms = excluded.offered_at_ms
      where app_previews.version <> excluded.version`,
    ...announce,
  ];
}

/** Offers a version to members. @throws SocialError as `planOffer`; CONFLICT for other versions. */
export async function offerPreview(db: Database, offer: Offer): Promise<void> {
  const { app, digest, by, nowMs } = offer;
  await audited(db, { atMs: nowMs, actor: by, app, action: 'preview', to: digest }, async () => {
    try {
      await db.batch(planOffer(offer));
    } catch (cause) {
      if (!isConstraint(cause)) throw cause;
      throw new SocialError('CONFLICT', 'Only an accepted version, or one for previews, can be shown.', { cause });
    }
  });
}

/** Finds the preview that a member was offered. */
export async function findPreview(
  db: Database,
  { app, registration, member }: Pick<Preview, 'app' | 'registration' | 'member'>,
): Promise<Preview | undefined> {
  const [row] = await db.query<PreviewRow>(sql`
    select ${columns} from app_previews
    where app_id = ${app} and registration = ${registration} and member_id = ${member}`);
  return row && toPreview(row);
}

/**
 * Finds which versions a member may still run, by `versionKey`: an accepted preview, or a version
 * that was accepted for everybody meanwhile.
 */
export async function findStillShown(
  db: Database,
  member: string,
  versions: readonly VersionOf[],
): Promise<ReadonlySet<string>> {
  if (versions.length === 0) return new Set();
  const digests = sql.list([...new Set(versions.map(({ digest }) => digest))]);
  const rows = await db.query<{ app_id: string; registration: string; version: string }>(sql`
    select app_id, registration, version from app_previews
    where member_id = ${member} and accepted = 1 and version in (${digests})
    union
    select app_id, registration, digest from app_versions where state = 'accepted' and digest in (${digests})`);
  return new Set(
    rows.map(({ app_id: app, registration, version: digest }) => versionKey({ app, registration, digest })),
  );
}

/** Lists the members who were offered a version of an app. */
export async function listPreviews(
  db: Database,
  { app, registration }: Pick<Preview, 'app' | 'registration'>,
): Promise<readonly Preview[]> {
  const rows = await db.query<PreviewRow>(sql`
    select ${columns} from app_previews where app_id = ${app} and registration = ${registration} order by member_id`);
  return rows.map(toPreview);
}

/** Stores a member's answer. Resolves with false if this version is not offered to the member. */
export async function decidePreview(
  db: Database,
  {
    app,
    registration,
    member,
    version,
    accept,
    nowMs,
  }: Omit<Preview, 'accepted' | 'offeredAtMs'> & {
    readonly accept: boolean;
    readonly nowMs: number;
  },
): Promise<boolean> {
  const rows = await db.query(sql`
    update app_previews set accepted = ${accept ? 1 : 0}, decided_at_ms = ${nowMs}
    where app_id = ${app} and registration = ${registration} and member_id = ${member} and version = ${version}
    returning 1 as decided`);
  return rows.length > 0;
}

/** Ends a version's preview, for all members or some. */
export async function endPreview(
  db: Database,
  {
    app,
    registration,
    digest,
    members,
    by,
    nowMs,
    announce = [],
  }: PreviewChange & { readonly members?: readonly string[] | undefined },
): Promise<void> {
  const among = members?.length ? sql`member_id in (${sql.list(members)})` : sql`true`;
  const detail = members?.length ? `ended for ${members.length} members` : 'ended';
  await db.batch([
    sql`
      delete from app_previews
      where app_id = ${app} and registration = ${registration} and version = ${digest} and ${among}`,
    auditEntry({ atMs: nowMs, actor: by, app, action: 'preview', from: digest, outcome: 'done', detail }),
    ...announce,
  ]);
}

const columns = sql`app_id, app_previews.registration, member_id, version, accepted, offered_at_ms`;

interface PreviewRow {
  readonly app_id: string;
  readonly registration: string;
  readonly member_id: string;
  readonly version: string;
  readonly accepted: number | null;
  readonly offered_at_ms: number;
}

function toPreview({ app_id: app, registration, member_id: member, version, accepted, offered_at_ms }: PreviewRow) {
  const decided = accepted !== null && { accepted: accepted === 1 };
  return { ...{ app, registration, member, version }, ...decided, offeredAtMs: offered_at_ms };
}
