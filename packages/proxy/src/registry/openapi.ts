import { release } from '@gantry/wire';
import { maxPreviewMembers } from '../versions/previews.ts';
import { chunkBytes, maxFileBytes, maxFiles, maxPathLength } from '../versions/version-list.ts';
import { keyMays } from './registry-keys.ts';
import { type RegistryOperation, type RegistryRoute, registryRoot, registryRoutes } from './registry-routes.ts';

interface Schema {
  readonly [keyword: string]: unknown;
}

/** Describes `/gantry/registry/` as OpenAPI 3.1, from the table of its routes. */
export function openApiOfRegistry(publicUrl: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const [operation, route] of Object.entries(registryRoutes) as [RegistryOperation, RegistryRoute][]) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationObject(operation, route) };
  }
  return {
    openapi: '3.1.1',
    info: { title: 'Gantry: registry of apps', version: release, description },
    servers: [{ url: publicUrl + registryRoot }],
    security: [{ key: [] }],
    tags: [{ name: 'registry', description: 'Versions of apps.' }],
    paths,
    components: {
      schemas,
      parameters: Object.fromEntries(Object.entries(parameters).map(([name, one]) => [name, parameter(name, one)])),
      responses: { Failure: failure },
      securitySchemes: {
        key: { type: 'http', scheme: 'Bearer', description: 'A key of `gantry keys add --app ID --may MAY`.' },
      },
    },
  };
}

const description = `Versions of apps, delivered by their authors. A push is three steps: \`findMissing\` takes the list of files and names the chunks that the site lacks, \`putChunk\` takes each of them, and \`commit\` makes the version. Each can be repeated, and a push that stopped goes on where it was. Keys are sent over https only, or on the site's own machine.`;

function operationObject(operationId: RegistryOperation, { path, may, summary }: RegistryRoute): object {
  const { body, answer } = exchanges[operationId];
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({ $ref: `#/components/parameters/${name}` }));
  const succeeded = answer
    ? { 200: { description: 'Done.', content: json(schemaRef(answer)) } }
    : { 204: { description: 'It is stored.' } };
  return {
    operationId,
    tags: ['registry'],
    summary,
    description: `For keys of \`--may\` ${may.join(', ')}.`,
    ...(names.length > 0 && { parameters: names }),
    ...(body && { requestBody: { required: true, content: body } }),
    responses: { ...succeeded, default: { $ref: '#/components/responses/Failure' } },
  };
}

const json = (schema: Schema) => ({ 'application/json': { schema } });
const schemaRef = (name: keyof typeof schemas): Schema => ({ $ref: `#/components/schemas/${name}` });
const text: Schema = { type: 'string' };
const time: Schema = { type: 'string', format: 'date-time' };
const flag: Schema = { type: 'boolean' };
const whole: Schema = { type: 'integer', minimum: 0 };
const digest: Schema = { type: 'string', pattern: '^[0-9a-f]{64}$' };
const may: Schema = { enum: [...keyMays] };
const list = (items: Schema, more: Schema = {}): Schema => ({ type: 'array', items, ...more });
const members: Schema = list(text, { minItems: 1, maxItems: maxPreviewMembers });

/** Returns the schema of an object, of which members may be absent whose names end with `?`. */
function object(members: Readonly<Record<string, Schema>>): Schema {
  const entries = Object.entries(members).map(([name, schema]) => [name.replace('?', ''), schema] as const);
  return {
    type: 'object',
    properties: Object.fromEntries(entries),
    required: Object.keys(members).filter((name) => !name.endsWith('?')),
  };
}

const versionFacts = {
  ...{ version: digest, state: { enum: ['live', 'accepted', 'waiting', 'preview', 'refused'] }, name: text },
  ...{ 'label?': text, bytes: whole, madeBy: text, madeAt: time, 'decidedBy?': text, 'decidedAt?': time },
};
const said = list(object({ name: text, says: text, required: flag }));
const report = {
  ...{ app: text, ...versionFacts, 'description?': text, files: whole },
  difference: object({
    from: { oneOf: [digest, { type: 'null' }] },
    permissions: object({ added: said, removed: said }),
    hosts: object({ added: list(text), removed: list(text) }),
    data: object({ from: whole, to: whole }),
    losesData: flag,
  }),
  'statement?': { $ref: '#/components/schemas/Statement' },
};
const versions = list({ $ref: '#/components/schemas/Version' });

