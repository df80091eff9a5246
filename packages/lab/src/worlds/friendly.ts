import { titles } from '../generate/activities.ts';
import { albumTitles } from '../generate/belongings.ts';
import { memberRecord } from '../generate/members.ts';
import { createDraw } from '../generate/random.ts';
import {
  type ActivityRecord,
  type AlbumRecord,
  activitiesInOrder,
  birthdayOn,
  dayMs,
  hourMs,
  isoTime,
  type MediaItemRecord,
  type MemberRecord,
  minuteMs,
  pictureAddresses,
  type WorldFile,
} from '../world-file.ts';
import { personasOf } from './personas.ts';
import type { World, WorldOptions } from './world.ts';

const size = 40;
const friendsOfFirst = 24;

/** Members with fixed names, which the docs use. */
const named: Readonly<Record<string, Pick<MemberRecord, 'displayName' | 'aboutMe' | 'gender'>>> = {
  'm-1': { displayName: 'Ada Lovell', aboutMe: 'Counts boats from the kitchen window.', gender: 'female' },
  'm-2': { displayName: 'Bo Sand', aboutMe: 'Here since Tuesday.', gender: 'male' },
  'm-3': { displayName: 'Cy Marsh', gender: 'male' },
  'm-4': { displayName: 'Di Vale', aboutMe: 'Knows other people.', gender: 'female' },
};

/** Days from now until the birthdays of the first friends, and how old they turn. */
const birthdays = [
  ['m-2', 0, 30],
  ['m-3', 1, 41],
  ['m-5', 3, 25],
  ['m-6', 9, 67],
  ['m-7', -1, 19],
] as const;

/** Forty members: a persona with much of everything, one with little, a friend of neither. */
export function friendly({ now = Date.now, apps = [] }: WorldOptions = {}): World {
  const nowMs = now();
  const ids = Array.from({ length: size }, (_, index) => `m-${index + 1}`);
  const file: WorldFile = {
    site: { name: 'Friendly' },
    members: members(ids, nowMs),
    friendships: friendships(ids),
    apps: apps.map((id) => ({ id, title: id })),
    installs: apps.flatMap((appId) =>
      ids.filter((_, index) => index >= 4 && index % 3 === 0).map((memberId) => ({ appId, memberId })),
    ),
    activities: activities(ids, nowMs),
    ...albums(nowMs),
  };
  return { name: 'friendly', file, folder: '.', personas: personasOf(file, ['m-1', 'm-2', 'm-4']) };
}

function members(ids: readonly string[], nowMs: number): readonly MemberRecord[] {
  const records = manyRecords();
  const near = new Map(birthdays.map(([id, days, age]) => [id as string, birthdayOn(nowMs + days * dayMs, age)]));
  return ids.map((id) => {
    const birthday = near.get(id);
    const { visibility, ...record } = { ...(records.next().value as MemberRecord), id };
    const isOpen = near.has(id) || id in named;
    return { ...record, ...named[id], ...(birthday && { birthday }), ...(visibility && !isOpen && { visibility }) };
  });
}

/** Members with names that need no East Asian fonts: screenshots must not show boxes. */
function* manyRecords(): Generator<MemberRecord> {
  const draw = createDraw(40);
  for (let subject = 0; ; subject++) {
    const record = memberRecord(draw, String(subject), subject);
    if (!/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]/u.test(record.displayName)) yield record;
  }
}

function friendships(ids: readonly string[]): readonly (readonly [string, string])[] {
  const ofFirst = ids.filter((id) => id !== 'm-1' && id !== 'm-4').slice(0, friendsOfFirst);
  const others = ids.slice(4);
  return [
    ...ofFirst.map((id) => ['m-1', id] as const),
    ['m-2', 'm-3'],
    ['m-4', ids.at(-1) as string],
    ['m-4', ids.at(-2) as string],
    ...others.slice(1).map((id, index) => [others[index] as string, id] as const),
  ];
}

/** Posts of the last days, several today, by every member but the persona with little. */
function activities(ids: readonly string[], nowMs: number): readonly ActivityRecord[] {
  const authors = ids.filter((id) => id !== 'm-2');
  const posts = Array.from({ length: 60 }, (_, turn) => ({
    userId: authors[(turn * 7) % authors.length] as string,
    title: titles[(turn * 5) % titles.length] as string,
    atMs: nowMs - 4 * minuteMs - Math.floor(turn ** 1.7) * 9 * minuteMs,
  }));
  return activitiesInOrder([...posts, { userId: 'm-2', title: 'has joined', atMs: nowMs - 3 * dayMs }]);
}

const albumsOf = [
  ['m-1', [8, 5, 3]],
  ['m-3', [6]],
  ['m-6', [4, 2]],
  ['m-4', [3]],
] as const;

function albums(nowMs: number): Pick<WorldFile, 'albums' | 'mediaItems'> {
  const made: AlbumRecord[] = [];
  const mediaItems: MediaItemRecord[] = [];
  for (const [ownerId, sizes] of albumsOf) {
    for (const [index, pictures] of sizes.entries()) {
      const id = `${ownerId}-${index + 1}`;
      const title = albumTitles[made.length % albumTitles.length] as string;
      made.push({ id, ownerId, title, description: `Pictures of ${title.toLowerCase()}.` });
      for (let item = 1; item <= pictures; item++) {
        const picture = { id: `${id}-${item}`, albumId: id, title: `${title}, ${item}` };
        const created = isoTime(nowMs - made.length * dayMs - item * hourMs);
        mediaItems.push({ ...picture, created, ...pictureAddresses(picture.id) });
      }
    }
  }
  return { albums: made, mediaItems };
}
