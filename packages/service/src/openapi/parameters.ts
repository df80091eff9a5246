import { type OperationId, operation, optionalPersonFields, serviceColumnsOf } from '@gantry/wire';
import type { Parameter, Reference, Schema } from './document.ts';

const member: Schema = { type: 'string', examples: ['@me', '7'] };

function inPath(name: string, description: string, schema: Schema = { type: 'string' }): Parameter {
  return { name, in: 'path', required: true, description, schema };
}

function inQuery(name: string, description: string, schema: Schema = { type: 'string' }): Parameter {
  return { name, in: 'query', description, schema };
}

/** Every parameter of the API (contract §1, §2); path parameters are named as in the templates. */
export const parameters = {
  guid: inPath('guid', 'Id of a member, or `@me`. On a read also up to 100 of them with commas between.', member),
  groupid: inPath('groupid', 'Id of a group.'),
  pid: inPath('pid', 'Id of the person that is asked for. Also up to 100 of them with commas between.', member),
  appid: inPath('appid', '`@app`, or the id of the app that the key belongs to.', {
    type: 'string',
    examples: ['@app'],
  }),
  activityid: inPath('activityid', 'Id of an activity.'),
  albumId: inPath('albumId', 'Id of an album of that member.'),
  mediaItemId: inPath('mediaItemId', 'Id of a media item.'),
  format: inQuery('format', 'Format of the answer; errors of an Atom request are XML.', {
    enum: ['json', 'xml', 'atom'],
    default: 'json',
  }),
  personFields: inQuery(
    'fields',
    `Optional fields, with commas between: ${optionalPersonFields.join(', ')}, or \`@all\`.`,
    { type: 'string', examples: ['age,gender'] },
  ),
  keys: inQuery('fields', 'Keys, with commas between; `*` is every key. Without it, all of them.'),
  deletedKeys: inQuery('fields', 'Keys to delete, with commas between. Without it everything is deleted.'),
  count: inQuery('count', 'Size of the page, at most 100; 0 or less means the default of the site.', {
    type: 'integer',
    default: 20,
  }),
  startIndex: inQuery('startIndex', 'Place in the list from which to answer.', { type: 'integer', default: 0 }),
  friendsCount: inQuery(
    'count',
    'Friends of this page, at most 100. A page with fewer is the last. Without `count` and `startIndex`, all of them.',
    { type: 'integer' },
  ),
  friendsStart: inQuery('startIndex', 'Place among the friends who have AppData, in the order of their ids.', {
    type: 'integer',
    default: 0,
  }),
  filterBy: inQuery('filterBy', '`hasApp` leaves only those who have the app of the key.', { enum: ['hasApp'] }),
  xoauthRequestorId: inQuery(
    'xoauth_requestor_id',
    'On whose behalf: the id of a member. Signed, here or in the `Authorization` header.',
  ),
  oauthCallback: inQuery(
    'oauth_callback',
    'Where the member comes back to: an absolute http or https URL, which keeps its own query, or `oob` for nowhere. Signed, with the other parameters of OAuth.',
    { type: 'string', default: 'oob', examples: ['https://printer.example/back?order=7'] },
  ),
  oauthVerifier: {
    ...inQuery(
      'oauth_verifier',
      'What the member brought back, or copied. Signed, with the other parameters of OAuth.',
    ),
    required: true,
  },
  ifNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'An `ETag` of an earlier answer: 304 if it would be the same again.',
    schema: { type: 'string' },
  },
  idempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'A name of your own for this post. Under the same one it is made once: a repeat within 72 hours is answered with the activity that was made, and another title or url is a 409.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
  },
} as const satisfies Record<string, Parameter>;

export function parametersOf(id: OperationId, path: string): readonly Reference[] {
  const { method, topic, status, isIdempotent } = operation(id);
  const { result, filterBy } = serviceColumnsOf(id);
  const names = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name as keyof typeof parameters);
  if (status === 'works') {
    names.push('format');
    if (topic === 'people') names.push('personFields');
    if (topic === 'appData' && method === 'GET') names.push('keys');
    if (method === 'DELETE') names.push('deletedKeys');
    if (result?.includes('list')) names.push('count', 'startIndex');
    if (result === 'by member' && path.includes('/@friends/')) names.push('friendsCount', 'friendsStart');
    if (filterBy) names.push('filterBy');
    if (method === 'GET') names.push('ifNoneMatch');
    if (isIdempotent === false) names.push('idempotencyKey');
  }
  return [...names, 'xoauthRequestorId' as const].map((name) => ({ $ref: `#/components/parameters/${name}` }));
}
