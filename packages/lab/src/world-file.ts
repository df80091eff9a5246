import type { RecordInput } from '@gantry/service';

export type Level = 'site' | 'friends' | 'private';

type Pair = readonly [string, string];

/** Record whose absent members are left out, never `undefined`. */
type Written<Fields> = { readonly [Name in keyof Fields]: Exclude<Fields[Name], undefined> };

/** Content of a world file (docs/world-file.md), as far as worlds made in code write it. */
export interface WorldFile {
  readonly site: { readonly name: string; readonly timeZone?: string };
  readonly members: readonly (MemberRecord | { readonly id: string; readonly deleted: true })[];
  readonly friendships?: readonly Pair[];
  /** The blocker first. */
  readonly blocks?: readonly Pair[];
  readonly apps?: readonly Written<RecordInput<'apps'>>[];
  readonly installs?: readonly InstallRecord[];
  readonly activities?: readonly ActivityRecord[];
  readonly appData?: readonly AppDataRecord[];
  readonly albums?: readonly AlbumRecord[];
  readonly mediaItems?: readonly MediaItemRecord[];
}

export type MemberRecord = Written<RecordInput<'members'>>;
export type InstallRecord = Written<RecordInput<'installs'>>;
export type ActivityRecord = Written<RecordInput<'activities'>>;
export type AppDataRecord = Written<RecordInput<'appData'>>;
export type AlbumRecord = Written<RecordInput<'albums'>>;
export type MediaItemRecord = Written<RecordInput<'mediaItems'>>;

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** Returns a moment as activities have it: `2026-05-01T09:30:00Z`. */
export function isoTime(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 19)}Z`;
}

/** Returns the birthday `YYYY/MM/DD` of someone who turns `age` on the day of `atMs` in UTC. */
export function birthdayOn(atMs: number, age: number): string {
  const day = new Date(atMs).toISOString().slice(0, 10);
  const year = Number(day.slice(0, 4)) - age;
  const isLeapDay = day.endsWith('-02-29') && !(year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0));
  return `${year}/${isLeapDay ? '02/28' : day.slice(5).replace('-', '/')}`;
}

/** Numbers activities in the order of time, so that ids grow with it. */
export function activitiesInOrder(
  posts: readonly (Omit<ActivityRecord, 'id' | 'postedTime'> & { readonly atMs: number })[],
): readonly ActivityRecord[] {
  return posts
    .toSorted((a, b) => a.atMs - b.atMs)
    .map(({ atMs, ...post }, index) => ({ id: String(index + 1), ...post, postedTime: isoTime(atMs) }));
}

/** Returns the address of a drawn picture, and of its thumbnail, which is the same drawing. */
export function pictureAddresses(name: string): { readonly url: string; readonly thumbnailUrl: string } {
  return { url: `/pictures/${name}.svg`, thumbnailUrl: `/pictures/${name}.svg` };
}
