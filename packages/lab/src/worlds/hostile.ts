import {
  type ActivityRecord,
  activitiesInOrder,
  hourMs,
  isoTime,
  minuteMs,
  pictureAddresses,
  type WorldFile,
} from '../world-file.ts';
import { changingZone, latestClockChanges } from './daylight-saving.ts';
import { oddMembers } from './hostile-members.ts';
import { personasOf } from './personas.ts';
import type { Oddity, World, WorldOptions } from './world.ts';

/** Limits of a member's AppData in one app: bytes of keys and values, and keys. */
const appDataBytes = 102_400;
const appDataKeys = 1_000;

/** Data that break gadgets on real sites: `hostile/rtl-name` is about the member `rtl-name`. */
export function hostile({ now = Date.now, apps = [] }: WorldOptions = {}): World {
  const nowMs = now();
  const odd = oddMembers(nowMs);
  const friends = [...odd.map(({ id }) => id), 'full-appdata', 'many-keys', 'blocked', 'blocks'];
  const file: WorldFile = {
    site: { name: 'Hostile', timeZone: changingZone },
    members: [
      { id: 'left', deleted: true },
      { id: 'm-1', displayName: 'Ada Lovell', thumbnailUrl: '/avatars/2.svg', birthday: '1990/06/01' },
      ...odd.map(({ what: _, ...member }) => member),
      { id: 'full-appdata', displayName: 'Fay Full', thumbnailUrl: '/avatars/3.svg' },
      { id: 'many-keys', displayName: 'Ken Keys', thumbnailUrl: '/avatars/4.svg' },
      { id: 'blocked', displayName: 'Blocked By Ada', thumbnailUrl: '/avatars/5.svg' },
      { id: 'blocks', displayName: 'Blocks Ada', thumbnailUrl: '/avatars/6.svg' },
    ],
    friendships: friends.map((id) => ['m-1', id] as const),
    blocks: [
      ['m-1', 'blocked'],
      ['blocks', 'm-1'],
    ],
    apps: apps.map((id) => ({ id, title: id })),
    installs: apps.flatMap((appId) => friends.map((memberId) => ({ appId, memberId }))),
    activities: activities(
      nowMs,
      odd.map(({ id }) => id),
    ),
    appData: apps.flatMap((appId) => [
      { appId, memberId: 'full-appdata', data: { filler: 'x'.repeat(appDataBytes - 'filler'.length) } },
      {
        appId,
        memberId: 'many-keys',
        data: Object.fromEntries(Array.from({ length: appDataKeys }, (_, key) => [`key.${key + 1}`, ''])),
      },
    ]),
    ...albums(nowMs),
  };
  return {
    name: 'hostile',
    file,
    folder: '.',
    personas: personasOf(file, ['m-1', 'full-appdata', 'long-name', 'rtl-name', 'longest']),
    oddities: [...odd.map(({ id, what }) => ({ id: `hostile/${id}`, what, member: id })), ...otherOddities],
  };
}

const otherOddities: readonly Oddity[] = [
  {
    id: 'hostile/full-appdata',
    what: 'AppData of exactly 102,400 bytes: every further key is refused.',
    member: 'full-appdata',
  },
  {
    id: 'hostile/many-keys',
    what: 'AppData of 1,000 keys with empty texts: no other key can be added.',
    member: 'many-keys',
  },
  { id: 'hostile/blocked', what: 'A friend whom the first persona blocked.', member: 'blocked' },
  { id: 'hostile/blocks', what: 'A friend who blocked the first persona.', member: 'blocks' },
  { id: 'hostile/left', what: 'A friend who left the site: an activity still names `/members/left`.', member: 'left' },
  { id: 'hostile/missing-hour', what: 'Activities around the hour that is missing in spring, and a picture in it.' },
  { id: 'hostile/doubled-hour', what: 'Two activities an hour apart with the same clock time, in autumn.' },
  { id: 'hostile/future', what: 'An activity of a clock that is an hour ahead: it lies in the future.' },
  { id: 'hostile/html-texts', what: 'HTML in activities, titles and descriptions.' },
  { id: 'hostile/longest-activity', what: 'An activity of 4,000 bytes without a space, the most that sites store.' },
  { id: 'hostile/empty-album', what: 'An album without pictures and without a thumbnail.' },
  {
    id: 'hostile/dead-item',
    what: 'An album with a picture that is answered with 404, and one on a host that frames may not load from.',
  },
];

