import { optionalText } from '../read-params.ts';
import { memberId, paging, personFields, userIds } from './call-params.ts';
import { profiles, type RequestMakers, type Rows } from './operation.ts';

const people = { method: 'GET', osapi: 'people.get', topic: 'people', permission: 'people' } as const;
const works = { ...people, status: 'works', cache: profiles } as const;
const unimplemented = { ...people, status: 'unimplemented' } as const;

export const peopleRows = {
  'people.getAll': { ...unimplemented, path: '/people/{guid}/@all' },
  'people.getFriends': { ...works, path: '/people/{guid}/@friends' },
  'people.getGroup': { ...unimplemented, path: '/people/{guid}/{groupid}' },
  'people.getPerson': { ...works, path: '/people/{guid}/@all/{pid}' },
  'people.getSelf': { ...works, path: '/people/{guid}/@self' },
  'people.getMe': { ...works, path: '/people/@me/@self' },
  'people.getSupportedFields': {
    ...unimplemented,
    path: '/people/@supportedFields',
    osapi: 'people.getSupportedFields',
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
