import { optionalText } from '../read-params.ts';
import { memberId, paging, personFields, userIds } from './call-params.ts';
import { profiles, type RequestMakers, type Rows } from './operation.ts';

const people = { method: 'GET', osapi: 'people.get', topic: 'people', permission: 'people' } as const;
const works = { ...people, status: 'works', cache: profiles, validator: 'people' } as const;
const unimplemented = { ...people, status: 'unimplemented' } as const;

export const peopleRows = {
  'people.getAll': { ...unimplemented, path: '/people/{guid}/@all', summary: 'Everyone related to a member' },
  'people.getFriends': {
    ...works,
    path: '/people/{guid}/@friends',
    summary: 'Friends of a member',
    result: 'list',
    wide: 'of several members',
    filterBy: 'hasApp',
  },
  'people.getGroup': { ...unimplemented, path: '/people/{guid}/{groupid}', summary: 'Members of a group' },
  'people.getPerson': {
    ...works,
    path: '/people/{guid}/@all/{pid}',
    summary: 'A person, as a member sees them',
    result: 'entry or list',
  },
  'people.getSelf': {
    ...works,
    path: '/people/{guid}/@self',
    summary: 'A member, or those of a list',
    result: 'entry or list',
  },
  'people.getMe': { ...works, path: '/people/@me/@self', summary: 'The requestor', result: 'entry' },
  'people.getSupportedFields': {
    ...unimplemented,
    path: '/people/@supportedFields',
    osapi: 'people.getSupportedFields',
    summary: 'Fields of people that the site has',
  },
} as const satisfies Rows;

export const peopleCalls = {
  'people.get': (params, asker) => {
    const person = optionalText(params, 'personId');
    const group = optionalText(params, 'groupId') ?? (person === undefined ? '@self' : '@all');
    const segments = ['people', userIds(params, asker), group];
    if (person !== undefined && group === '@all') segments.push(memberId(person, asker));
    const filterBy = optionalText(params, 'filterBy');
    const query = [...personFields(params), ...paging(params)];
    if (filterBy !== undefined) query.push(['filterBy', filterBy]);
    return { method: 'GET', segments, query };
  },
} satisfies RequestMakers;
