import type { CallPermission, PermissionName } from './permissions.ts';

/** What each permission means for a member, as one sentence. `{host}` is the place that one is about. */
export type PermissionWords = Readonly<Record<CallPermission | 'storage' | 'host' | 'server', string>>;

/** In English, for the container and for the account's pages alike. */
export const permissionWords: PermissionWords = {
  people: 'See your name and picture, and those of your friends',
  'people.aboutMe': 'Read what you and your friends say about themselves',
  'people.addresses': 'See which region you and your friends live in',
  'people.age': 'See your age and that of your friends',
  'people.birthday': 'See your birthday and those of your friends',
  'people.languagesSpoken': 'See which language you and your friends speak',
  'people.gender': 'See your gender and that of your friends',
  activities: 'Read your stream and those of your friends',
  'activities.post': 'Post to your stream in your name',
  appdata: 'Read what it has saved for you, and for friends who use it',
  'appdata.write': 'Save things for you, which friends who use it can read there',
  albums: 'See your photo albums and those that friends share with you',
  'albums.write': 'Change your photo albums',
  storage: 'Keep data in this browser',
  host: 'Load pictures and scripts from {host}, which may learn what the app knows',
  server: 'It comes from its own server, {host}: what it learns can go there and anywhere else',
};

/** The sentence for one permission. A name that this version does not know stands for itself. */
export function sentenceFor(name: PermissionName, words: PermissionWords): string {
  const [, kind, host = ''] = /^(host|server):https?:\/\/(.*)$/.exec(name) ?? [];
  if (kind !== undefined) return words[kind as 'host' | 'server'].replaceAll('{host}', () => host);
  return Object.hasOwn(words, name) ? words[name as keyof PermissionWords] : name;
}
