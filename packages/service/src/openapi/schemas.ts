import { maxAppDataKeys } from '../app-data-fields.ts';
import type { Settings } from '../settings.ts';
import { mostUrlCharacters } from '../text-bounds.ts';
import type { Schema } from './document.ts';

export type SchemaName = keyof ReturnType<typeof resourceSchemas>;

export function schemaRef(name: SchemaName): { readonly $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}

const id = (description: string): Schema => ({ type: 'string', pattern: '^[A-Za-z0-9._:-]{1,64}$', description });
const text = (description: string): Schema => ({ type: 'string', description });
const count = (description: string): Schema => ({ type: 'integer', minimum: 0, description });
const url = (description: string): Schema => ({
  type: 'string',
  pattern: '^(https?://.+)?$',
  description: `${description} Absolute, or empty where there is none.`,
});
const plainTime = (description: string): Schema => ({
  type: 'string',
  pattern: '^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$',
  description: `${description} \`YYYY-MM-DD hh:mm:ss\` in the site's time zone.`,
});

/** An object with exactly these members; those in `optional` may be absent. */
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
    startIndex: count('Place of the first of them in the whole list.'),
    totalResults: count('Items of the whole list, as far as the requestor may see them.'),
    itemsPerPage: { type: 'integer', minimum: 1, maximum: 100, description: 'Size of a page.' },
  };
  return { ...object(members), xml: { name: 'response' } };
}

/** Schemas of the resources, their envelopes and the bodies (§2, contract §2, §3, §8). */
export function resourceSchemas({ apiVersion }: Pick<Settings, 'apiVersion'>) {
  const hasApp = { hasApp: { type: 'boolean', description: 'Whether the member has the app of the key that signed.' } };
  const fixed = {
    id: id('The id of the member.'),
    isOwner: { type: 'boolean', description: 'The same as `isViewer` here; an app on a page learns whose page it is.' },
    isViewer: { type: 'boolean', description: 'Whether this is the requestor.' },
    ...(apiVersion === '1.2' && hasApp),
    displayName: text('The name that the member goes by.'),
    thumbnailUrl: url('Picture of the member.'),
    profileUrl: url('Page of the member.'),
  };
  const named = {
    aboutMe: text('What the member says about themselves.'),
    addresses: {
      type: 'array',
      items: reference('Address'),
      xml: { wrapped: true },
      description: 'The region; empty where it is unset or hidden.',
    },
    age: {
      oneOf: [{ type: 'integer', minimum: 0 }, { const: '' }],
      description: 'Whole years; empty where it is hidden.',
    },
    birthday: {
      type: 'string',
      pattern: '^(\\d{4}/\\d{2}/\\d{2})?$',
      description: '`YYYY/MM/DD`; the year is `0000` where the age is hidden.',
    },
    languagesSpoken: text('A language code.'),
    gender: { enum: ['male', 'female', ''], description: 'Empty where it is unset or hidden.' },
  };
  return {
    Person: {
      description: 'A member. The last six fields come only where `fields` names them.',
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
    Address: {
      description: 'Where a member lives, by region.',
      ...object({ region: text('Name of the region.'), formatted: text('The same, as it is shown.') }),
    },
    Activity: {
      description: 'What a member did, in their words.',
      ...object(
        {
          id: id('The id of the activity.'),
          userId: id('Who posted it.'),
          title: { type: 'string', minLength: 1, description: 'The text.' },
          postedTime: {
            type: 'string',
            pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}[+-]\\d{2}:\\d{2}$',
            description: "`YYYY-MM-DDThh:mm:ss±hh:mm`, in the site's time zone.",
          },
          url: { type: 'string', pattern: '^https?://.+$', description: 'A page of the site, where one was posted.' },
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
        'Keys and texts of one member in one app, together at most 102,400 bytes and 1,000 keys. Who had more before that was bounded keeps them.',
      ...appData,
    },
    NewAppData: {
      description: 'Keys and texts to save. With what is there they are at most 102,400 bytes and 1,000 keys.',
      ...appData,
      maxProperties: maxAppDataKeys,
      xml: { name: 'appdata' },
    },
    AppDataXml: {
      description: 'AppData to write, as it is in XML.',
      ...object({ entry: keyValues }),
      xml: { name: 'appdata' },
    },
    Album: {
      description: 'An album of a member. Needs the album extension.',
      ...object({
        id: id('The id of the album.'),
        title: text('Its title.'),
        description: text('What it shows.'),
        mediaItemCount: count('Items that the requestor may see.'),
        ownerId: id('Whose album it is.'),
        thumbnailUrl: url('Picture of the album, or of its first item.'),
        mediaType: { const: 'IMAGE', description: 'What it holds.' },
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
        albumId: id('The album that it is in.'),
        title: text('Its title.'),
        description: text('What it shows.'),
        created: plainTime('When it was made.'),
        lastUpdated: plainTime('When it was changed.'),
        fileSize: { type: 'string', pattern: '^\\d+$', description: 'Bytes, as decimal text.' },
        thumbnailUrl: url('A small picture of it.'),
        type: { const: 'IMAGE', description: 'What it is.' },
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
    Done: { description: 'It is done, and there is nothing to say.', ...entryOf(object({})) },
    AlbumList: { description: 'A page of albums.', ...listOf(reference('Album')) },
    MediaItemList: { description: 'A page of media items.', ...listOf(reference('MediaItem')) },
    AtomDocument: {
      description:
        'RFC 4287: an `entry` for a single result, a `feed` for a list. The data is in `<content type="application/xml">`, in the namespace `http://ns.opensocial.org/2008/opensocial`.',
      type: 'string',
      contentMediaType: 'application/atom+xml',
    },
    Error: {
      description: 'What went wrong, and what would be right.',
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
        oauth_token: { type: 'string', pattern: '^[0-9a-f]{40}$', description: 'The token.' },
        oauth_token_secret: { type: 'string', pattern: '^[0-9a-f]{40}$', description: 'What signs with it.' },
      }),
    },
    TokenRefusal: {
      description: 'Why there is no token, as a form.',
      ...object({
        oauth_problem: { type: 'string', pattern: '^[a-z_]+$', description: 'A stable word.' },
        oauth_problem_advice: text('Text for a developer.'),
      }),
    },
    RpcCall: {
      description: 'One call of JSON-RPC.',
      type: 'object',
      properties: {
        method: text('`system.listMethods` names those that there are.'),
        id: { type: ['string', 'number', 'null'], description: 'Comes back with the answer.' },
        params: { type: ['object', 'null'], description: 'By name. Those that a method does not have are ignored.' },
      },
      required: ['method'],
      examples: [{ method: 'people.get', id: 1, params: { groupId: '@friends', count: 5 } }],
    },
    RpcReply: {
      description: 'The answer to one call: its id, and the result or an error.',
      ...object(
        {
          id: { type: ['string', 'number'], description: 'That of the call, where it has one.' },
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
}

const appData: Schema = {
  type: 'object',
  propertyNames: { pattern: '^[A-Za-z0-9_.-]{1,128}$' },
  additionalProperties: { type: 'string' },
  examples: [{ best: '1200', level: '3' }],
};

const keyValues: Schema = { type: 'array', items: object({ key: text('A key.'), value: text('Its text.') }) };

function reference(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}
