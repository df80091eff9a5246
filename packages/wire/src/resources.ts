/** The resources of the API document's §2, with its names. */

export interface Person {
  readonly id: string;
  readonly isOwner: boolean;
  readonly isViewer: boolean;
  /** Absent in API version 0.9.3. */
  readonly hasApp?: boolean;
  readonly displayName: string;
  /** Absolute URL, or `""` without a picture. */
  readonly thumbnailUrl: string;
  /** Absolute URL. */
  readonly profileUrl: string;
  /** `""` when unset or hidden, as every optional text. */
  readonly aboutMe?: string;
  /** Empty when unset or hidden. */
  readonly addresses?: readonly Address[];
  /** Whole years, or `""` when the viewer may not know. */
  readonly age?: number | '';
  /** `YYYY/MM/DD`; `0000/MM/DD` when the viewer may not know the age; `""` when unset or hidden. */
  readonly birthday?: string;
  /** One language code, for example `en`; `""` when unset or hidden. */
  readonly languagesSpoken?: string;
  /** `""` when private or unset. */
  readonly gender?: 'male' | 'female' | '';
}

export interface Address {
  readonly region: string;
  readonly formatted: string;
}

/** Person fields that come only when `fields` names them (§2 Person). */
export const optionalPersonFields = ['aboutMe', 'addresses', 'age', 'birthday', 'languagesSpoken', 'gender'] as const;
export type OptionalPersonField = (typeof optionalPersonFields)[number];

/** Returns the optional fields that a list names: all for `@all`, none for unknown names. */
export function optionalFieldsIn(names: readonly string[]): readonly OptionalPersonField[] {
  const named = new Set(names);
  return named.has('@all') ? optionalPersonFields : optionalPersonFields.filter((field) => named.has(field));
}

export interface Activity {
  readonly id: string;
  readonly userId: string;
  readonly title: string;
  /** `YYYY-MM-DDThh:mm:ss±hh:mm`, in the site's time zone. */
  readonly postedTime: string;
  /** An absolute URL of the site. A post takes one of at most 2,000 characters, or a path. */
  readonly url?: string;
}

export interface Album {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly mediaItemCount: number;
  readonly ownerId: string;
  readonly thumbnailUrl: string;
  readonly mediaType: 'IMAGE';
}

export interface MediaItem {
  readonly id: string;
  readonly albumId: string;
  readonly title: string;
  readonly description: string;
  /** `YYYY-MM-DD hh:mm:ss`, in the site's time zone. */
  readonly created: string;
  /** Same format as `created`. */
  readonly lastUpdated: string;
  /** Bytes, as decimal text. */
  readonly fileSize: string;
  readonly thumbnailUrl: string;
  readonly type: 'IMAGE';
  readonly url: string;
}

/** Key-value pairs of one member for one app: at most 1,000 keys and 102,400 bytes in all. */
export type AppData = Readonly<Record<string, string>>;

/** AppData of several members, by member id: the `entry` of an AppData read. */
export type AppDataByMember = Readonly<Record<string, AppData>>;
