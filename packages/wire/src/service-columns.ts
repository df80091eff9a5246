import type { ServiceColumns, ServiceColumnsOf } from './operations/operation.ts';
import { type OperationId, type OsapiName, operation, operationIds, type operations } from './operations.ts';

/** The rest of the operations table. A row without a column that it needs does not compile. */
export const serviceColumns = {
  'people.getAll': { summary: 'Everyone related to a member' },
  'people.getFriends': {
    summary: 'Friends of a member',
    result: 'list',
    validator: 'people',
    wide: 'of several members',
    filterBy: 'hasApp',
  },
  'people.getGroup': { summary: 'Members of a group' },
  'people.getPerson': { summary: 'A person, as a member sees them', result: 'entry or list', validator: 'people' },
  'people.getSelf': { summary: 'A member, or those of a list', result: 'entry or list', validator: 'people' },
  'people.getMe': { summary: 'The requestor', result: 'entry', validator: 'people' },
  'people.getSupportedFields': { summary: 'Fields of people that the site has' },
  'activities.getSelf': {
    summary: 'Activities of a member',
    result: 'list',
    validator: 'activities',
    wide: 'of several members',
  },
  'activities.getSelfByApp': {
    summary: 'Activities of a member through one app',
    result: 'list',
    validator: 'activities',
    wide: 'of several members',
  },
  'activities.getFriends': {
    summary: 'Activities of the friends of a member',
    result: 'list',
    validator: 'text',
    wide: 'of several members',
    isLong: true,
  },
  'activities.getFriendsByApp': {
    summary: 'Activities of the friends of a member through one app',
    result: 'list',
    validator: 'text',
    wide: 'of several members',
    isLong: true,
  },
  'activities.getGroup': { summary: 'Activities of a group' },
  'activities.getGroupByApp': { summary: 'Activities of a group through one app' },
  'activities.getOne': { summary: 'One activity' },
  'activities.getSupportedFields': { summary: 'Fields of activities that the site has' },
  'activities.create': { summary: 'Post an activity', result: 'entry', body: 'activity' },
  'appData.getSelf': {
    summary: 'AppData of a member',
    result: 'by member',
    validator: 'appData',
    wide: 'of several members',
  },
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
  'albums.get': {
    summary: 'Albums of a member, or of their friends',
    extension: 'albums',
    result: 'list',
    validator: 'albums',
    wide: 'of several members',
  },
  'albums.create': { summary: 'Make an album', extension: 'albums' },
  'albums.getOne': { summary: 'One album', extension: 'albums' },
  'albums.update': { summary: 'Change an album', extension: 'albums' },
  'albums.delete': { summary: 'Delete an album', extension: 'albums' },
  'mediaItems.get': {
    summary: 'Media items of an album',
    extension: 'albums',
    aliases: ['mediaitems.get'],
    result: 'list',
    validator: 'albums',
    wide: 'of several members',
  },
  'mediaItems.create': { summary: 'Add a media item', extension: 'albums' },
  'mediaItems.getOne': { summary: 'One media item', extension: 'albums' },
  'mediaItems.update': { summary: 'Change a media item', extension: 'albums' },
  'mediaItems.delete': { summary: 'Delete a media item', extension: 'albums' },
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
