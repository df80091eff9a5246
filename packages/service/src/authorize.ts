import type { CallPermission } from '@gantry/wire';

/** Audience of a thing, from everyone on the site to its owner. The database stores the index. */
export const levels = ['site', 'friends', 'private'] as const;
export type Level = (typeof levels)[number];
export type LevelIndex = 0 | 1 | 2;

/** Returns the index of a level. */
export function levelIndex(level: Level): LevelIndex {
  return levels.indexOf(level) as LevelIndex;
}

/** Member on whose behalf a request is made, and the app it comes through. */
export interface Requester {
  readonly memberId: string;
  /** App of the consumer key; absent for a key without app. */
  readonly appId: string | undefined;
  readonly hasApp: boolean;
  /** Permissions that the member granted to the app's key; absent where access is not limited. */
  readonly granted?: ReadonlySet<string> | undefined;
}

/** Facts about a member that decide what a viewer may see. */
export interface MemberFacts {
  readonly id: string;
  readonly isFriendOfViewer: boolean;
  readonly hasBlockedViewer: boolean;
  readonly hasApp: boolean;
}

/**
 * Highest level that a viewer sees of a member's data, an index into `levels`; -1 hides the member
 * altogether. A thing is visible if its level is at most the reach (contract §6).
 */
export type Reach = -1 | LevelIndex;

export type Act =
  /** Use an operation and profile fields. */
  | { readonly act: 'call'; readonly needs: readonly CallPermission[] }
  | { readonly act: 'name app'; readonly appId: string }
  /** Write as the member named in the path. */
  | { readonly act: 'post activity'; readonly memberId: string }
  | { readonly act: 'write AppData'; readonly memberId: string }
  /** Show a member, or one of their things that has a level. */
  | { readonly act: 'see'; readonly member: MemberFacts | undefined; readonly level?: LevelIndex | undefined }
  | { readonly act: 'read AppData'; readonly member: MemberFacts | undefined };

/** `hidden` is reported as if the thing did not exist. */
export type Verdict = 'allowed' | 'forbidden' | 'hidden';

/** Decides every permission of the contract's §4 to §6 about members' data; a pure function. */
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
