import { type Database, type Statement, sql } from '@gantry/store';
import { compareIds } from '@gantry/wire';
import type { Requester } from '../authorize.ts';
import { type ActivityRow, activityColumns, newestFirst, type StreamOptions } from './activities.ts';
import { isOneOf } from './one-of.ts';
import { type Page, readPage } from './page.ts';
import { idsOfFriends, isInReach, reachIntoFriend } from './visibility.ts';

/*
 * The newest activities of up to thousands of friends, without reading them all (docs/decisions/0010-streams.md): only what
 * was posted since some moment. Any moment gives the right answer if enough was posted since; the first one tried, which a
 * few of the friends tell, nearly always does.
 */

export interface StreamLimits {
  /** Activities that a stream has at most, the newest. */
  readonly reachBack: number;
  /** Activities that are read to find them, at most. */
  readonly read: number;
}

const contractLimits: StreamLimits = { reachBack: 1_000, read: 4_000 }; // contract §3

/** A page of the newest 1,000 activities of the friends of any of the members, as far as the viewer sees them. */
export async function friendsStream(
  db: Database,
  { memberId }: Requester,
  { ids, appId, range }: StreamOptions,
  limits = contractLimits,
): Promise<Page<ActivityRow>> {
  const authors = sql`author (id) as not materialized (${idsOfFriends(memberId, ids)})`;
  const ofApp = appId === undefined ? sql.empty : sql`and activity.app_id = ${appId}`;
  const seen = sql`${isInReach(reachIntoFriend(memberId, sql`activity.member_id`, ids))} ${ofApp}`;
  const friends = await countFriends(db, ids);
  const posts = await newestPosts(db, { authors, friends, ofApp, seen, limits });
  if (posts === undefined) {
    const from = sql`author join activity on member_id = author.id where ${seen}`;
    const list = { with: sql`with ${authors}`, columns: activityColumns, from, order: newestFirst };
    return readPage(db, { ...list, most: limits.reachBack }, range);
  }
  const shown = posts.slice(range.startIndex, range.startIndex + range.count).map(({ id }) => id);
  return { rows: await activitiesById(db, shown), total: posts.length };
}

async function activitiesById(db: Database, ids: readonly string[]): Promise<readonly ActivityRow[]> {
  if (ids.length === 0) return [];
  const rows = await db.query<ActivityRow>(sql`
    select ${activityColumns} from activity where ${isOneOf(sql`activity.id`, ids)}`);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []); // one may have gone meanwhile
}

/** Those whom the viewer does not see included. */
async function countFriends(db: Database, ids: readonly string[]): Promise<number> {
  const [row] = await db.query<{ n: number }>(sql`
    select count(*) as n from friendship where ${isOneOf(sql`member_id`, ids)}`);
  return Number(row?.n ?? 0);
}

interface Question {
  /** A common table expression `author`. */
  readonly authors: Statement;
  /** About as many authors there are. */
  readonly friends: number;
  readonly ofApp: Statement;
  /** Which of their activities count. */
  readonly seen: Statement;
  readonly limits: StreamLimits;
}

interface Post {
  readonly id: string;
  readonly postedAtS: number;
}

/** The newest first, complete; `undefined` where no moment was found since which neither too little nor too much was posted. */
async function newestPosts(db: Database, question: Question): Promise<readonly Post[] | undefined> {
  const { reachBack, read } = question.limits;
  let tooLate: number | undefined; // since here, too little was posted
  let tooEarly: number | undefined; // and since here, too much
  let since: number | Statement = firstMoment(question);
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const { posts, sinceS } = await postsSince(db, question, since);
    if (posts.length <= read && (posts.length >= reachBack || sinceS <= beginningS)) {
      return posts.toSorted(byNewest).slice(0, reachBack);
    }
    const newestS = posts.reduce((newest, { postedAtS }) => Math.max(newest, postedAtS), sinceS);
    const spanS = Math.max(1, newestS - sinceS);
    if (posts.length > read) {
      tooEarly = sinceS;
      since = newestS - Math.min(firstSpanS, Math.floor(spanS / 3));
    } else {
      // As long as the density says; where that was not enough either, everything.
      const isGuess = tooLate === undefined && posts.length > 0;
      since = isGuess ? newestS - Math.ceil((spanS * 1.5 * reachBack) / posts.length) : beginningS;
      tooLate = sinceS;
    }
    const [least, most] = [tooEarly ?? beginningS - 1, tooLate ?? newestS];
    if (since <= least || since >= most) since = Math.floor((least + most) / 2);
    if (since <= least || since >= most) return undefined;
  }
  return undefined;
}

const beginningS = -1_000_000_000_000; // before anything that a calendar can say
const firstSpanS = 30 * 86_400;
const mostAttempts = 8;

/**
 * The moment since which about as many authors have posted as activities are wanted, as a few of them tell, from the middle of
 * the list: those whose ids come first have been members for longest. For few authors: before everything.
 */
function firstMoment({ friends, ofApp, limits: { reachBack } }: Question): number | Statement {
  if (friends <= reachBack) return beginningS;
  const asked = Math.min(mostAsked, friends);
  const skipped = Math.floor((friends - asked) / 2);
  const rank = Math.ceil((1.1 * asked * reachBack) / friends);
  return sql`coalesce(
    (select newest_s from (
        select (select posted_at_s from activity where member_id = asked.id ${ofApp} order by ${newestFirst} limit 1) as newest_s
        from (select id from author limit ${asked} offset ${skipped}) as asked
      ) as newest
      where newest_s is not null order by newest_s desc limit 1 offset ${rank}),
    ${beginningS})`;
}

const mostAsked = 256;

interface FoundRow {
  readonly since_s: number;
  /** `id time,id time`: as one text, thousands of rows cost little to hand over. Ids have neither blanks nor commas. */
  readonly posts: string | null;
}

/** What the authors posted after a moment, as far as the viewer sees it, in no order; one more than may be read if there is more. */
async function postsSince(
  db: Database,
  { authors, seen, limits: { read } }: Question,
  moment: number | Statement,
): Promise<{ readonly posts: readonly Post[]; readonly sinceS: number }> {
  const [row] = await db.query<FoundRow>(sql`
    with ${authors},
      since (s) as materialized (select cast(${moment} as bigint))
    select (select s from since) as since_s,
      (select string_agg(id || ' ' || posted_at_s, ',') from (
        select activity.id, posted_at_s from since cross join author cross join activity
        where activity.member_id = author.id and posted_at_s > since.s and ${seen}
        limit ${read + 1}) as found) as posts`);
  return { posts: parsePosts(row?.posts ?? ''), sinceS: Number(row?.since_s ?? beginningS) };
}

function parsePosts(text: string): readonly Post[] {
  if (text === '') return [];
  return text.split(',').map((post) => {
    const blank = post.indexOf(' ');
    return { id: post.slice(0, blank), postedAtS: Number(post.slice(blank + 1)) };
  });
}

function byNewest(a: Post, b: Post): number {
  return b.postedAtS - a.postedAtS || -compareIds(a.id, b.id);
}
