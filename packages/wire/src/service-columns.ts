import type { ServiceColumns, ServiceColumnsOf } from './operations/operation.ts';
import { type OperationId, type OsapiName, operation, operationIds, type operations } from './operations.ts';

const severalMembers = { result: 'list', wide: 'of several members' } as const;
const posts = { ...severalMembers, validator: 'activities' } as const;
const stream = { ...severalMembers, validator: 'text', isLong: true } as const;
const albums = { extension: 'albums' } as const;
const items = { ...albums, ...severalMembers, validator: 'albums' } as const;

/** The rest of the operations table. A row without a column that it needs does not compile. */
export const serviceColumns = {
  'people.getAll': { summary: 'Everyone related to a member' },
  'people.getFriends': { ...severalMembers, summary: 'Friends of a member', validator: 'people', filterBy: 'hasApp' },
  'people.getGroup': { summary: 'Members of a group' },
  'people.getPerson': { summary: 'A person, as a member sees them', result: 'entry or list', validator: 'people' },
  'people.getSelf': { summary: 'A member, or those of a list', result: 'entry or list', validator: 'people' },
  'people.getMe': { summary: 'The requestor', result: 'entry', validator: 'people' },
  'people.getSupportedFields': { summary: 'Fields of people that the site has' },
  'activities.getSelf': { ...posts, summary: 'Activities of a member' },
  'activities.getSelfByApp': { ...posts, summary: 'Activities of a member through one app' },
  'activities.getFriends': { ...stream, summary: 'Activities of the friends of a member' },
  'activities.getFriendsByApp': { ...stream, summary: 'Activities of the friends of a member through one app' },
  'activities.getGroup': { summary: 'Activities of a group' },
  'activities.getGroupByApp': { summary: 'Activities of a group through one app' },
  'activities.getOne': { summary: 'One activity' },
  'activities.getSupportedFields': { summary: 'Fields of activities that the site has' },
  'activities.create': { summary: 'Post an activity', result: 'entry', body: 'activity' },
  'appData.getSelf': { ...severalMembers, summary: 'AppData of a member', result: 'by member', validator: 'appData' },
  'appData.update': {
    summary: 'Save AppData of the requestor',
    aliases: ['appdata.create'],
    result: 'done',
    body: 'appData',
  },
  'appData.delete': { summary: 'Delete AppData of the requestor', result: 'done' },
  'appData.getFriends': {
    summary: 'AppData of the friends of a member',
    result: 'by member',
    validator: 'text',
    wide: 'always',
  },
  'albums.get': { ...items, summary: 'Albums of a member, or of their friends' },
  'albums.create': { ...albums, summary: 'Make an album' },
  'albums.getOne': { ...albums, summary: 'One album' },
  'albums.update': { ...albums, summary: 'Change an album' },
  'albums.delete': { ...albums, summary: 'Delete an album' },
  'mediaItems.get': { ...items, summary: 'Media items of an album', aliases: ['mediaitems.get'] },
  'mediaItems.create': { ...albums, summary: 'Add a media item' },
  'mediaItems.getOne': { ...albums, summary: 'One media item' },
  'mediaItems.update': { ...albums, summary: 'Change a media item' },
  'mediaItems.delete': { ...albums, summary: 'Delete a media item' },
} as const satisfies { readonly [Id in OperationId]: ServiceColumnsOf<(typeof operations)[Id]> };

export type OsapiAlias = Extract<
  (typeof serviceColumns)[OperationId],
  { readonly aliases: readonly string[] }
>['aliases'][number];

/** Names of calls, by their aliases. */
export const callAliases: ReadonlyMap<string, OsapiName> = new Map(
  operationIds.flatMap((id) => {
    const { aliases = [] } = serviceColumnsOf(id);
    return aliases.map((alias) => [alias, operation(id).osapi as OsapiName] as const);
  }),
);

/** Returns the service columns of a row, with optional ones visible to the type checker. */
export function serviceColumnsOf(id: OperationId): ServiceColumns {
  return serviceColumns[id];
}

/** True for a read that can cost the most, by its comma-separated `members`. */
export function isWide(id: OperationId, members: string | undefined): boolean {
  const { wide } = serviceColumnsOf(id);
  return wide === 'always' || (wide !== undefined && members?.includes(',') === true);
}
