import { friendsByMember } from './world/friendships.ts';
import type { Level, Member, World } from './world/records.ts';

/** Member data for the site's own pages. Gadgets use the API instead. */
export interface Community {
  readonly name: string;
  readonly members: readonly Member[];
  find(id: string): Member | undefined;
  /** Returns a member as `viewer` may see them, or nothing if they blocked the viewer. */
  visit(id: string, viewer: string | undefined): Member | undefined;
  friendsOf(id: string): readonly Member[];
  areFriends(a: string, b: string): boolean;
  /** Returns a member's text about themselves, if the viewer may read it. */
  aboutOf(member: Member, viewer: string | undefined): string | undefined;
}

export function createCommunity({ site, members, friendships, blocks }: World): Community {
  const byId = new Map(members.map((member) => [member.id, member]));
  const friends = friendsByMember(friendships);
  const blocked = new Set(blocks.map((pair) => pair.join(' ')));
  const areFriends = (a: string, b: string) => friends.get(a)?.has(b) ?? false;
  const maySee = (level: Level, owner: string, viewer: string | undefined) =>
    viewer === owner || level === 'site' || (level === 'friends' && viewer !== undefined && areFriends(owner, viewer));

  return {
    name: site.name,
    members,
    find: (id) => byId.get(id),
    visit: (id, viewer) => (viewer !== undefined && blocked.has(`${id} ${viewer}`) ? undefined : byId.get(id)),
    friendsOf: (id) => [...(friends.get(id) ?? [])].flatMap((friend) => byId.get(friend) ?? []),
    areFriends,
    aboutOf: ({ id, aboutMe, visibility }, viewer) =>
      maySee(visibility?.aboutMe ?? 'site', id, viewer) ? aboutMe : undefined,
  };
}
