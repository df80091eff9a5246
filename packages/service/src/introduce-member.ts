import { createHash } from 'node:crypto';
import { type Database, type Statement, sql } from '@gantry/store';
import { personChanged } from './store/versions.ts';
import { checkRecord } from './world/check-record.ts';

/** A member as the site describes them where it says who is signed in. Both fields are seen by all members in any case. */
export interface Introduction {
  readonly id: string;
  readonly displayName: string;
  /** Absolute or relative to the site; `''` for none. Absent: it stays as it is. */
  readonly thumbnailUrl?: string | undefined;
  /** Seconds since the epoch. Of two introductions the later one counts. */
  readonly saidAtS: number;
}

/** Longer than any token lives that says who is signed in. */
const tombstoneS = 600;
/** The difference that the clocks of site and Gantry may have. */
const skewS = 10;

/**
 * Makes a member known, or brings name and picture up to date if this introduction is later than the last one and says
 * something else. Nothing else of a member is touched. One that repeats the last is a single read.
 *
 * @returns The reason for which it was not taken, as a sentence without its end; `undefined` otherwise.
 */
export async function introduceMember(db: Database, introduction: Introduction): Promise<string | undefined> {
  const { id, displayName, thumbnailUrl, saidAtS } = introduction;
  const { problem } = checkRecord('members', {
    id,
    displayName,
    ...(thumbnailUrl !== undefined && { thumbnailUrl }),
  });
  if (problem) return `the member's ${problem[0].slice(1)} ${problem[1]}`;
  const digest = createHash('sha256')
    .update(JSON.stringify([displayName, thumbnailUrl]))
    .digest('base64url');
  const [last] = await db.query<{ said_at_s: number | string; digest: string; known: number }>(sql`
    select said_at_s, digest, case when exists (select 1 from member where id = ${id}) then 1 else 0 end as known
    from introduction where member_id = ${id}`);
  if (last && (Number(last.said_at_s) >= saidAtS || (last.digest === digest && last.known === 1))) return undefined;
  const isTaken = sql`from introduction where member_id = ${id} and said_at_s = ${saidAtS} and digest = ${digest}`;
  const picture = thumbnailUrl ?? '';
  const samePicture = thumbnailUrl === undefined ? sql.empty : sql`and thumbnail_url = ${picture}`;
  const setPicture = thumbnailUrl === undefined ? sql.empty : sql`, thumbnail_url = excluded.thumbnail_url`;
  await db.batch([
    sql`
      insert into introduction (member_id, said_at_s, digest) values (${id}, ${saidAtS}, ${digest})
      on conflict (member_id) do update set said_at_s = excluded.said_at_s, digest = excluded.digest
      where introduction.said_at_s < excluded.said_at_s`,
    // Before the write, while it can be seen whether there is a difference.
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

/** The statements that keep a removed member from being introduced by what the site said before. */
export function withdrawIntroduction(id: string, nowMs: number): readonly Statement[] {
  const nowS = Math.ceil(nowMs / 1000);
  return [
    sql`
      insert into introduction (member_id, said_at_s, digest) values (${id}, ${nowS + skewS}, '')
      on conflict (member_id) do update set said_at_s = excluded.said_at_s, digest = ''`,
    sql`delete from introduction where digest = '' and said_at_s < ${nowS - tombstoneS}`,
  ];
}
