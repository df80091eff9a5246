import type { OptionalPersonField } from '@gantry/wire';
import { maxAppDataKeys } from '../fields/app-data.ts';
import { mostUrlCharacters } from '../fields/text-bounds.ts';
import type { Settings } from '../settings.ts';
import type { Schema } from './document.ts';

export function schemaRef(name: keyof ReturnType<typeof resourceSchemas>): { readonly $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}

const text = (description: string): Schema => ({ type: 'string', description });
const matching = (pattern: string, description: string): Schema => ({ type: 'string', pattern, description });
const count = (description: string): Schema => ({ type: 'integer', minimum: 0, description });
const id = (description: string) => matching('^[A-Za-z0-9._:-]{1,64}$', description);
const token = (description: string) => matching('^[0-9a-f]{40}$', description);
const url = (description: string) =>
  matching('^(https?://.+)?$', `${description} Absolute, or empty if there is none.`);
const date = '\\d{4}-\\d{2}-\\d{2}';
const time = '\\d{2}:\\d{2}:\\d{2}';
const plainTime = (description: string) =>
  matching(`^${date} ${time}$`, `${description} \`YYYY-MM-DD hh:mm:ss\` in the site's time zone.`);

/** Returns an object schema with exactly these members; those in `optional` may be absent. */
function object(properties: Readonly<Record<string, Schema>>, optional: readonly string[] = []): Schema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, required, additionalProperties: false };
}

function entryOf(schema: Schema): Schema {
  return { ...object({ entry: schema }), xml: { name: 'response' } };
}

function listOf(items: Schema): Schema {
  const members = {
    entry: { type: 'array', items, description: 'The items of this page.' },
    startIndex: count('Index of the first item in the whole list.'),
    totalResults: count('Number of items in the whole list that the requestor may see.'),
    itemsPerPage: { type: 'integer', minimum: 1, maximum: 100, description: 'Size of a page.' },
  };
  return { ...object(members), xml: { name: 'response' } };
}

const appData: Schema = {
  type: 'object',
  propertyNames: { pattern: '^[A-Za-z0-9_.-]{1,128}$' },
  additionalProperties: { type: 'string' },
  examples: [{ best: '1200', level: '3' }],
};

const keyValues: Schema = { type: 'array', items: object({ key: text('A key.'), value: text('Its text.') }) };

