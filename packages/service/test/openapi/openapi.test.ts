import { writeSetting } from '@gantry/service';
import { isWorking, type OperationId, operation, operations } from '@gantry/wire';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type {
  Response as Documented,
  OpenApiDocument,
  OperationObject,
  Reference,
} from '../../src/openapi/document.ts';
import { databases } from '../databases.ts';
import { imageFolder } from '../images.ts';
import { accessToken, ask, consent, requestToken, type Told, tokenOf } from '../oauth-client.ts';
import { rpc } from '../rpc-client.ts';
import { openSite, publicUrl, type Reply, type SignedCall, type Site, village } from '../site.ts';
import { brokenRules, openApiRules } from './openapi-rules.ts';

const ids = Object.keys(operations) as OperationId[];
const topics: ReadonlySet<string> = new Set(ids.map((id) => operation(id).topic));

async function load(site: Site, path: string, init: RequestInit = {}): Promise<Response> {
  return site.service.handle(new Request(publicUrl + path, init), path);
}

async function documentOf(site: Site): Promise<OpenApiDocument> {
  return (await load(site, '/openapi.json')).json() as Promise<OpenApiDocument>;
}

/** Validators for the schemas of a document. */
function validators(document: OpenApiDocument) {
  const text = JSON.stringify({ $id: 'openapi', $defs: document.components.schemas });
  const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allErrors: true });
  ajv.addVocabulary(['xml']);
  ajv.addSchema(JSON.parse(text.replaceAll('#/components/schemas/', '#/$defs/')));
  return (schema: object) => {
    const inAjv = JSON.parse(JSON.stringify(schema).replaceAll('#/components/schemas/', 'openapi#/$defs/'));
    return ajv.compile(inAjv);
  };
}

function operationObject(document: OpenApiDocument, id: string): OperationObject {
  const all = Object.values(document.paths).flatMap(({ servers: _, ...verbs }) => Object.values(verbs));
  return (all as OperationObject[]).find(({ operationId }) => operationId === id) as OperationObject;
}

function documented(document: OpenApiDocument, id: string, status: number): Documented {
  const { responses } = operationObject(document, id);
  const response = (responses[status] ?? responses.default) as Documented | Reference;
  if (!('$ref' in response)) return response;
  return document.components.responses[response.$ref.split('/').at(-1) as string] as Documented;
}

/** Returns the differences between an answer and the document. */
function mismatch(document: OpenApiDocument, id: string, status: number, json: unknown): string | undefined {
  const schema = documented(document, id, status).content?.['application/json']?.schema;
  if (schema === undefined) return `${id} has no JSON for ${status}`;
  const validate = validators(document)(schema);
  return validate(json) ? undefined : JSON.stringify(validate.errors);
}

