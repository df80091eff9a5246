import { setImmediate as turn } from 'node:timers/promises';
import { type Database, type Statement, sql } from '@gantry/store';
import type { Requester } from '../authorize.ts';
import {
  type ActivityRow,
  activityColumns,
  byNewest,
  newestFirst,
  pageOfPosts,
  parsePost,
  postKey,
  type StreamOptions,
  type StreamPost,
} from './activities.ts';
import { chunks } from './chunks.ts';
import { isOneOf } from './one-of.ts';
import { type Page, readPage } from './page.ts';
import { friendsOfSeveral } from './several-members.ts';
import { idsOfFriends, isInReach, reachIntoFriend } from './visibility.ts';

/*
 * Reads the newest activities of up to thousands of friends without reading all of them
 * (docs/decisions/0010-streams.md): only those posted since some moment. Any moment gives the right
 * answer if enough was posted since. The first moment tried is estimated from a sample of the
 * friends and nearly always suffices.
 */

export interface StreamLimits {
  /** Most activities in a stream, the newest. */
  readonly reachBack: number;
  /** Most activities read to find them. */
  readonly read: number;
}

const contractLimits: StreamLimits = { reachBack: 1_000, read: 4_000 }; // contract §3

/** Reads a page of the newest 1,000 visible activities of friends of any of the members. */
export async function friendsStream(
  db: Database,
  { memberId }: Requester,
  { ids, appId, range }: StreamOptions,
  limits = contractLimits,
): Promise<Page<ActivityRow>> {
  // The ids of one member's friends are read along an index; those of several are made once.
  const isOne = ids.length <= 1;
  const friends = isOne ? await countFriends(db, ids) : (await friendsOfSeveral(db, memberId, ids)).length;
  const kind = isOne ? sql`not materialized` : sql`materialized`;
  const authors = sql`author (id) as ${kind} (${idsOfFriends(memberId, ids)})`;
  const ofApp = appId === undefined ? sql.empty : sql`and activity.app_id = ${appId}`;
  const seen = sql`${isInReach(reachIntoFriend(memberId, sql`activity.member_id`, ids))} ${ofApp}`;
  const posts = await newestPosts(db, { authors, friends, ofApp, seen, limits });
  if (posts === undefined) {
    const from = sql`author join activity on member_id = author.id where ${seen}`;
    const list = { with: sql`with ${authors}`, columns: activityColumns, from, order: newestFirst };
    return readPage(db, { ...list, most: limits.reachBack }, range);
  }
  return pageOfPosts(db, posts, range);
}

/** Counts friends, including those that the viewer may not see. */
async function countFriends(db: Database, ids: readonly string[]): Promise<number> {
  const [row] = await db.query<{ n: number }>(sql`
    select count(*) as n from friendship where ${isOneOf(sql`member_id`, ids)}`);
  return Number(row?.n ?? 0);
}

interface StreamQuery {
  readonly authors: Statement;
  readonly friends: number;
  readonly ofApp: Statement;
  readonly seen: Statement;
  readonly limits: StreamLimits;
}

