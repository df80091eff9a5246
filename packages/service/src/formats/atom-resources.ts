import type { Activity, Album, AppDataByMember, MediaItem, Person, Topic } from '@gantry/wire';
import { restRoot } from '../paths.ts';
import type { Parts } from './parts.ts';
import type { ResultContext } from './result.ts';
import { appDataParts } from './xml.ts';

/** Mapping of one kind of resource to Atom entries and feeds. */
export interface AtomResource<T> {
  readonly feedTitle: string;
  /** Name of the element in `<content>`. */
  readonly element: string;
  /** Content of that element; default: an element for each member of the item. */
  content?(item: T): Parts;
  title(item: T): string;
  /** IRI that is the same for every viewer. */
  id(item: T, context: ResultContext): string;
  /** RFC 3339 time; absent for resources without one. */
  updated?(item: T, context: ResultContext): string;
}

const people: AtomResource<Person> = {
  feedTitle: 'People',
  element: 'person',
  title: (person) => person.displayName,
  id: (person) => `urn:guid:${person.id}`,
};

const activities: AtomResource<Activity> = {
  feedTitle: 'Activities',
  element: 'activity',
  title: (activity) => activity.title,
  id: ({ id, userId }, context) => restUrl(`activities/${userId}/@self/@app/${id}`, context),
  updated: (activity) => activity.postedTime,
};

const appData: AtomResource<AppDataByMember> = {
  feedTitle: 'AppData',
  element: 'appData',
  content: appDataParts,
  title: () => 'AppData',
  id: (_, { publicUrl, target }) => publicUrl + target.path,
};

const albums: AtomResource<Album> = {
  feedTitle: 'Albums',
  element: 'album',
  title: (album) => album.title,
  id: ({ id, ownerId }, context) => restUrl(`albums/${ownerId}/@self/${id}`, context),
};

const mediaItems: AtomResource<MediaItem> = {
  feedTitle: 'Media items',
  element: 'mediaItem',
  title: (item) => item.title,
  id: ({ id, albumId }, context) => restUrl(`mediaitems/${context.memberIds.join()}/@self/${albumId}/${id}`, context),
  updated: ({ lastUpdated }, { zonedTime }) => zonedTime.dateTime(zonedTime.instant(lastUpdated)),
};

/** Mapping of each topic; the topic determines the type of its items. */
export const atomResources: { readonly [T in Topic]: AtomResource<never> } = {
  people,
  activities,
  appData,
  albums,
  mediaItems,
};

function restUrl(path: string, { publicUrl }: ResultContext): string {
  return publicUrl + restRoot + path;
}
