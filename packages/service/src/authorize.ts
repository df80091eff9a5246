import type { CallPermission } from '@gantry/wire';

/** Who may see a thing, from everyone on the site to its owner alone. The database holds the index. */
export const levels = ['site', 'friends', 'private'] as const;
export type Level = (typeof levels)[number];
export type LevelIndex = 0 | 1 | 2;

export function levelIndex(level: Level): LevelIndex {
  return levels.indexOf(level) as LevelIndex;
}

/** On whose behalf a request is made, and through which app. */
export interface Requester {
  readonly memberId: string;
  /** App of the consumer key; absent for a key of no app. */
  readonly appId: string | undefined;
  /** Whether the member has that app now. */
  readonly hasApp: boolean;
  /** What a key of that app may do, for a member who has it by allowing that; absent where nothing is limited. */
  readonly granted?: ReadonlySet<string> | undefined;
}

/** What has to be known about a member to decide what a viewer may see of them. */
export interface MemberFacts {
  readonly id: string;
  readonly isFriendOfViewer: boolean;
  readonly hasBlockedViewer: boolean;
  /** Whether the member has the app of the request now. */
  readonly hasApp: boolean;
}

/**
 * How far a viewer sees into a member's data: an index into `levels`, or -1 for a viewer who may not even know that the
 * member exists. A thing is seen when its level is at most the reach (contract §6).
 */
export type Reach = -1 | LevelIndex;

/** What a request is about to do. */
export type Act =
  /** Use an operation and profile fields. */
  | { readonly act: 'call'; readonly needs: readonly CallPermission[] }
  /** Name an app in the path. */
  | { readonly act: 'name app'; readonly appId: string }
  /** Write as the member named in the path. */
  | { readonly act: 'post activity'; readonly memberId: string }
  | { readonly act: 'write AppData'; readonly memberId: string }
  /** Show a member, or a thing of theirs that has a level. */
  | { readonly act: 'see'; readonly member: MemberFacts | undefined; readonly level?: LevelIndex | undefined }
  | { readonly act: 'read AppData'; readonly member: MemberFacts | undefined };

/** `hidden` is answered as if the thing did not exist. */
export type Verdict = 'allowed' | 'forbidden' | 'hidden';

/** Every permission rule of the contract's §4 to §6 about members' data, as one pure function. */
export function authorize(requester: Requester, act: Act): Verdict {
  switch (act.act) {
    case 'call':
      return act.needs.every((need) => requester.granted?.has(need) ?? true) ? 'allowed' : 'forbidden';
    case 'name app':
      return requester.appId !== undefined && (act.appId === '@app' || act.appId === requester.appId)
        ? 'allowed'
        : 'forbidden';
    case 'post activity':
      return act.memberId === requester.memberId ? 'allowed' : 'forbidden';
    case 'write AppData':
      return act.memberId === requester.memberId && requester.hasApp ? 'allowed' : 'forbidden';
    case 'see':
      return act.member && reach(requester, act.member) >= (act.level ?? 0) ? 'allowed' : 'hidden';
    case 'read AppData': {
      if (!act.member || reach(requester, act.member) < 0) return 'hidden';
      if (act.member.id === requester.memberId) return 'allowed';
      return act.member.isFriendOfViewer && act.member.hasApp ? 'allowed' : 'forbidden';
    }
  }
}

export function reach({ memberId }: Requester, member: MemberFacts): Reach {
  if (member.id === memberId) return 2;
  if (member.hasBlockedViewer) return -1;
  return member.isFriendOfViewer ? 1 : 0;
}