const requests: readonly (readonly [OperationId, Omit<SignedCall, 'path'> & { readonly path: string }])[] = [
  ['people.getFriends', { path: '/people/@me/@friends?fields=@all' }],
  ['people.getFriends', { path: '/people/404/@friends' }],
  ['people.getFriends', { path: '/people/@me/@friends?count=x' }],
  ['people.getPerson', { path: '/people/@me/@all/2?fields=@all' }],
  ['people.getPerson', { path: '/people/@me/@all/2,3' }],
  ['people.getSelf', { path: '/people/3/@self?fields=@all' }],
  ['people.getSelf', { path: '/people/2,4,10/@self' }],
  ['people.getSelf', { path: '/people/4/@self' }],
  ['people.getMe', { path: '/people/@me/@self' }],
  ['people.getMe', { path: '/people/@me/@self?fields=@all', key: 'member-1' }],
  ['people.getMe', { path: '/people/@me/@self', signed: false }],
  ['activities.create', { path: '/activities/@me/@self', method: 'POST', body: { title: 'Hello', url: '/a' } }],
  ['activities.create', { path: '/activities/@me/@self', method: 'POST', body: { title: 'Again' } }],
  ['activities.create', { path: '/activities/@me/@self', method: 'POST', body: { title: '' } }],
  ['activities.create', { path: '/activities/@me/@self', method: 'POST', body: 'x', headers: { 'content-type': 'x' } }],
  ['activities.create', { path: '/activities/@me/@self', method: 'POST', body: ' '.repeat(2 ** 20 + 1) }],
  ['activities.getSelf', { path: '/activities/@me/@self' }],
  ['activities.getSelfByApp', { path: '/activities/@me/@self/@app' }],
  ['activities.getSelfByApp', { path: '/activities/@me/@self/photos' }],
  ['activities.getFriends', { path: '/activities/2/@friends' }],
  ['activities.getFriendsByApp', { path: '/activities/2/@friends/@app' }],
  ['appData.update', { path: '/appData/@me/@self/@app', method: 'POST', body: { k: 'v', 'a.b': '' } }],
  ['appData.update', { path: '/appData/2/@self/@app', method: 'POST', body: {} }],
  ['appData.getSelf', { path: '/appData/@me/@self/@app' }],
  ['appData.getSelf', { path: '/appData/5/@self/@app' }],
  ['appData.getFriends', { path: '/appData/@me/@friends/@app' }],
  ['appData.getFriends', { path: '/appData/2/@friends/@app', as: '2' }],
  ['appData.delete', { path: '/appData/@me/@self/@app?fields=', method: 'DELETE' }],
  ['appData.delete', { path: '/appData/@me/@self/@app', method: 'DELETE' }],
  ['albums.get', { path: '/albums/2/@self' }],
  ['albums.get', { path: '/albums/@me/@friends' }],
  ['mediaItems.get', { path: '/mediaitems/2/@self/a2' }],
  ['mediaItems.get', { path: '/mediaitems/2/@self/404' }],
];

const accessPath = { member: '/oauth/access_token', admin: '/admin/oauth/access_token' } as const;

const albums = [{ id: 'a2', ownerId: '2', title: 'Boats', description: 'All of them' }];
const mediaItems = [{ id: 'm1', albumId: 'a2', title: 'Red', file: 'red.jpg' }];

