import type { ActivityRecord, AlbumRecord, InstallRecord, MediaItemRecord, MemberRecord, WorldFile } from '@gantry/lab';

export type { AppDataRecord, Level } from '@gantry/lab';

/** A world file with every list, and with the members of records that the demo's pages need. */
export type World = Required<Omit<WorldFile, 'members' | 'installs' | 'activities' | 'albums' | 'mediaItems'>> & {
  readonly members: readonly Member[];
  readonly installs: readonly Install[];
  readonly activities: readonly Activity[];
  readonly albums: readonly Album[];
  readonly mediaItems: readonly MediaItem[];
};

type With<Fields, Name extends keyof Fields> = Fields & Required<Pick<Fields, Name>>;

export type Member = With<MemberRecord, 'thumbnailUrl'>;
export type Install = With<InstallRecord, 'visibility'>;
export type Activity = With<ActivityRecord, 'appId'>;
export type Album = With<AlbumRecord, 'visibility'>;
export type MediaItem = With<MediaItemRecord, 'created' | 'file'>;
