export type Level = 'site' | 'friends' | 'private';

type Pair = readonly [string, string];

/** Content of a world file (docs/world-file.md), as far as worlds made in code write it. */
export interface WorldFile {
  readonly site: { readonly name: string; readonly timeZone?: string };
  readonly members: readonly (MemberRecord | { readonly id: string; readonly deleted: true })[];
  readonly friendships?: readonly Pair[];
  /** The blocker first. */
  readonly blocks?: readonly Pair[];
  readonly apps?: readonly { readonly id: string; readonly title: string; readonly url?: string }[];
  readonly installs?: readonly InstallRecord[];
  readonly activities?: readonly ActivityRecord[];
  readonly appData?: readonly AppDataRecord[];
  readonly albums?: readonly AlbumRecord[];
  readonly mediaItems?: readonly MediaItemRecord[];
}

export interface MemberRecord {
  readonly id: string;
  readonly displayName: string;
  readonly thumbnailUrl?: string;
  readonly aboutMe?: string;
  readonly region?: string;
  /** `YYYY/MM/DD`. */
  readonly birthday?: string;
  readonly gender?: 'female' | 'male';
  readonly language?: string;
  readonly visibility?: { readonly [field: string]: Level };
}

export interface InstallRecord {
  readonly appId: string;
  readonly memberId: string;
  readonly visibility?: Level;
}

export interface ActivityRecord {
  readonly id: string;
  readonly userId: string;
  readonly title: string;
  readonly url?: string;
  /** ISO 8601 with its offset. */
  readonly postedTime: string;
  readonly appId?: string;
}

export interface AppDataRecord {
  readonly appId: string;
  readonly memberId: string;
  readonly data: Readonly<Record<string, string>>;
}

export interface AlbumRecord {
  readonly id: string;
  readonly ownerId: string;
  readonly title: string;
  readonly description?: string;
  readonly mediaType?: 'IMAGE';
  readonly visibility?: Level;
}

export interface MediaItemRecord {
  readonly id: string;
  readonly albumId: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: 'IMAGE';
  /** ISO 8601 with its offset, or `YYYY-MM-DD hh:mm:ss` in the zone of the site. */
  readonly created?: string;
  readonly lastUpdated?: string;
  readonly visibility?: Level;
  readonly url?: string;
  readonly thumbnailUrl?: string;
  /** Path of the picture, relative to the world file. In place of `url`. */
  readonly file?: string;
}

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