describe.each(databases)('OpenAPI on $name', ({ open }) => {
  async function openFull(): Promise<Site> {
    const site = await openSite(open, village);
    await site.add({ members: [{ id: '20', displayName: 'Root', admin: true }] });
    await site.add({ albums, mediaItems }, await imageFolder());
    return site;
  }

  async function answers(site: Site): Promise<readonly (readonly [OperationId, Reply])[]> {
    const all: [OperationId, Reply][] = [];
    for (const [id, sent] of requests) all.push([id, await site.send(sent)]);
    return all;
  }

  test('answers of every row that works, and its failures, are as the document says', async () => {
    const site = await openFull();
    const document = await documentOf(site);
    const all = await answers(site);
    expect(new Set(all.flatMap(([id, { status }]) => (status === 200 ? [id] : [])))).toEqual(
      new Set(ids.filter(isWorking)),
    );
    expect([...new Set(all.map(([, { status }]) => status))].sort()).toEqual([200, 400, 401, 403, 404, 413, 415, 500]);
    for (const [id, { status, json, headers }] of all) {
      expect(mismatch(document, id, status, json), `${id} ${status}`).toBe(undefined);
      for (const name of Object.keys(documented(document, id, status).headers ?? {})) {
        expect(headers.get(name), `${id} ${status}: ${name}`).not.toBeNull();
      }
    }
  });

  test('a wrong answer is not as the document says (positive control)', async () => {
    const site = await openFull();
    const document = await documentOf(site);
    const validate = validators(document);
    for (const [id, { status, json }] of await answers(site)) {
      const schema = documented(document, id, status).content?.['application/json']?.schema ?? {};
      const wrong = [
        { ...json, more: 1 },
        {},
        null,
        [json],
        JSON.stringify(json),
        { ...json, [Object.keys(json)[0] ?? '']: 7 },
      ];
      for (const body of wrong) expect(validate(schema)(body), `${id} ${status}: ${JSON.stringify(body)}`).toBe(false);
    }
    const friends = (await site.get('/people/@me/@friends')).json;
    const [first = {}] = friends.entry as readonly object[];
    const check = validate({ $ref: '#/components/schemas/PersonList' });
    expect(check(friends)).toBe(true);
    for (const name of Object.keys(first)) {
      const { [name as keyof typeof first]: _, ...rest } = first;
      expect(check({ ...friends, entry: [rest] }), `without ${name}`).toBe(false);
    }
  });

  test('rows that do not work answer their 501 (§4)', async () => {
    const site = await openFull();
    const document = await documentOf(site);
    for (const id of ids.filter((one) => !isWorking(one))) {
      const { method, path } = operation(id);
      const filled = path
        .replace('{groupid}', 'rowers')
        .replaceAll(/\{\w+\}/g, '1')
        .replace('{appid}', '@app');
      const body = method === 'POST' || method === 'PUT' ? { body: {} } : {};
      const { status, json } = await site.send({ method, path: filled, ...body });
      expect([id, status, mismatch(document, id, status, json)]).toEqual([id, 501, undefined]);
    }
  });

  test('answers of JSON-RPC are as the document says', async () => {
    const site = await openFull();
    const document = await documentOf(site);
    const calls = [
      { method: 'people.get', id: 1 },
      { method: 'people.get', params: { groupId: '@friends' }, id: 'x' },
      { method: 'system.listMethods' },
      { method: 'nothing' },
      { method: 'activities.create', params: { activity: { title: 'Hello' } } },
      { method: 'activities.create', params: { activity: { title: 'Hello' } } },
      { method: 'appdata.get' },
    ];
    for (const [path, id] of [
      ['/social/rpc', 'rpc.data'],
      ['/rpc', 'rpc.result'],
    ] as const) {
      for (const body of [calls, calls[0], []]) {
        const { status, json } = await rpc(site, body, { path });
        expect([status, mismatch(document, id, status, json)]).toEqual([200, undefined]);
      }
      const refused = await rpc(site, '{', { path });
      expect(mismatch(document, id, 400, refused.json)).toBe(undefined);
      expect(mismatch(document, id, 200, [{ id: 1 }])).not.toBe(undefined);
    }
  });

  test('answers of the token endpoints are forms as the document says (contract §5)', async () => {
    const site = await openFull();
    const document = await documentOf(site);
    const consumer = { key: 'admin', secret: 'secret' };
    const form = 'application/x-www-form-urlencoded';
    const check = (id: string, { status, headers, text }: Told) => {
      const { content, headers: promised = {} } = documented(document, id, status);
      expect([status, headers['Content-Type'], Object.keys(content ?? {})]).toEqual([status, form, [form]]);
      for (const name of Object.keys(promised)) expect(headers).toHaveProperty(name);
      const validate = validators(document)(content?.[form]?.schema ?? {});
      const fields = Object.fromEntries(new URLSearchParams(text));
      expect([validate(fields), validate.errors]).toEqual([true, null]);
      expect(validate({ ...fields, more: '1' })).toBe(false); // the control
    };
    for (const [root, flow, method] of [
      ['oauth', 'member', 'GET'],
      ['adminOAuth', 'admin', 'POST'],
    ] as const) {
      const answer = await requestToken(site, { consumer, method }, flow);
      check(`${root}.requestToken`, answer);
      check(`${root}.requestToken`, await requestToken(site, { consumer: { key: 'nobody', secret: '' } }, flow));
      const call = { consumer, method, token: tokenOf(answer) };
      const verifier = await consent(site, call.token, '20', flow);
      check(`${root}.accessToken`, await ask(site, { ...call, path: accessPath[flow] }));
      check(`${root}.accessToken`, await accessToken(site, { ...call, verifier: 'wrong' }, flow));
      check(`${root}.accessToken`, await accessToken(site, { ...call, verifier }, flow));
      expect(document.paths[accessPath[flow]]?.servers?.[0]?.url).toBe('https://social.example');
    }
  });

  test('in version 0.9.3 the document has @friend and no hasApp, and answers are as it says (contract §7)', async () => {
    const site = await openFull();
    await writeSetting(site.db, 'apiVersion', '0.9.3');
    const document = await documentOf(site);
    expect(document.info.version).toBe('0.9.3');
    expect(Object.keys(document.paths)).toContain('/people/{guid}/@friend');
    expect(Object.keys(document.paths).filter((path) => path.includes('@friends'))).toEqual([
      '/albums/{guid}/@friends',
    ]);
    const { status, json } = await site.get('/people/@me/@friend');
    expect([status, mismatch(document, 'people.getFriends', status, json)]).toEqual([200, undefined]);
    await writeSetting(site.db, 'apiVersion', '1.2');
    expect(mismatch(await documentOf(site), 'people.getFriends', 200, json)).toContain('hasApp');
  });

  test('it states the site’s address, name and missing extensions', async () => {
    const site = await openFull();
    await writeSetting(site.db, 'albums', 'false');
    const document = await documentOf(site);
    expect(document.servers).toEqual([{ url: 'https://social.example/social/rest' }]);
    expect(document.info.title).toBe('Village: Social API');
    expect(document.info.description).toContain('no album extension');
  });

  test('it is served with a validator, to browsers of other origins too; other methods are 405', async () => {
    const site = await openFull();
    const answer = await load(site, '/openapi.json');
    const etag = answer.headers.get('etag') ?? '';
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toEqual({
      'content-type': 'application/json; charset=utf-8',
      'access-control-allow-origin': '*',
      'cache-control': 'public, no-cache',
      'x-content-type-options': 'nosniff',
      etag: expect.stringMatching(/^"[\w-]{27}"$/),
    });
    const again = await load(site, '/openapi.json', { headers: { 'if-none-match': etag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
    const head = await load(site, '/openapi.json', { method: 'HEAD' });
    expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, etag, '']);
    const posted = await load(site, '/reference', { method: 'POST' });
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    await writeSetting(site.db, 'name', 'Town');
    expect((await load(site, '/openapi.json', { headers: { 'if-none-match': etag } })).status).toBe(200);
  });
});

describe('the document', () => {
  const [first] = databases;
  const openVillage = () => openSite(first?.open as never, village);

  test('keeps the rules of OpenAPI 3.1', async () => {
    const document = await documentOf(await openVillage());
    const validate = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allErrors: true }).compile(
      openApiRules,
    );
    validate(document);
    expect(validate.errors ?? []).toEqual([]);
    expect(brokenRules(document)).toEqual([]);
    const { people: _, ...rest } = document.paths as Record<string, object>;
    expect(validate({ ...document, paths: { ...rest, people: {} } })).toBe(false); // positive controls
    expect(validate({ ...document, openapi: '3.0.3' })).toBe(false);
    expect(brokenRules({ ...document, components: { ...document.components, schemas: {} } })).not.toEqual([]);
  });

  test('has every row of the operations table once, with its status, and its further spellings if it works (§4)', async () => {
    const document = await documentOf(await openVillage());
    const listed = Object.entries(document.paths).flatMap(([path, { servers: _, ...verbs }]) =>
      Object.entries(verbs).map(([verb, object]) => [object as OperationObject, verb.toUpperCase(), path] as const),
    );
    const rows = listed.filter(
      ([object]) => object['x-gantry-spelling-of'] === undefined && topics.has(object.tags[0]),
    );
    expect(
      rows.map(([object, verb, path]) => [object.operationId, verb, path, object['x-gantry-status']]).sort(),
    ).toEqual(ids.map((id) => [id, operation(id).method, operation(id).path, operation(id).status]).sort());
    for (const [object] of rows) {
      const isMissing = object['x-gantry-status'] === 'unimplemented';
      expect([object.operationId, '200' in object.responses, '501' in object.responses]).toEqual([
        object.operationId,
        !isMissing,
        isMissing || object['x-gantry-extension'] === 'albums',
      ]);
    }
    expect(
      listed.filter(([object]) => object['x-gantry-spelling-of']).map(([, verb, path]) => `${verb} ${path}`),
    ).toEqual([
      'POST /activities/{guid}/@self',
      'POST /activities/{guid}/@self/{appid}',
      'PUT /appData/{guid}/@self/{appid}',
      'GET /albums/{guid}/@self',
      'GET /albums/{guid}/@friends',
      'GET /mediaitems/{guid}/@self/{albumId}',
      'POST /oauth/request_token',
      'POST /oauth/access_token',
      'POST /admin/oauth/request_token',
      'POST /admin/oauth/access_token',
    ]);
  });

  test('every example is an example of its schema', async () => {
    const document = await documentOf(await openVillage());
    const validate = validators(document);
    const all = Object.entries(document.components.schemas).flatMap(([name, { examples = [] }]) =>
      (examples as readonly unknown[]).map((example) => [name, example] as const),
    );
    expect(all.length).toBeGreaterThan(5);
    for (const [name, example] of all) {
      expect(validate({ $ref: `#/components/schemas/${name}` })(example), name).toBe(true);
    }
  });

  test('bodies that it allows are accepted, and those that it forbids are refused (contract §4)', async () => {
    const site = await openVillage();
    const validate = validators(await documentOf(site))({ $ref: '#/components/schemas/AppData' });
    const body = fc.dictionary(
      fc.oneof(fc.constantFrom('k', 'a b', ''), fc.string({ maxLength: 5 })),
      fc.oneof(fc.string(), fc.integer()),
      {
        maxKeys: 3,
        noNullPrototype: true,
      },
    );
    await fc.assert(
      fc.asyncProperty(body, async (data) => {
        const { status } = await site.send({ method: 'POST', path: '/appData/@me/@self/@app', body: data });
        expect(status).toBe(validate(data) ? 200 : 400);
      }),
      { numRuns: 200 },
    );
  });
});

