/** The world file's records (contract §9) that the demo writes. */

export type Level = 'site' | 'friends' | 'private';

export interface World {
  readonly site: { readonly name: string };
  readonly members: readonly Member[];
  readonly friendships: readonly (readonly [string, string])[];
  readonly blocks: readonly (readonly [blocker: string, blocked: string])[];
  readonly apps: readonly App[];
  readonly installs: readonly Install[];
  readonly activities: readonly ActivityRecord[];
  readonly appData: readonly AppDataRecord[];
  readonly albums: readonly AlbumRecord[];
  readonly mediaItems: readonly MediaItemRecord[];
}

export interface Member {
  readonly id: string;
  readonly displayName: string;
  readonly thumbnailUrl: string;
  readonly aboutMe?: string;
  readonly region?: string;
  /** `YYYY/MM/DD`. */
  readonly birthday?: string;
  readonly gender?: 'male' | 'female';
  readonly language?: string;
  readonly visibility?: Readonly<Record<string, Level>>;
}

export interface App {
  readonly id: string;
  readonly title: string;
  readonly url: string;
}

export interface Install {
  readonly appId: string;
  readonly memberId: string;
  readonly visibility: Level;
}

export interface ActivityRecord {
  readonly id: string;
  readonly userId: string;
  readonly title: string;
  readonly url?: string;
  /** ISO 8601 with offset. */
  readonly postedTime: string;
  readonly appId: string;
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
  readonly description: string;
  readonly mediaType: 'IMAGE';
  readonly visibility: Level;
}

export interface MediaItemRecord {
  readonly id: string;
  readonly albumId: string;
  readonly title: string;
  readonly description: string;
  readonly type: 'IMAGE';
  /** `YYYY-MM-DD hh:mm:ss` in the site's time zone. */
  readonly created: string;
  readonly lastUpdated: string;
  readonly visibility: Level;
  /** Relative to the world file. */
  readonly file: string;
}