/** Returns the newest activities in order; `undefined` if no moment yields a fitting number. */
async function newestPosts(db: Database, stream: StreamQuery): Promise<readonly StreamPost[] | undefined> {
  const { reachBack, read } = stream.limits;
  let tooLate: number | undefined; // too few posts since then
  let tooEarly: number | undefined; // too many posts since then
  let since: number | Statement = firstMoment(stream);
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    if (attempt > 0) await turn(); // a SQLite query blocks the event loop
    const { posts, sinceS } = await postsSince(db, stream, since);
    if (posts.length <= read && (posts.length >= reachBack || sinceS <= beginningS)) {
      return posts.toSorted(byNewest).slice(0, reachBack);
    }
    const newestS = posts.reduce((newest, { postedAtS }) => Math.max(newest, postedAtS), sinceS);
    const spanS = Math.max(1, newestS - sinceS);
    if (posts.length > read) {
      tooEarly = sinceS;
      since = newestS - Math.min(firstSpanS, Math.floor(spanS / 3));
    } else {
      // Extrapolate from the density; if that was not enough, read everything.
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

const beginningS = -1_000_000_000_000; // before any date
const firstSpanS = 30 * 86_400;
const mostAttempts = 8;

/**
 * Estimates the moment since which about as many authors have posted as activities are wanted, from
 * a sample in the middle of the list: members with the first ids joined earliest. Few authors are
 * read from the beginning.
 */
function firstMoment({ friends, ofApp, limits: { reachBack } }: StreamQuery): number | Statement {
  if (friends <= reachBack) return beginningS;
  const sampled = Math.min(mostSampled, friends);
  const skipped = Math.floor((friends - sampled) / 2);
  const rank = Math.ceil((1.1 * sampled * reachBack) / friends);
  return sql`coalesce(
    (select newest_s from (
        select coalesce(
          (select posted_at_s from activity where member_id = sampled.id ${ofApp} order by ${newestFirst} limit 1),
          ${beginningS}) as newest_s
        from (select id from author limit ${sampled} offset ${skipped}) as sampled
      ) as newest
      order by newest_s desc limit 1 offset ${rank}),
    ${beginningS})`;
}

const mostSampled = 256;

/**
 * Reads the authors' visible posts since a moment, unordered: all of them, or at least the newest
 * `reachBack` of an author, or more than `read` altogether.
 */
async function postsSince(
  db: Database,
  stream: StreamQuery,
  moment: number | Statement,
): Promise<{ readonly posts: readonly StreamPost[]; readonly sinceS: number }> {
  const { authors, friends, seen, limits } = stream;
  const { reachBack, read } = limits;
  const each = Math.min(reachBack, Math.max(fewOfEach, Math.ceil((read + 1) / Math.max(1, friends))));
  const first = await newestOfEach(db, { authors, seen, each, moment });
  const posts = first.authors.flatMap((author) => author.posts);
  const { sinceS } = first;
  const unfinished = first.authors.filter((author) => author.posts.length === each && each < reachBack);
  if (posts.length > read || unfinished.length === 0) return { posts, sinceS };

  const allPosts = first.authors.filter((author) => author.posts.length < each).flatMap((author) => author.posts);
  for (let most = each, waiting = unfinished; waiting.length > 0; ) {
    most = Math.min(reachBack, most * 8);
    const again: AuthorPosts[] = [];
    let count = allPosts.length;
    for (const some of chunks(waiting, Math.max(1, Math.floor(postsAtOnce / most)))) {
      await turn();
      const ids = some.map(({ id }) => id);
      const authors = sql`author (id) as materialized (select id from member where ${isOneOf(sql`id`, ids)})`;
      const more = await newestOfEach(db, { authors, seen, each: most, moment: sinceS });
      again.push(...more.authors);
      count += more.authors.reduce((sum, author) => sum + author.posts.length, 0);
      if (count > read) return { posts: [...allPosts, ...again.flatMap((author) => author.posts)], sinceS };
    }
    waiting = most < reachBack ? again.filter((author) => author.posts.length === most) : [];
    const whole = most < reachBack ? again.filter((author) => author.posts.length < most) : again;
    for (const author of whole) allPosts.push(...author.posts);
  }
  return { posts: allPosts, sinceS };
}

/** Posts of an author that are read at first, so that few authors are read twice. */
const fewOfEach = 8;
/** Most posts that a statement returns of authors who are read again. */
const postsAtOnce = 5_000;

interface AuthorPosts {
  readonly id: string;
  readonly posts: readonly StreamPost[];
}

/**
 * Reads the newest visible posts of each author since a moment, `each` at most.
 *
 * The subquery is one that PostgreSQL cannot turn around: it would read everyone's posts since then
 * for those of the friends, which took ten seconds beside busy strangers.
 */
async function newestOfEach(
  db: Database,
  {
    authors,
    seen,
    each,
    moment,
  }: Pick<StreamQuery, 'authors' | 'seen'> & { readonly each: number; readonly moment: number | Statement },
): Promise<{ readonly authors: readonly AuthorPosts[]; readonly sinceS: number }> {
  // One text of `author/id time,id time;…` transfers faster than rows.
  const [row] = await db.query<{ since_s: number; posts: string | null }>(sql`
    with ${authors},
      since (s) as materialized (select cast(${moment} as bigint))
    select (select s from since) as since_s,
      (select string_agg(id || '/' || posts, ';') from (
        select author.id, (
          select string_agg(key, ',') from (
            select ${postKey} as key from activity
            where activity.member_id = author.id and posted_at_s > (select s from since) and ${seen}
            order by ${newestFirst} limit ${each}) as own
        ) as posts from author) as found) as posts`);
  return { authors: parseAuthors(row?.posts ?? ''), sinceS: Number(row?.since_s ?? beginningS) };
}

function parseAuthors(text: string): readonly AuthorPosts[] {
  if (text === '') return [];
  return text.split(';').map((author) => {
    const slash = author.indexOf('/');
    return {
      id: author.slice(0, slash),
      posts: author
        .slice(slash + 1)
        .split(',')
        .map(parsePost),
    };
  });
}
