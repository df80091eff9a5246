import { setImmediate as turn } from 'node:timers/promises';
import { type Database, type Listener, type Listeners, type LoggedChange, type Statement, sql } from '@gantry/store';
import { authorize, type LevelIndex, type MemberFacts, type Requester } from './authorize.ts';
import { chunks } from './store/chunks.ts';
import { isOneOf } from './store/one-of.ts';
import { everythingTopic } from './store/versions.ts';
import { reachInto } from './store/visibility.ts';

/** Returns the listeners that each change concerns, in the order of the changes. */
export type Audience = (
  changes: readonly LoggedChange[],
  listeners: Listeners,
) => Promise<readonly (readonly Listener[])[]>;

/**
 * Creates the rule that notifies open pages of changes by the viewer, by the owners of the page's
 * gadgets and by friends of either, as far as the viewer may see them (`authorize.ts`). AppData
 * concerns only pages with that app. A few queries serve all changes since the last look; from each
 * changed member it visits only the pages that name them or a friend, so other pages cost nothing.
 */
export function createAudience(db: Database): Audience {
  return async (changes, listeners) => {
    const members = [...new Set(changes.flatMap(({ memberId }) => (memberId === '' ? [] : [memberId])))];
    const facts = await readFacts(db, members, { changes, listeners });
    const near = new Map(members.map((id) => [id, listenersNear(id, facts, listeners)]));
    return changes.map((change) =>
      change.topic === everythingTopic
        ? [...listeners]
        : (near.get(change.memberId) ?? []).filter((listener) => concerns(change, listener, facts)),
    );
  };
}

/** Returns pages of a member and their friends, and of viewers whom neither has blocked. */
function listenersNear(
  memberId: string,
  { friends, hasBlocked }: Facts,
  { ofViewer, ofOwner }: Listeners,
): readonly Listener[] {
  const listeners = new Set<Listener>();
  for (const id of [memberId, ...(friends.get(memberId) ?? [])]) {
    for (const listener of ofViewer(id)) listeners.add(listener);
    for (const listener of ofOwner(id)) {
      if (listeners.has(listener)) continue;
      if (id === listener.viewer || !hasBlocked(id, listener.viewer)) listeners.add(listener);
    }
  }
  return [...listeners];
}

interface Facts {
  /** Friends of each changed member, limited to members with open pages. */
  readonly friends: ReadonlyMap<string, ReadonlySet<string>>;
  readonly hasBlocked: (blocker: string, blocked: string) => boolean;
  readonly install: (member: string, app: string) => { readonly hasApp: boolean; readonly level: LevelIndex };
}

function concerns({ memberId, topic, appId }: LoggedChange, { viewer, apps }: Listener, facts: Facts): boolean {
  const { friends, hasBlocked, install } = facts;
  const { hasApp, level } = appId === undefined ? { hasApp: true, level: undefined } : install(memberId, appId);
  const requester: Requester = { memberId: viewer, appId, hasApp: true };
  const member: MemberFacts = {
    id: memberId,
    isFriendOfViewer: friends.get(memberId)?.has(viewer) === true,
    hasBlockedViewer: hasBlocked(memberId, viewer),
    hasApp,
  };
  if (topic !== 'appData') return authorize(requester, { act: 'see', member, level }) === 'allowed';
  if (appId !== undefined && !apps.has(appId)) return false;
  return authorize(requester, { act: 'read AppData', member }) === 'allowed';
}

