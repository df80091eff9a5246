import { hash } from 'node:crypto';
import { type Database, deleteSomeExpired, type Statement, sql } from '@gantry/store';
import { shownName } from '@gantry/wire';
import { type DeleteOthers, idsWithoutMember } from '../store/removed-members.ts';
import { personChanged } from '../store/versions.ts';
import { checkRecord } from './check-record.ts';

/** Member as the site's sign-in token describes them. All members may see both fields. */
export interface Introduction {
  readonly id: string;
  readonly displayName: string;
  /** Absolute, relative to the site, or `''` for none. Absent: unchanged. */
  readonly thumbnailUrl?: string | undefined;
  /** Seconds since the epoch. The later of two introductions counts. */
  readonly saidAtS: number;
}

/** Longer than the lifetime of a sign-in token. */
const tombstoneS = 600;
/** Tolerated difference between the clocks of site and Gantry. */
const skewS = 10;

/**
 * Adds a member, or updates name and picture if this introduction is later than the last and
 * differs. Nothing else of a member changes. A repeated introduction costs one read.
 *
 * @param options.alsoRemove Deletes what was stored for the id while no member had it.
 * @returns The reason for a refusal, as a sentence without full stop, else `undefined`.
 */
export async function introduceMember(
  db: Database,
  introduction: Introduction,
  { alsoRemove = () => [] }: { readonly alsoRemove?: DeleteOthers | undefined } = {},
): Promise<string | undefined> {
  const { id, thumbnailUrl, saidAtS } = introduction;
  const { problem } = checkRecord('members', {
    id,
    displayName: introduction.displayName,
    ...(thumbnailUrl !== undefined && { thumbnailUrl }),
  });
  if (problem) return `the member's ${problem[0].slice(1)} ${problem[1]}`;
  const displayName = shownName(introduction.displayName); // a refusal would lock the member out
  const digest = hash('sha256', JSON.stringify([displayName, thumbnailUrl]), 'base64url');
  const [last] = await db.query<{ said_at_s: number | string; digest: string; known: number }>(sql`
    select said_at_s, digest, case when exists (select 1 from member where id = ${id}) then 1 else 0 end as known
    from introduction where member_id = ${id}`);
  if (last && (Number(last.said_at_s) >= saidAtS || (last.digest === digest && last.known === 1))) return undefined;
  const isTaken = sql`from introduction where member_id = ${id} and said_at_s = ${saidAtS} and digest = ${digest}`;
  const picture = thumbnailUrl ?? '';
  const samePicture = thumbnailUrl === undefined ? sql.empty : sql`and thumbnail_url = ${picture}`;
  const setPicture = thumbnailUrl === undefined ? sql.empty : sql`, thumbnail_url = excluded.thumbnail_url`;
  await db.batch([
    ...alsoRemove(idsWithoutMember([id])),
    sql`
      insert into introduction (member_id, said_at_s, digest) values (${id}, ${saidAtS}, ${digest})
      on conflict (member_id) do update set said_at_s = excluded.said_at_s, digest = excluded.digest
      where introduction.said_at_s < excluded.said_at_s`,
    // Before the write, while the difference is visible.
    ...personChanged(
      id,
      sql`${isTaken} and not exists
        (select 1 from member where id = ${id} and display_name = ${displayName} ${samePicture})`,
    ),
    sql`
      insert into member (id, display_name, thumbnail_url, about_me, region, birthday, gender, language,
        about_me_level, region_level, age_level, birthday_level, gender_level, language_level, admin)
      select ${id}, ${displayName}, ${picture}, '', '', '', '', '', 0, 0, 0, 0, 0, 0, 0 ${isTaken}
      on conflict (id) do update set display_name = excluded.display_name ${setPicture}`,
  ]);
  return undefined;
}

/** Builds the statements that keep older tokens from restoring a removed member. */
export function withdrawIntroduction(id: string, nowMs: number): readonly Statement[] {
  const nowS = Math.ceil(nowMs / 1000);
  return [
    sql`
      insert into introduction (member_id, said_at_s, digest) values (${id}, ${nowS + skewS}, '')
      on conflict (member_id) do update set said_at_s = excluded.said_at_s, digest = ''`,
    deleteSomeExpired({
      table: sql`introduction`,
      key: ['member_id'],
      where: sql`digest = '' and said_at_s < ${nowS - tombstoneS}`,
    }),
  ];
}