describe('the reference page', () => {
  const [first] = databases;

  test('shows every operation, schema and failure of the document under its anchor, and every link leads somewhere', async () => {
    const site = await openSite(first?.open as never, village);
    const document = await documentOf(site);
    const page = await (await load(site, '/reference')).text();
    const anchors = Array.from(page.matchAll(/ id="([^"]+)"/g), ([, id]) => id as string);
    expect(new Set(anchors).size).toBe(anchors.length);
    const { schemas, responses } = document.components;
    expect(anchors).toEqual(
      expect.arrayContaining([
        ...ids,
        'rpc.data',
        'rpc.result',
        'oauth.requestToken',
        'adminOAuth.accessToken',
        ...Object.keys(schemas),
        ...Object.keys(responses),
      ]),
    );
    for (const [, target = ''] of page.matchAll(/ href="#([^"]*)"/g)) expect(anchors, target).toContain(target);
  });

  test('says where keys come from, where administrators allow, and what the other spellings of a row take', async () => {
    const site = await openSite(first?.open as never, village);
    const page = await (await load(site, '/reference')).text();
    const card = (id: string) => page.split(` id="${id}"`)[1]?.split('</article>')[0] ?? '';
    expect(page).toContain('<code>/account/keys</code>');
    expect(card('adminOAuth.requestToken')).toContain('<code>/admin/oauth/authorize?oauth_token=…</code>');
    expect(card('oauth.requestToken')).toContain('<code>/oauth/authorize?oauth_token=…</code>');
    for (const id of ['albums.get', 'mediaItems.get', 'activities.create'])
      expect(card(id)).toMatch(/>guid<.*Id of a member/s);
  });

  test('it runs and loads nothing, cannot be framed, and escapes the name of the site (security rules 5, 7)', async () => {
    const site = await openSite(first?.open as never, village);
    await writeSetting(site.db, 'name', '<img src=x onerror=alert(1)>');
    const answer = await load(site, '/reference');
    const page = await answer.text();
    expect(answer.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/]{43}='; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    );
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page).toContain('&lt;img src=x onerror=alert(1)&gt;');
    expect(page).not.toMatch(/<img|<script|<link|https?:\/\/(?!social\.example|ns\.opensocial\.org)/);
  });
});
