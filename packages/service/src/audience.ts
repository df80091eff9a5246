import { type Database, type Listener, type Listeners, type LoggedChange, type Statement, sql } from '@gantry/store';
import { authorize, type LevelIndex, type MemberFacts, type Requester } from './auth/authorize.ts';
import { isOneOf } from './store/one-of.ts';
import { everythingTopic } from './store/versions.ts';

/** Returns the listeners that each change concerns, in the order of the changes. */
export type Audience = (
  changes: readonly LoggedChange[],
  listeners: Listeners,
) => Promise<readonly (readonly Listener[])[]>;

/**
 * Creates the rule that notifies open pages of changes by the viewer, by the owners of the page's
 * gadgets and by friends of either, as far as the viewer may see them (`authorize.ts`). AppData
 * concerns only pages with that app. Four queries serve all changes since the last look; from each
 * changed member it visits only the pages that name them or a friend, so other pages cost nothing.
 *
 * @example
 * import { createListeners, migrate, openSqlite } from '@gantry/store';
 * const db = openSqlite({ file: ':memory:' });
 * await migrate(db, { name: 'service', migrations: serviceMigrations });
 * const page = { viewer: '1', owners: new Set(['1']), apps: new Set(['chess']) };
 * const changes = [{ topic: 'people', memberId: '1', appId: undefined }];
 * const [concerned] = await createAudience(db)(changes, createListeners([page]));
 * concerned.includes(page); // true
 * await db.close();
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
  const found = new Set<Listener>();
  for (const id of [memberId, ...(friends.get(memberId) ?? [])]) {
    for (const listener of ofViewer(id)) found.add(listener);
    for (const listener of ofOwner(id)) {
      if (found.has(listener)) continue;
      if (id === listener.viewer || !hasBlocked(id, listener.viewer)) found.add(listener);
    }
  }
  return [...found];
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

// With more members than this, it is cheaper to read all friends than to name those listened for.
const mostNamed = 500;

async function readFacts(
  db: Database,
  members: readonly string[],
  { changes, listeners }: { readonly changes: readonly LoggedChange[]; readonly listeners: Listeners },
): Promise<Facts> {
  const { ofViewer, ofOwner } = listeners;
  const isFew = listeners.members.size <= mostNamed;
  const only = isFew ? sql`and ${isOneOf(sql`friend_id`, [...listeners.members])}` : sql.empty;
  const friends = await readPairs(db, {
    from: members,
    query: sql`select member_id as one, friend_id as other from friendship where ${isOneOf(sql`member_id`, members)} ${only}`,
  });
  const viewers = new Set<string>();
  for (const id of new Set(members.flatMap((member) => [member, ...(friends.get(member) ?? [])]))) {
    for (const { viewer } of ofViewer(id)) viewers.add(viewer);
    for (const { viewer } of ofOwner(id)) viewers.add(viewer);
  }
  const named = [...viewers];
  const blocks = await readPairs(db, {
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

async function readPairs(
  db: Database,
  { from, query }: { readonly from: readonly string[]; readonly query: Statement },
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const pairs = new Map<string, Set<string>>();
  if (from.length === 0) return pairs;
  for (const { one, other } of await db.query<{ one: string; other: string }>(query)) {
    const others = pairs.get(one) ?? new Set();
    pairs.set(one, others.add(other));
  }
  return pairs;
}