async function readFacts(
  db: Database,
  members: readonly string[],
  { changes, listeners }: { readonly changes: readonly LoggedChange[]; readonly listeners: Listeners },
): Promise<Facts> {
  const { ofViewer, ofOwner } = listeners;
  const friends = await readFriends(db, members, listeners.members);
  const viewers = new Set<string>();
  for (const id of new Set(members.flatMap((member) => [member, ...(friends.get(member) ?? [])]))) {
    for (const { viewer } of ofViewer(id)) viewers.add(viewer);
    for (const { viewer } of ofOwner(id)) viewers.add(viewer);
  }
  const named = [...viewers];
  const blocks: Pairs = new Map();
  await addPairs(blocks, db, {
    from: named,
    query: sql`select blocked_id as one, blocker_id as other from block where ${isOneOf(sql`blocked_id`, named)}`,
  });
  const apps = [...new Set(changes.flatMap(({ appId }) => appId ?? []))];
  const installs =
    apps.length === 0 || named.length === 0
      ? []
      : await db.query<{ member_id: string; app_id: string; installed: number; level: LevelIndex }>(sql`
          select member_id, app_id, installed, level from member_app
          where ${isOneOf(sql`member_id`, members)} and ${isOneOf(sql`app_id`, apps)}`);
  const installOf = new Map(installs.map((row) => [`${row.member_id} ${row.app_id}`, row]));
  return {
    friends,
    hasBlocked: (blocker, blocked) => blocks.get(blocked)?.has(blocker) === true,
    install(member, app) {
      const row = installOf.get(`${member} ${app}`);
      return { hasApp: row?.installed === 1, level: row?.level ?? 0 };
    },
  };
}

/** Rows or look-ups of one statement. */
const stepsAtOnce = 5_000;
const lookedUpAtOnce = 1_000;
/** Rows of one statement that are only counted, which is cheaper than reading them. */
const countedAtOnce = 50_000;

/**
 * Reads the friends of members, at least those with open pages. If a member has more friends than
 * there are members with pages, only those are looked up: neither a popular member nor a page with
 * many owners decides the cost. The event loop has a turn before each long statement.
 */
async function readFriends(
  db: Database,
  members: readonly string[],
  listened: Listeners['members'],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const friends: Pairs = new Map();
  const most = Math.min(listened.size, stepsAtOnce);
  for (const some of chunks(members, Math.max(1, Math.floor(countedAtOnce / (most + 1))))) {
    const counted = await db.query<{ id: string; n: number }>(sql`
      select member.id, (
        select count(*) from (select 1 from friendship where friendship.member_id = member.id limit ${most + 1}) as few
      ) as n from member where ${isOneOf(sql`member.id`, some)}`);
    const few = counted.filter(({ n }) => n <= most);
    for (const part of chunksOf(few, stepsAtOnce)) {
      if (friends.size > 0) await turn();
      await addPairs(friends, db, {
        from: part,
        query: sql`select member_id as one, friend_id as other from friendship where ${isOneOf(sql`member_id`, part)}`,
      });
    }
    const popular = counted.flatMap(({ id, n }) => (n > most ? id : []));
    if (popular.length === 0) continue; // members with pages are copied for those alone
    for (const near of chunks([...listened], lookedUpAtOnce)) {
      for (const part of chunks(popular, Math.max(1, Math.floor(stepsAtOnce / near.length)))) {
        if (part.length * near.length >= lookedUpAtOnce) await turn();
        await addPairs(friends, db, { from: part, query: friendsAmong(part, near) });
      }
    }
  }
  return friends;
}

/** Groups members that have at most so many friends together. */
function chunksOf(members: readonly { readonly id: string; readonly n: number }[], most: number): readonly string[][] {
  const groups: string[][] = [[]];
  let sum = 0;
  for (const { id, n } of members) {
    sum += Number(n);
    if (sum > most) {
      groups.push([]);
      sum = Number(n);
    }
    groups.at(-1)?.push(id);
  }
  return groups;
}

/** Selects friends by one look-up for each pair of members. */
function friendsAmong(members: readonly string[], others: readonly string[]): Statement {
  return sql`
    select changed.id as one, near.id as other from member as changed cross join member as near
    where ${isOneOf(sql`changed.id`, members)} and ${isOneOf(sql`near.id`, others)}
      and ${reachInto(sql`near.id`, sql`changed.id`)} = 1`;
}

type Pairs = Map<string, Set<string>>;

interface PairsQuery {
  /** Nothing is read for none. */
  readonly from: readonly string[];
  readonly query: Statement;
}

async function addPairs(pairs: Pairs, db: Database, { from, query }: PairsQuery): Promise<void> {
  if (from.length === 0) return;
  const rows = await db.query<{ one: string; other: string }>(query);
  for (const { one, other } of rows) {
    const others = pairs.get(one) ?? new Set();
    pairs.set(one, others.add(other));
  }
}
