import {
  maxAnswerBytes,
  maxDepthOfSeveral,
  maxRowsOfSeveral,
  type OperationId,
  operation,
  routesOf,
  serviceColumnsOf,
} from '@gantry/wire';
import type { Content, Reference, Response, Schema } from './document.ts';
import { schemaRef } from './schemas.ts';

const retryAfter = {
  'Retry-After': { description: 'Whole seconds until a retry can succeed.', schema: { type: 'integer', minimum: 1 } },
};

const wwwAuthenticate = {
  'WWW-Authenticate': {
    description: '`OAuth realm="…", oauth_problem="…"` names the reason.',
    schema: { type: 'string', pattern: '^OAuth realm="[^"]+", oauth_problem="[a-z_]+"$' },
  },
};

function tokenRefusal(description: string, headers?: Response['headers']): Response {
  const content = { 'application/x-www-form-urlencoded': { schema: schemaRef('TokenRefusal') } };
  return { description, ...(headers && { headers }), content };
}

function failure(description: string, headers?: Response['headers']): Response {
  return {
    description,
    ...(headers && { headers }),
    content: { ...json(schemaRef('Error')), ...xml(schemaRef('Error')) },
  };
}

/** Every failure of a request (contract §4), and the answer to a current validator. */
export const responses = {
  NotModified: { description: 'The answer equals the one that `If-None-Match` names.' },
  BadRequest: failure('The target, a parameter or the body is malformed, or holds a value that is not allowed.'),
  Unauthorized: failure('The signature, key, token, timestamp, nonce or requestor is not accepted.', wwwAuthenticate),
  BadTokenRequest: tokenRefusal('An OAuth parameter is missing, repeated or invalid.'),
  TokenRefused: tokenRefusal(
    'The signature, key, token, verifier, timestamp or nonce is not accepted.',
    wwwAuthenticate,
  ),
  Forbidden: failure('Another app, data of another member, or AppData of a member who is no friend with the app.'),
  NotFound: failure('It does not exist, or the requestor may not see it: both get the same answer.'),
  TooLarge: failure(
    `The body has more than 1 MiB, or the answer would have more than ${maxAnswerBytes} bytes: then ask for less. Or a list over several named members would have more than ${maxRowsOfSeveral} rows, or its \`startIndex\` and \`count\` are more than ${maxDepthOfSeveral} together: then name fewer members.`,
  ),
  UnsupportedMediaType: failure('The body is of another type, charset or encoding.'),
  RateLimited: failure('Too many requests with this key.', retryAfter),
  TooSoon: failure('Too soon after the last activity; or a server fault, without `Retry-After`.', retryAfter),
  NotImplemented: failure('The operation is not implemented, or the site lacks the album extension.'),
  Unavailable: failure('The database is busy or down.', retryAfter),
  StorageFull: failure('The server cannot store anything at present.'),
  Failure: failure('Any other failure, for example 405, 408, 421, 431 and 500.'),
} as const satisfies Record<string, Response>;

function json(schema: Schema): Content {
  return { 'application/json': { schema } };
}

function xml(schema: Schema): Content {
  return { 'application/xml': { schema } };
}

/** Returns content in the three formats. `xmlSchema` is for XML of another shape. */
export function inThreeFormats(schema: Schema, xmlSchema: Schema = schema): Content {
  return { ...json(schema), ...xml(xmlSchema), 'application/atom+xml': { schema: schemaRef('AtomDocument') } };
}

/** Returns references by status, or `default`, to responses by name. */
export function responseRefs(
  names: Readonly<Partial<Record<number | 'default', keyof typeof responses>>>,
): Readonly<Record<string, Reference>> {
  const entries = Object.entries(names).filter(([, name]) => name !== undefined);
  return Object.fromEntries(entries.map(([status, name]) => [status, { $ref: `#/components/responses/${name}` }]));
}

export function failuresOf(id: OperationId): Readonly<Record<string, Reference>> {
  const { method, status, topic, path, hasInterval } = operation(id);
  const { extension } = serviceColumnsOf(id);
  const [isRead, works] = [method === 'GET', status === 'works'];
  const mayBeMissing = isRead && namesSomething(id);
  const mayBeForbidden = !isRead || topic === 'appData' || path.includes('{appid}');
  const ofWorking = {
    304: isRead ? 'NotModified' : undefined,
    400: 'BadRequest',
    403: mayBeForbidden ? 'Forbidden' : undefined,
    404: mayBeMissing ? 'NotFound' : undefined,
    413: method !== 'DELETE' ? 'TooLarge' : undefined,
    415: method === 'POST' ? 'UnsupportedMediaType' : undefined,
    429: 'RateLimited',
    500: hasInterval ? 'TooSoon' : undefined,
    503: 'Unavailable',
    507: isRead ? undefined : 'StorageFull',
  } as const;
  return responseRefs({
    ...(works && ofWorking),
    401: 'Unauthorized',
    501: !works || extension ? 'NotImplemented' : undefined,
    default: 'Failure',
  });
}

/** Returns false for a row that is about the requestor alone, who is always there. */
function namesSomething(id: OperationId): boolean {
  return routesOf(id).some(({ path }) => path.includes('{'));
}
