import type { Settings } from '../settings.ts';
import type { OpenApiDocument, PathItem, Schema } from './document.ts';
import { parameters } from './parameters.ts';
import { restPaths } from './paths.ts';
import { responseRefs, responses } from './responses.ts';
import { resourceSchemas, schemaRef } from './schemas.ts';
import { tokenPaths } from './token-paths.ts';

type Described = Pick<Settings, 'name' | 'apiVersion' | 'albums'>;

/** Describes the API of this site as OpenAPI 3.1, from the service's own operations table. */
export function openApiDocument(publicUrl: string, settings: Described): OpenApiDocument {
  const { name, apiVersion } = settings;
  return {
    openapi: '3.1.1',
    info: { title: `${name}: Social API`, version: apiVersion, description: description(settings) },
    servers: [{ url: `${publicUrl}/social/rest` }],
    security: [{ oauth: [] }],
    tags,
    paths: {
      ...restPaths(settings),
      '/social/rpc': rpcPath(publicUrl, 'data'),
      '/rpc': rpcPath(publicUrl, 'result'),
      ...tokenPaths(publicUrl),
    },
    components: {
      schemas: resourceSchemas(settings),
      parameters,
      responses,
      securitySchemes: {
        oauth: {
          type: 'http',
          scheme: 'OAuth',
          description:
            'OAuth 1.0a (RFC 5849): HMAC-SHA1, HMAC-SHA256 or RSA-SHA1, as the key was registered, over the request exactly as it is sent. The parameters go in the `Authorization` header, the query or a form body. `xoauth_requestor_id` names the member on whose behalf a 2-legged request is made.',
        },
      },
    },
  };
}

function description({ albums }: Described): string {
  const missing = albums ? '' : ' This site has no album extension: its albums and media items answer 501.';
  return `Members, their friends, activities, AppData and albums. Keys come from \`/account/keys\`, where members make their own, or from the site's administrators (\`gantry consumer add\`, \`gantry app add\`). Operations marked \`unimplemented\` are listed and answer 501.${missing}`;
}

const tags: OpenApiDocument['tags'] = [
  { name: 'people', description: 'Members of the site and their friends.' },
  { name: 'activities', description: 'What members did, and posts by the requestor.' },
  { name: 'appData', description: 'Keys and texts that an app keeps for a member. Needs the key of an app.' },
  { name: 'albums', description: 'Albums of members, if the site has the album extension.' },
  { name: 'mediaItems', description: 'Pictures in albums, if the site has the album extension.' },
  { name: 'rpc', description: 'The same operations as calls, up to 100 in one request.' },
  { name: 'oauth', description: 'Endpoints where a consumer gets tokens that a member approved. Answers are forms.' },
];

function rpcPath(publicUrl: string, member: 'data' | 'result'): PathItem {
  const oneOrMore = (name: 'RpcCall' | 'RpcReply', most: object = {}): Schema => ({
    oneOf: [schemaRef(name), { type: 'array', items: schemaRef(name), ...most }],
  });
  const calls = { schema: oneOrMore('RpcCall', { maxItems: 100 }) };
  return {
    servers: [{ url: publicUrl, description: 'JSON-RPC is outside the REST root.' }],
    post: {
      operationId: `rpc.${member}`,
      tags: ['rpc'],
      summary: `Calls with results in \`${member}\``,
      parameters: [{ $ref: '#/components/parameters/xoauthRequestorId' }],
      requestBody: { required: true, content: { 'application/json': calls, 'application/json-rpc': calls } },
      responses: {
        '200': {
          description: 'The reply to one call, or to each call of an array in its order.',
          content: { 'application/json': { schema: oneOrMore('RpcReply') } },
        },
        ...responseRefs({
          400: 'BadRequest',
          401: 'Unauthorized',
          413: 'TooLarge',
          415: 'UnsupportedMediaType',
          429: 'RateLimited',
          503: 'Unavailable',
          default: 'Failure',
        }),
      },
      'x-gantry-status': 'works',
    },
  };
}