function activities(nowMs: number, ids: readonly string[]): readonly ActivityRecord[] {
  const { forwardMs, backMs } = latestClockChanges(nowMs);
  const ago = (minutes: number) => nowMs - minutes * minuteMs;
  return activitiesInOrder([
    { userId: 'm-1', title: 'posted before the hour that is missing', atMs: forwardMs - 1_000 },
    { userId: 'm-1', title: 'posted after the hour that is missing', atMs: forwardMs },
    { userId: 'm-1', title: 'posted at half past two', atMs: backMs - hourMs / 2 },
    { userId: 'm-1', title: 'posted at half past two once more', atMs: backMs + hourMs / 2 },
    { userId: 'one-letter', title: 'posted by a clock that is ahead', atMs: nowMs + hourMs },
    { userId: 'html-name', title: '<script>alert(1)</script><i>leans</i> &amp; ]]> --> {{x}}', atMs: ago(2) },
    { userId: 'same-name-1', title: 'Now friends with somebody who left.', url: '/members/left', atMs: ago(3) },
    { userId: 'longest', title: 'W'.repeat(4_000), url: `/${'u'.repeat(1_999)}`, atMs: ago(4) },
    { userId: 'rtl-name', title: 'نشر صورة جديدة (photo 3 of 12) 🎉 on the quay', atMs: ago(5) },
    { userId: 'combining', title: 'Z\u0338\u031B\u034E\u0347a\u0337\u0353\u035D\n\nand\nlines', atMs: ago(6) },
    ...ids.map((userId, index) => ({ userId, title: 'is here', atMs: ago(30 + 7 * index) })),
  ]);
}

function albums(nowMs: number): Pick<WorldFile, 'albums' | 'mediaItems'> {
  const { forwardMs } = latestClockChanges(nowMs);
  const missing = `${new Date(forwardMs).toISOString().slice(0, 10)} 02:30:00`;
  const created = isoTime(nowMs - hourMs);
  const gone = { url: '/pictures/gone.svg', thumbnailUrl: '/pictures/gone.svg' };
  const foreign = { url: 'https://pictures.invalid/a.jpg', thumbnailUrl: 'https://pictures.invalid/a.jpg' };
  return {
    albums: [
      {
        id: 'odd',
        ownerId: 'm-1',
        title: '<b>Odd</b> pictures & others',
        description: '<img src=x onerror="alert(1)">',
      },
      { id: 'empty', ownerId: 'm-1', title: '' },
      { id: 'longest', ownerId: 'm-1', title: 'T'.repeat(4_000), description: 'word '.repeat(8_000) },
      { id: 'rtl', ownerId: 'm-1', title: 'صور من الميناء 🎉', description: 'الصيف' },
    ],
    mediaItems: [
      { id: 'dead', albumId: 'odd', title: 'Gone', ...gone },
      { id: 'foreign', albumId: 'odd', title: 'Elsewhere', ...foreign },
      { id: 'wide', albumId: 'odd', title: 'Wide', ...pictureAddresses('wide-4000x90') },
      { id: 'tall', albumId: 'odd', title: '', ...pictureAddresses('tall-90x4000') },
      { id: 'night', albumId: 'odd', title: 'Half past two, which there was not', created: missing },
      { id: 'long', albumId: 'longest', title: 'T'.repeat(4_000), description: 'D'.repeat(40_000) },
      { id: 'rtl', albumId: 'rtl', title: 'الميناء' },
    ].map((item) => ({ created, ...pictureAddresses(item.id), ...item })),
  };
}
