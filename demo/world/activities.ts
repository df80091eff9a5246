import { dayMs, hourMs, isoTime, monthOf } from './calendar.ts';
import type { Friends } from './friendships.ts';
import { hasApp } from './installs.ts';
import type { Neighbour } from './members.ts';
import { byCircle, everyday, inOtherWords, phrasesFor, say } from './phrases.ts';
import type { Random } from './random.ts';
import type { Activity, Album, Install, MediaItem } from './records.ts';

interface Draft {
  readonly userId: string;
  readonly appId: string;
  readonly title: string;
  readonly url?: string;
  readonly at: number;
}

export interface ActivitySources {
  readonly neighbours: readonly Neighbour[];
  readonly friends: Friends;
  readonly installs: readonly Install[];
  readonly albums: readonly Album[];
  readonly mediaItems: readonly MediaItem[];
  readonly now: number;
}

const months = 14;

/**
 * Generates all activities of the last fourteen months, oldest first, so that ids grow with time.
 */
export function createActivities(random: Random, sources: ActivitySources): Activity[] {
  const speak = createSpeaker(random);
  const drafts = [
    ...posts(random, sources, speak),
    ...justNow(random, sources, speak),
    ...newPhotos(sources),
    ...newFriends(random, sources),
  ];
  return drafts
    .sort((a, b) => a.at - b.at || Number(a.userId) - Number(b.userId))
    .map(({ at, ...draft }, index) => ({ id: String(index + 1), ...draft, postedTime: isoTime(at) }));
}

function posts(random: Random, { neighbours, installs, now }: ActivitySources, speak: Speaker): Draft[] {
  const has = hasApp(installs, 'stream');
  const posters = neighbours.filter(({ member }) => has(member.id));
  const times = posters.flatMap((author) => {
    const amount = author.energy < 0.02 ? 0 : 1 + Math.floor(author.energy ** 1.3 * 38);
    return Array.from({ length: amount }, () => ({ author, at: daytime(random, now) }));
  });
  return times
    .sort((a, b) => a.at - b.at)
    .map(({ author, at }) => ({ userId: author.member.id, appId: 'stream', title: speak(author, at), at }));
}

// Keeps the newest posts minutes old, at any hour of the day.
function justNow(random: Random, { neighbours, friends, installs, now }: ActivitySources, speak: Speaker): Draft[] {
  const visible = new Set(
    installs.filter((one) => one.appId === 'stream' && one.visibility !== 'private').map((one) => one.memberId),
  );
  const mine = neighbours.filter(
    ({ member: { id }, energy }) => friends.get('1')?.has(id) && visible.has(id) && energy > 0.1,
  );
  const minutes = [4, 17, 41, 66, 128, 195, 312, 490, 700];
  return random
    .shuffled(mine)
    .slice(0, minutes.length)
    .map((author, index) => {
      const at = now - (minutes[index] as number) * 60_000;
      return { userId: author.member.id, appId: 'stream', title: speak(author, at), at };
    });
}

/** Returns a phrase for a moment that was not used recently. */
type Speaker = (author: Neighbour, at: number) => string;

function createSpeaker(random: Random): Speaker {
  const lately: string[] = [];
  const said = new Set<string>();
  return (author, at) => {
    for (let attempt = 0; ; attempt++) {
      const phrase = pickPhrase(random, author, at);
      const title = say(random, phrase);
      if (attempt < 20 && (lately.includes(phrase) || said.has(title))) continue;
      lately.push(phrase);
      if (lately.length > 60) lately.shift();
      said.add(title);
      return title;
    }
  };
}

function pickPhrase(random: Random, { circles, language }: Neighbour, at: number): string {
  const phrases = inOtherWords[language];
  if (phrases && random.chance(0.12)) return random.pick(phrases);
  const source = random.chance(0.24) ? everyday : byCircle[random.pick(circles)];
  return random.pick(phrasesFor(source, monthOf(at)));
}

// Denser lately than long ago, and never at night.
function daytime(random: Random, now: number): number {
  const daysAgo = Math.floor(random.next() ** 1.6 * months * 30.4);
  const midnight = Math.floor(now / dayMs) * dayMs - daysAgo * dayMs;
  const at = midnight + 6 * hourMs + random.int(0, 16 * 3_600) * 1_000;
  return at < now ? at : at - dayMs;
}

function newPhotos({ albums, mediaItems, now }: ActivitySources): Draft[] {
  return albums.flatMap((album): Draft[] => {
    const items = mediaItems.filter((item) => item.albumId === album.id);
    const latest = items
      .map((item) => Date.parse(`${item.created.replace(' ', 'T')}Z`))
      .reduce((a, b) => Math.max(a, b), 0);
    if (items.length === 0) return [];
    const photos = items.length === 1 ? 'a photo' : `${items.length} photos`;
    const title = `Added ${photos} to “${album.title}”.`;
    return [
      {
        userId: album.ownerId,
        appId: 'photos',
        title,
        url: `/members/${album.ownerId}`,
        at: Math.min(latest + hourMs, now - 60_000),
      },
    ];
  });
}

function newFriends(random: Random, { neighbours, friends, installs, now }: ActivitySources): Draft[] {
  const has = hasApp(installs, 'friends');
  const names = new Map(neighbours.map(({ member }) => [member.id, member.displayName]));
  return neighbours
    .filter(({ member }) => friends.has(member.id) && has(member.id) && random.chance(0.6))
    .map(({ member: { id } }) => {
      const friend = random.pick([...(friends.get(id) ?? [])]);
      const title = `Now friends with ${names.get(friend)}.`;
      return { userId: id, appId: 'friends', title, url: `/members/${friend}`, at: daytime(random, now) };
    });
}