const fixedSchemas = {
  Address: {
    description: 'Region where a member lives.',
    ...object({ region: text('Name of the region.'), formatted: text('The same, for display.') }),
  },
  Activity: {
    description: 'Post about what a member did, in their words.',
    ...object(
      {
        id: id('The id of the activity.'),
        userId: id('The member who posted it.'),
        title: { type: 'string', minLength: 1, description: 'The text.' },
        postedTime: matching(
          `^${date}T${time}[+-]\\d{2}:\\d{2}$`,
          "`YYYY-MM-DDThh:mm:ss±hh:mm`, in the site's time zone.",
        ),
        url: matching('^https?://.+$', 'A page of the site, if one was posted.'),
      },
      ['url'],
    ),
    examples: [
      { id: '1779278400000524284268', userId: '7', title: 'Set sail.', postedTime: '2026-05-20T12:00:00+00:00' },
    ],
  },
  NewActivity: {
    description: 'An activity to post. Other members are ignored.',
    type: 'object',
    properties: {
      title: {
        type: 'string',
        minLength: 1,
        maxLength: 1_000,
        pattern: '\\S',
        description: 'The text, stored unchanged.',
      },
      url: {
        type: 'string',
        maxLength: mostUrlCharacters,
        description: 'An address on the site, or a path that begins with exactly one `/`.',
      },
    },
    required: ['title'],
    xml: { name: 'activity' },
    examples: [{ title: 'Set sail.', url: '/trips/12' }],
  },
  AppData: {
    description:
      'Keys and texts of one member in one app, at most 102,400 bytes and 1,000 keys. Members keep more keys from before that bound.',
    ...appData,
  },
  NewAppData: {
    description: 'Keys and texts to save. Together with the stored ones at most 102,400 bytes and 1,000 keys.',
    ...appData,
    maxProperties: maxAppDataKeys,
    xml: { name: 'appdata' },
  },
  AppDataXml: { description: 'AppData to write, in XML.', ...object({ entry: keyValues }), xml: { name: 'appdata' } },
  Album: {
    description: 'An album of a member. Needs the album extension.',
    ...object({
      id: id('The id of the album.'),
      title: text('Its title.'),
      description: text('Its description.'),
      mediaItemCount: count('Number of items that the requestor may see.'),
      ownerId: id('The owner of the album.'),
      thumbnailUrl: url('Picture of the album, or of its first item.'),
      mediaType: { const: 'IMAGE', description: 'Type of its items.' },
    }),
    examples: [
      {
        id: '31',
        title: 'Harbour',
        description: 'Early mornings',
        mediaItemCount: 12,
        ownerId: '7',
        thumbnailUrl: 'https://social.example/gantry/media/Zk3vQ0n2T1uHcW8yXb5LdA',
        mediaType: 'IMAGE',
      },
    ],
  },
  MediaItem: {
    description: 'A picture in an album. Needs the album extension.',
    ...object({
      id: id('The id of the item.'),
      albumId: id('The album of the item.'),
      title: text('Its title.'),
      description: text('Its description.'),
      created: plainTime('Time of creation.'),
      lastUpdated: plainTime('Time of the last change.'),
      fileSize: matching('^\\d+$', 'Bytes, as decimal text.'),
      thumbnailUrl: url('A small picture of it.'),
      type: { const: 'IMAGE', description: 'Type of the item.' },
      url: url('The picture itself. It needs no signature and cannot be guessed.'),
    }),
  },
  PersonEntry: { description: 'One person.', ...entryOf(reference('Person')) },
  PersonList: { description: 'A page of people.', ...listOf(reference('Person')) },
  ActivityEntry: { description: 'One activity.', ...entryOf(reference('Activity')) },
  ActivityList: { description: 'A page of activities, the newest first.', ...listOf(reference('Activity')) },
  AppDataByMember: {
    description: 'AppData by the ids of the members.',
    ...object({ entry: { type: 'object', additionalProperties: reference('AppData') } }),
  },
  AppDataByMemberXml: {
    description: 'The same in XML: an `entry` for each member.',
    ...object({ entry: { type: 'array', items: object({ personId: id('The member.'), entry: keyValues }) } }),
    xml: { name: 'response' },
  },
  Done: { description: 'Empty result of a successful write.', ...entryOf(object({})) },
  AlbumList: { description: 'A page of albums.', ...listOf(reference('Album')) },
  MediaItemList: { description: 'A page of media items.', ...listOf(reference('MediaItem')) },
  AtomDocument: {
    description:
      'RFC 4287: an `entry` for a single result, a `feed` for a list. The data is in `<content type="application/xml">`, in the namespace `http://ns.opensocial.org/2008/opensocial`.',
    type: 'string',
    contentMediaType: 'application/atom+xml',
  },
  Error: {
    description: 'An error, and how to correct the request.',
    ...object({
      error: object({
        code: { type: 'integer', minimum: 400, maximum: 599, description: 'The status.' },
        message: text('Text for a developer. It may change; the code does not.'),
      }),
    }),
    xml: { name: 'response' },
    examples: [{ error: { code: 404, message: 'There is no such member.' } }],
  },
  IssuedToken: {
    description: 'A token and its secret, as a form.',
    ...object({
      oauth_callback_confirmed: { const: 'true' },
      oauth_token: token('The token.'),
      oauth_token_secret: token('The secret that signs with it.'),
    }),
  },
  TokenRefusal: {
    description: 'Reason for a refusal, as a form.',
    ...object({
      oauth_problem: matching('^[a-z_]+$', 'A stable word.'),
      oauth_problem_advice: text('Text for a developer.'),
    }),
  },
  RpcCall: {
    description: 'One call of JSON-RPC.',
    type: 'object',
    properties: {
      method: text('`system.listMethods` lists them.'),
      id: { type: ['string', 'number', 'null'], description: 'Repeated in the reply.' },
      params: { type: ['object', 'null'], description: 'Parameters by name; unknown ones are ignored.' },
    },
    required: ['method'],
    examples: [{ method: 'people.get', id: 1, params: { groupId: '@friends', count: 5 } }],
  },
  RpcReply: {
    description: 'The answer to one call: its id, and the result or an error.',
    ...object(
      {
        id: { type: ['string', 'number'], description: 'Id of the call, if it has one.' },
        data: { type: ['object', 'array'], description: 'The result, at `/social/rpc`.' },
        result: { type: ['object', 'array'], description: 'The result, at `/rpc`.' },
        error: object(
          {
            code: { type: 'integer', description: 'A status, -32601 or -32603.' },
            message: text('Text for a developer.'),
            data: {
              type: 'object',
              properties: { reason: text('A stable word.'), retryAfter: count('Seconds until a retry can succeed.') },
            },
          },
          ['data'],
        ),
      },
      ['id', 'data', 'result', 'error'],
    ),
    oneOf: [{ required: ['data'] }, { required: ['result'] }, { required: ['error'] }],
  },
} as const satisfies Record<string, Schema>;

/** Returns the schemas of resources, envelopes and bodies (§2, contract §2, §3, §8). */
export function resourceSchemas({ apiVersion }: Pick<Settings, 'apiVersion'>) {
  const hasApp = { hasApp: { type: 'boolean', description: 'True if the member has the app of the signing key.' } };
  const fixed = {
    id: id('The id of the member.'),
    isOwner: { type: 'boolean', description: 'Equals `isViewer` here; on a page, true for the owner of the page.' },
    isViewer: { type: 'boolean', description: 'True for the requestor.' },
    ...(apiVersion === '1.2' && hasApp),
    displayName: text('Name of the member.'),
    thumbnailUrl: url('Picture of the member.'),
    profileUrl: url('Page of the member.'),
  };
  const named = {
    aboutMe: text('Text of the member about themselves.'),
    addresses: {
      type: 'array',
      items: reference('Address'),
      xml: { wrapped: true },
      description: 'The region; empty if it is unset or hidden.',
    },
    age: {
      oneOf: [{ type: 'integer', minimum: 0 }, { const: '' }],
      description: 'Whole years; empty if unset or hidden.',
    },
    birthday: matching('^(\\d{4}/\\d{2}/\\d{2})?$', '`YYYY/MM/DD`; the year is `0000` if the age is hidden.'),
    languagesSpoken: text('A language code.'),
    gender: { enum: ['male', 'female', ''], description: 'Empty if unset or hidden.' },
  } as const satisfies Record<OptionalPersonField, Schema>;
  return {
    Person: {
      description: 'A member. Those that are not required are included only if `fields` names them.',
      ...object({ ...fixed, ...named }, Object.keys(named)),
      examples: [
        {
          id: '7',
          isOwner: false,
          isViewer: false,
          ...(apiVersion === '1.2' && { hasApp: true }),
          displayName: 'Ann',
          thumbnailUrl: 'https://social.example/faces/7.webp',
          profileUrl: 'https://social.example/members/7',
          age: 34,
        },
      ],
    },
    ...fixedSchemas,
  } as const satisfies Record<string, Schema>;
}

function reference(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}