const schemas = {
  Key: object({ id: text, title: text, apps: list(text), may, expiresAt: time }),
  File: object({
    path: { type: 'string', maxLength: maxPathLength, description: 'With slashes, in NFC, of a file that is served.' },
    digest: { ...digest, description: 'That of its only chunk, or the SHA-256 of the digests of several, joined.' },
    type: { type: 'string', description: 'The Content-Type that Gantry gives a file of this name.' },
    size: { ...whole, maximum: maxFileBytes },
    chunks: list(digest, { minItems: 1, description: `SHA-256 of each ${chunkBytes} bytes in order.` }),
  }),
  Files: object({ files: list({ $ref: '#/components/schemas/File' }, { maxItems: maxFiles }) }),
  Missing: object({ version: digest, missing: list(digest) }),
  Statement: {
    ...object({
      'check?': object({ errors: whole, warnings: whole, 'findings?': list(text) }),
      'tests?': object({ passed: whole, failed: whole, 'skipped?': whole }),
      'source?': text,
      'note?': text,
    }),
    description: 'The author’s own words. The site checks none of them.',
  },
  Commit: object({
    files: list({ $ref: '#/components/schemas/File' }, { maxItems: maxFiles }),
    'as?': may,
    'members?': members,
    'statement?': { $ref: '#/components/schemas/Statement' },
    'despiteData?': flag,
  }),
  Version: object(versionFacts),
  Report: object(report),
  Pushed: object({ ...report, done: { enum: ['registered', 'live', 'waiting', 'preview', 'unchanged'] } }),
  App: object({
    ...{ app: text, state: { enum: ['active', 'paused', 'unknown'] }, 'name?': text },
    ...{ 'live?': { $ref: '#/components/schemas/Version' }, waiting: versions, previews: versions, may },
  }),
  History: object({
    ...{ app: text, versions },
    changes: list(
      object({
        ...{ at: time, actor: text, action: text, 'from?': digest, 'to?': digest },
        ...{ outcome: { enum: ['done', 'refused'] }, 'detail?': text },
      }),
    ),
  }),
  Approval: object({ 'despiteData?': flag }),
  Refusal: object({ 'reason?': { type: 'string', maxLength: 300 } }),
  Members: object({ members }),
  RollBack: object({ 'version?': digest, 'despiteData?': flag }),
  Nothing: { type: 'object', additionalProperties: false },
  Error: object({ error: object({ code: { type: 'integer' }, message: text, 'data?': { type: 'object' } }) }),
} satisfies Readonly<Record<string, Schema>>;

const exchanges: Readonly<
  Record<RegistryOperation, { readonly body?: object; readonly answer?: keyof typeof schemas }>
> = {
  readKey: { answer: 'Key' },
  readApp: { answer: 'App' },
  readHistory: { answer: 'History' },
  readVersion: { answer: 'Report' },
  findMissing: { body: json(schemaRef('Files')), answer: 'Missing' },
  putChunk: { body: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } } },
  commit: { body: json(schemaRef('Commit')), answer: 'Pushed' },
  approve: { body: json(schemaRef('Approval')), answer: 'Report' },
  refuse: { body: json(schemaRef('Refusal')), answer: 'Report' },
  preview: { body: json(schemaRef('Members')), answer: 'Report' },
  rollBack: { body: json(schemaRef('RollBack')), answer: 'Report' },
  pause: { body: json(schemaRef('Nothing')), answer: 'App' },
  resume: { body: json(schemaRef('Nothing')), answer: 'App' },
};

const parameters: Readonly<Record<string, { readonly description: string; readonly schema: Schema }>> = {
  app: { description: 'Id of an app that the key is for.', schema: text },
  version: { description: 'Digest of a version.', schema: digest },
  chunk: { description: 'SHA-256 of the bytes.', schema: digest },
};

function parameter(name: string, { description, schema }: { description: string; schema: Schema }): object {
  return { name, in: 'path', required: true, description, schema };
}

const failure = {
  description:
    '401: no key, or one that was revoked or ended. 403: the key is not for this. 404: no such version. 409: the app or version is in another state. 413: beyond a limit. 429: `Retry-After` seconds later. 507: the site is full.',
  content: json(schemaRef('Error')),
};
