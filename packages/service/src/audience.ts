import { type Database, type LoggedChange, type Row, type Statement, sql } from '@gantry/store';
import { authorize, type LevelIndex, type MemberFacts, type Requester } from './authorize.ts';
import { isOneOf } from './store/one-of.ts';
import { everything } from './store/versions.ts';

/** One open page: who looks, whose pages its gadgets stand on, and which apps they are. */
export interface Listener {
  readonly viewer: string;
  readonly owners: ReadonlySet<string>;
  readonly apps: ReadonlySet<string>;
}

/** Says of each change whom it concerns, in the order of the changes. */
export type Audience = (
  changes: readonly LoggedChange[],
  listeners: Iterable<Listener>,
) => Promise<readonly (readonly Listener[])[]>;

/**
 * Makes the rule by which open pages hear of changes: those of the viewer, of the owners of the page's gadgets and of the
 * friends of either, as far as the viewer may see them (`authorize.ts`). AppData concerns only pages with that app. What it
 * costs does not depend on how many listen: four statements for all that changed since the last look.
 */
export function createAudience(db: Database): Audience {
  return async (changes, listeners) => {
    const listening = listenersBy(listeners);
    const members = [...new Set(changes.flatMap(({ memberId }) => (memberId === '' ? [] : [memberId])))];
    const facts = await readFacts(db, { members, changes, listening });
    return changes.map((change) => {
      if (change.topic === everything) return [...listening.all];
      return [...candidates(change, facts.friends, listening)].filter((listener) => concerns(change, listener, facts));
    });
  };
}

interface Listening {
  readonly all: ReadonlySet<Listener>;
  /** By viewer and by owner. */
  readonly of: ReadonlyMap<string, ReadonlySet<Listener>>;
}

function listenersBy(listeners: Iterable<Listener>): Listening {
  const all = new Set(listeners);
  const of = new Map<string, Set<Listener>>();
  for (const listener of all) {
    for (const id of [listener.viewer, ...listener.owners]) {
      const known = of.get(id);
      if (known) known.add(listener);
      else of.set(id, new Set([listener]));
    }
  }
  return { all, of };
}

/** Those who may care: the member is theirs, or a friend of theirs. */
function candidates(
  { memberId }: LoggedChange,
  friends: ReadonlyMap<string, ReadonlySet<string>>,
  { of }: Listening,
): ReadonlySet<Listener> {
  const near = [memberId, ...(friends.get(memberId) ?? [])];
  return new Set(near.flatMap((id) => [...(of.get(id) ?? [])]));
}

interface Facts {
  /** Friends of who changed, of those who are listened for. */
  readonly friends: ReadonlyMap<string, ReadonlySet<string>>;
  readonly hasBlocked: (blocker: string, blocked: string) => boolean;
  readonly install: (member: string, app: string) => { readonly hasApp: boolean; readonly level: LevelIndex };
}

function concerns({ memberId, topic, appId }: LoggedChange, listener: Listener, facts: Facts): boolean {
  const { viewer, owners, apps } = listener;
  const { friends, hasBlocked, install } = facts;
  const isNear = (id: string) => id === memberId || friends.get(memberId)?.has(id) === true;
  const visibleOwners = [...owners].filter((owner) => owner === viewer || !hasBlocked(owner, viewer));
  if (!isNear(viewer) && !visibleOwners.some(isNear)) return false;
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

// Beyond this, to ask for all friends of a member is less than to name those who are listened for.
const mostNamed = 500;

async function readFacts(
  db: Database,
  options: {
    readonly members: readonly string[];
    readonly changes: readonly LoggedChange[];
    readonly listening: Listening;
  },
): Promise<Facts> {
  const { members, changes, listening } = options;
  const heard = [...listening.of.keys()];
  const only = heard.length <= mostNamed ? sql`and ${isOneOf(sql`friend_id`, heard)}` : sql.empty;
  const friends = await readPairs(db, {
    from: members,
    query: sql`select member_id as one, friend_id as other from friendship where ${isOneOf(sql`member_id`, members)} ${only}`,
  });
  const near = new Set(members.flatMap((id) => [id, ...(friends.get(id) ?? [])]));
  const involved = [...new Set([...near].flatMap((id) => [...(listening.of.get(id) ?? [])]))];
  const viewers = [...new Set(involved.map(({ viewer }) => viewer))];
  const blocks = await readPairs(db, {
    from: viewers,
    query: sql`select blocked_id as one, blocker_id as other from block where ${isOneOf(sql`blocked_id`, viewers)}`,
  });
  const apps = [...new Set(changes.flatMap(({ appId }) => appId ?? []))];
  const installs = apps.length === 0 || viewers.length === 0 ? [] : await readInstalls(db, { members, apps });
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

interface InstallRow {
  readonly member_id: string;
  readonly app_id: string;
  readonly installed: number;
  readonly level: LevelIndex;
}

function readInstalls(
  db: Database,
  { members, apps }: { readonly members: readonly string[]; readonly apps: readonly string[] },
): Promise<readonly InstallRow[]> {
  return db.query<InstallRow>(sql`
    select member_id, app_id, installed, level from member_app
    where ${isOneOf(sql`member_id`, members)} and ${isOneOf(sql`app_id`, apps)}`);
}

async function readPairs(
  db: Database,
  { from, query }: { readonly from: readonly string[]; readonly query: Statement },
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const pairs = new Map<string, Set<string>>();
  if (from.length === 0) return pairs;
  for (const { one, other } of await db.query<Row & { one: string; other: string }>(query)) {
    const known = pairs.get(one);
    if (known) known.add(other);
    else pairs.set(one, new Set([other]));
  }
  return pairs;
}
