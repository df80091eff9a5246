import { type Statement, sql } from '@gantry/store';
import { isOneOf } from './one-of.ts';

/*
 * The rules of `authorize.ts` for queries that page and count: rows that the viewer may not see are
 * never selected. `member` always names a column with its table, since a bare name could resolve to
 * the inner table.
 */

/** Condition that is true unless the member blocked the viewer. No member blocks themselves. */
export function isVisible(viewer: string, member: Statement): Statement {
  return sql`not exists (select 1 from block as b where b.blocked_id = ${viewer} and b.blocker_id = ${member})`;
}

/** `isVisible` for a member known by id, which is evaluated once per statement. */
export function isVisibleMember(viewer: string, id: string): Statement {
  return id === viewer ? sql`1 = 1` : isVisible(viewer, sql`${id}`);
}

/** `isVisible` for many members: few block a viewer, and one subquery reads those. */
export function isNoBlocker(viewer: string, member: Statement): Statement {
  return sql`${member} not in (select b.blocker_id from block as b where b.blocked_id = ${viewer})`;
}

/** Narrows rows of `friendship as f` to one friend, in the form of its index. */
function isFriend(friend: Statement): Statement {
  return sql`length(f.friend_id) = length(${friend}) and f.friend_id = ${friend}`;
}

/** Viewer's reach into the data of a visible member. */
export function reachInto(viewer: string | Statement, member: Statement): Statement {
  return sql`case
    when ${member} = ${viewer} then 2
    when exists (select 1 from friendship as f where f.member_id = ${viewer} and ${isFriend(member)}) then 1
    else 0 end`;
}

/** 1 if the member has the app now, else 0; 0 without an app. */
export function hasApp(app: string | undefined, member: Statement): Statement {
  if (app === undefined) return sql`0`;
  return sql`case
    when exists (select 1 from member_app as a where a.member_id = ${member} and a.app_id = ${app} and a.installed = 1) then 1
    else 0 end`;
}

/** Condition that is true if an activity's level, its member's setting for its app, is in reach. */
export function isInReach(reach: Statement): Statement {
  return sql`(activity.app_id is null or not exists (
    select 1 from member_app as a
    where a.member_id = activity.member_id and a.app_id = activity.app_id and a.level > ${reach}))`;
}

/** Table expression of the ids of visible friends of any of the visible members. */
export function idsOfFriends(viewer: string, members: readonly string[]): Statement {
  const friend = sql`friendship.friend_id`;
  const seen = (member: Statement) => isNoBlocker(viewer, member);
  const [only] = members;
  if (only !== undefined && members.length === 1) {
    return sql`
      select ${friend} as id from friendship
      where friendship.member_id = ${only} and ${isVisibleMember(viewer, only)} and ${seen(friend)}`;
  }
  return sql`
    select distinct ${friend} as id from friendship
    where ${isOneOf(sql`friendship.member_id`, members)} and ${seen(sql`friendship.member_id`)} and ${seen(friend)}`;
}

/** `reachInto` for a friend of the members. The usual case, the viewer's own, needs no lookup. */
export function reachIntoFriend(viewer: string, friend: Statement, members: readonly string[]): Statement {
  return members.length === 1 && members[0] === viewer ? sql`1` : reachInto(viewer, friend);
}

/** Table expression of `idsOfFriends` with their reach: `id`, `reach`. */
export function visibleFriends(viewer: string, members: readonly string[]): Statement {
  return sql`
    select friend.id, ${reachIntoFriend(viewer, sql`friend.id`, members)} as reach
    from (${idsOfFriends(viewer, members)}) as friend`;
}

/** Table expression of the visible members among `ids`: `id`, `reach`. */
export function visibleMembers(viewer: string, ids: readonly string[]): Statement {
  return visibleAmong(viewer, isOneOf(sql`member.id`, ids));
}

/** `visibleMembers` of the ids that a query selects. */
export function visibleMembersIn(viewer: string, ids: Statement): Statement {
  return visibleAmong(viewer, sql`member.id in (${ids})`);
}

function visibleAmong(viewer: string, isAmong: Statement): Statement {
  return sql`
    select id, ${reachInto(viewer, sql`member.id`)} as reach from member
    where ${isAmong} and ${isVisible(viewer, sql`member.id`)}`;
}
