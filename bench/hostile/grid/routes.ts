import { createHash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import type { Ask, Person, Reads, Who } from './who.ts';
import { appId, deletable, deliveredId, smallPicture, spare, texts, type World } from './world.ts';

/** Surroundings of the requests of a route. */
export interface Surroundings {
  readonly world: World;
  readonly person: Person;
  /** Counts up, so that no two requests are for the same row or text. */
  readonly next: () => number;
  /** A gadget on the person's page. */
  readonly gadget: Gadget;
  /** Name of a part of the container's script. */
  readonly chunk: string;
}

export interface Gadget {
  readonly instance: string;
  readonly token: string;
  /** Position at which its page began to listen. */
  readonly since: string;
}

/** A plain request to a route, as its own clients send it. */
export interface RoutePlan {
  readonly reads: Reads;
  readonly who: readonly Who[];
  /** Statuses of the plain request, sent by who may. */
  readonly answers: readonly number[];
  plain(surroundings: Surroundings): Omit<Ask, 'method'>;
  /** Requests with as much in them as limits allow, or more, by the kind of list. */
  readonly large?: Readonly<Record<string, (surroundings: Surroundings) => Omit<Ask, 'method'>>>;
  /** True if the answer is as long as a file. */
  readonly isFile?: boolean;
  /** True if the answer does not end by itself. */
  readonly isStream?: boolean;
}

const json = (value: unknown) => ({
  headers: { 'Content-Type': 'application/json' },
  body: typeof value === 'string' ? value : JSON.stringify(value),
});
const ok = [200, 201, 204];
const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));

/** Files and documents that anyone may read. */
const publicFile = (target: string, more: Partial<RoutePlan> = {}): RoutePlan => ({
  reads: 'nothing',
  who: ['anyone', 'member'],
  answers: ok,
  plain: () => ({ target }),
  ...more,
});

/** Pages of the account. `fields` are those of the form that is sent to it. */
const page = (
  target: string | ((surroundings: Surroundings) => string),
  { fields, answers = [200, 303], as: visitor }: PageOptions = {},
): RoutePlan => ({
  reads: 'session',
  who: ['anyone', 'member'],
  answers,
  plain(surroundings) {
    const path = typeof target === 'string' ? target : target(surroundings);
    if (!fields) return { target: path };
    const browser = surroundings.world.visitors[visitor ?? surroundings.person];
    const form = new URLSearchParams({ form_token: browser.formToken(path), ...fields(surroundings) });
    return {
      target: path,
      headers: {
        'Content-Type': 'application/x-www-form-urlencoded',
        ...(visitor && { Cookie: browser.cookie }),
      },
      body: form.toString(),
    };
  },
});

interface PageOptions {
  readonly fields?: (surroundings: Surroundings) => Record<string, string>;
  readonly answers?: readonly number[];
  /** Another browser than the sender's, for what ends a session or changes a password. */
  readonly as?: 'spare' | 'anonymous';
}

const rowOf =
  (name: string) =>
  ({ next }: Surroundings) =>
    `${name}-${(next() % deletable) + 1}`;
const nothing = () => ({});

/** Requests of a container's page. */
const call = (body: RoutePlan['plain'], more: Partial<RoutePlan> = {}): RoutePlan => ({
  reads: 'page',
  who: ['anyone', 'member'],
  answers: ok,
  plain: body,
  ...more,
});
const tokens = ({ gadget: { instance, token } }: Surroundings) => ({ [instance]: token });
const calls =
  (count: number, params: (surroundings: Surroundings, index: number) => object): RoutePlan['plain'] =>
  (surroundings) => ({
    target: '/gantry/calls',
    ...json({
      tokens: tokens(surroundings),
      calls: times(count, (index) => ({
        id: `c${index}`,
        instance: surroundings.gadget.instance,
        operation: 'people.get',
        params: params(surroundings, index),
      })),
    }),
  });
const manyTokens = { ...Object.fromEntries(times(20_000, (index) => [`t${index}`, 'x'])) };

/** JSON-RPC, whose batches hold any operation. */
const rpc = (target: string): RoutePlan => {
  const batch =
    (count: number, call: (surroundings: Surroundings, index: number) => object): RoutePlan['plain'] =>
    (surroundings) => ({
      target,
      ...json(times(count, (index) => ({ id: String(index), ...call(surroundings, index) }))),
    });
  return {
    ...signed(() => ({ target, ...json({ id: '1', method: 'people.get', params: { userId: '@me' } }) })),
    large: {
      'a call with a megabyte of empty fields': () => ({
        target,
        ...json({ id: '1', method: 'people.get', params: { fields: times(340_000, () => '') } }),
      }),
      'a batch of 100': batch(100, () => ({ method: 'people.get', params: { userId: '@me', groupId: '@self' } })),
      'a batch over popular members': batch(100, ({ world }, index) => ({
        method: index % 2 === 0 ? 'people.get' : 'activities.get',
        params: { userId: popularIn(world), groupId: '@friends', startIndex: 4_000 + index, count: 100 },
      })),
    },
  };
};

function signed(plain: RoutePlan['plain'], more: Partial<RoutePlan> = {}): RoutePlan {
  return { reads: 'signature', who: ['anyone', 'member', 'app', 'key'], answers: ok, plain, ...more };
}

export const popularIn = ({ size }: World): string[] => times(size.popular, (index) => `p${index + 1}`);

/** A token endpoint. Access tokens are refused: no member allowed them. */
const tokenEndpoint = (target: string, flow: 'member' | 'admin'): RoutePlan => ({
  reads: flow === 'admin' ? 'admin signature' : 'signature',
  who: ['anyone', 'key'],
  answers: target.endsWith('access_token') ? [400, 401] : ok,
  plain: () => ({ target: target.endsWith('request_token') ? `${target}?oauth_callback=oob` : target }),
});

/** Requests of an author with a key. */
const delivery = (make: RoutePlan['plain'], more: Partial<RoutePlan> = {}): RoutePlan => ({
  reads: 'registry key',
  who: ['anyone', 'key'],
  answers: ok,
  plain: (surroundings) => {
    const { target, ...ask } = make(surroundings);
    return { target: `/gantry/registry${target}`, ...ask };
  },
  ...more,
});
const delivered = `/apps/${deliveredId}`;
const versionPath = ({ world }: Surroundings) => `${delivered}/versions/${world.delivery.version}`;
/** A list of as many files as a version may have, of which none is stored. */
const manyFiles = (count: number, { next }: Surroundings) =>
  times(count, (index) => {
    const digest = createHash('sha256').update(`${next()} ${index}`).digest('hex');
    return { path: `f${index}.js`, digest, type: 'text/javascript; charset=utf-8', size: 1, chunks: [digest] };
  });
const listOf =
  (target: string, files: (surroundings: Surroundings) => readonly object[]): RoutePlan['plain'] =>
  (surroundings) => ({ target, ...json({ files: files(surroundings) }) });
const lists = (target: string): RoutePlan =>
  delivery(
    listOf(target, ({ world }) => world.delivery.files),
    {
      large: {
        '2,000 files': listOf(`/gantry/registry${target}`, (surroundings) => manyFiles(2_000, surroundings)),
        'many files': listOf(`/gantry/registry${target}`, (surroundings) => manyFiles(4_000, surroundings)),
        'bad files': listOf(`/gantry/registry${target}`, () => times(300_000, () => ({}))),
      },
    },
  );
const chunkOf = (content: Buffer): Omit<Ask, 'method'> => ({
  target: `/chunks/${createHash('sha256').update(content).digest('hex')}`,
  headers: { 'Content-Type': 'application/octet-stream' },
  body: content,
});

const record = (id: string) => ({ kind: 'member', id, displayName: `Member ${id}` });
const records =
  (make: (surroundings: Surroundings) => readonly object[]): RoutePlan['plain'] =>
  (surroundings) => ({ target: '/gantry/admin/records', ...json(make(surroundings)) });

const consentField = (flow: string) => (surroundings: Surroundings) => ({
  oauth_token: rowOf(flow)(surroundings),
  decision: 'allow',
});
const described = ({ next }: Surroundings) => ({ title: `Title ${next()}`, description: '', visibility: 'friends' });
const photoUpload = ({ person }: Surroundings) =>
  `/account/photos/album/${person === 'viewer' ? 'album' : 'bystander'}/upload`;

/** Sends a picture as scripts do. */
const upload = (image: () => Buffer) => (surroundings: Surroundings) => ({
  target: photoUpload(surroundings),
  headers: {
    'Content-Type': 'application/octet-stream',
    'X-Form-Token': surroundings.world.visitors[surroundings.person].formToken(photoUpload(surroundings)),
  },
  body: image(),
});

/** Makes a PNG in two colours, whose size says little about its pixels. */
function picture(width: number, height: number): () => Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  return () => {
    const head = Buffer.alloc(13);
    head.writeUInt32BE(width, 0);
    head.writeUInt32BE(height, 4);
    head[8] = 1; // one bit for each pixel
    const pixels = deflateSync(Buffer.alloc((1 + Math.ceil(width / 8)) * height));
    const signature = Buffer.from('89504e470d0a1a0a', 'hex');
    const parts = [chunk('IHDR', head), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))];
    return Buffer.concat([signature, ...parts]);
  };
}

/** Sends a form with files, or with fields only, as browsers without scripts do. */
function filesForm(
  surroundings: Surroundings,
  { files = 0, fields = 0, content = 'x' as string | Buffer, token = '' },
) {
  const part = (disposition: string, value: string | Buffer) =>
    Buffer.concat([
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`),
      Buffer.from(value),
      lineEnd,
    ]);
  const file = part('name="photos"; filename="a"', content);
  const parts = [
    part('name="form_token"', token),
    ...times(fields, () => field),
    ...times(files, () => file),
    Buffer.from(`--${boundary}--\r\n`),
  ];
  return {
    target: photoUpload(surroundings),
    headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` },
    body: Buffer.concat(parts),
  };
}
const boundary = 'b'.repeat(27); // the shortest that is accepted
const lineEnd = Buffer.from('\r\n');
const field = Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n`);

export const metricsToken = 'token-of-the-grid';

/** Every route of a site outside of REST. */
const fixedPlans: Readonly<Record<string, RoutePlan>> = {
  'GET /healthz': publicFile('/healthz'),
  'GET /readyz': publicFile('/readyz'),
  'GET /metrics': publicFile('', {
    plain: () => ({ target: '/metrics', headers: { Authorization: `Bearer ${metricsToken}` } }),
  }),
  'GET /openapi.json': publicFile('/openapi.json'),
  'GET /reference': publicFile('/reference'),
  'GET /opensocial/certificates': publicFile('/opensocial/certificates'),
  'GET /gantry/manifest.schema.json': publicFile('/gantry/manifest.schema.json'),
  'GET /gantry/osapi.js': publicFile('/gantry/osapi.js'),
  'GET /gantry/container.js': publicFile('/gantry/container.js'),
  'GET /gantry/chunks/{file}': publicFile('', { plain: ({ chunk }) => ({ target: `/gantry/chunks/${chunk}` }) }),
  'GET /gantry/self-test/{file}': publicFile('/gantry/self-test/page.js'),
  'GET /gantry/apps/{file}': publicFile(`/gantry/apps/${appId}/large.wasm`, {
    isFile: true,
    large: {
      'texts of 8 MiB, compressed': ({ next }) => ({
        target: `/gantry/apps/${appId}/${next() % texts}.txt`,
        headers: { 'Accept-Encoding': 'br' },
      }),
    },
  }),
  'GET /gantry/media/{token}': publicFile('', {
    isFile: true,
    plain: ({ world }) => ({ target: `/gantry/media/${world.photo}` }),
  }),
  'GET /oauth/request_token': tokenEndpoint('/oauth/request_token', 'member'),
  'POST /oauth/request_token': tokenEndpoint('/oauth/request_token', 'member'),
  'GET /oauth/access_token': tokenEndpoint('/oauth/access_token', 'member'),
  'POST /oauth/access_token': tokenEndpoint('/oauth/access_token', 'member'),
  'GET /admin/oauth/request_token': tokenEndpoint('/admin/oauth/request_token', 'admin'),
  'POST /admin/oauth/request_token': tokenEndpoint('/admin/oauth/request_token', 'admin'),
  'GET /admin/oauth/access_token': tokenEndpoint('/admin/oauth/access_token', 'admin'),
  'POST /admin/oauth/access_token': tokenEndpoint('/admin/oauth/access_token', 'admin'),
  'POST /gantry/admin/records': {
    reads: 'admin signature',
    who: ['anyone', 'key'],
    answers: ok,
    plain: records(({ next }) => [record(`r${next()}`)]),
    large: {
      '2,000 records': records(() => times(2_000, (index) => record(`m${index}`))),
      'many records': records(() => times(12_000, (index) => record(`m${index}`))),
      'bad records': records(() => times(100_000, () => ({}))),
    },
  },
  'GET /gantry/registry/openapi.json': publicFile('/gantry/registry/openapi.json'),
  'GET /gantry/registry/key': delivery(() => ({ target: '/key' })),
  'GET /gantry/registry/apps/{app}': delivery(() => ({ target: delivered })),
  'GET /gantry/registry/apps/{app}/history': delivery(() => ({ target: `${delivered}/history` })),
  'GET /gantry/registry/apps/{app}/versions/{version}': delivery((surroundings) => ({
    target: versionPath(surroundings),
  })),
  'POST /gantry/registry/apps/{app}/missing': lists(`${delivered}/missing`),
  'PUT /gantry/registry/chunks/{chunk}': delivery(() => chunkOf(Buffer.from('a chunk')), {
    large: {
      'a chunk of 256 KiB': () => {
        const { target, ...ask } = chunkOf(Buffer.alloc(262_144, 'x'));
        return { target: `/gantry/registry${target}`, ...ask };
      },
    },
  }),
  'POST /gantry/registry/apps/{app}/versions': lists(`${delivered}/versions`),
  // Live already: what approves and rolls back for good would be another request each time.
  'POST /gantry/registry/apps/{app}/versions/{version}/approve': delivery(
    (surroundings) => ({ target: `${versionPath(surroundings)}/approve`, ...json({}) }),
    { answers: [409] },
  ),
  'POST /gantry/registry/apps/{app}/versions/{version}/refuse': delivery(
    (surroundings) => ({ target: `${versionPath(surroundings)}/refuse`, ...json({}) }),
    { answers: [409] },
  ),
  'POST /gantry/registry/apps/{app}/versions/{version}/preview': delivery((surroundings) => ({
    target: `${versionPath(surroundings)}/preview`,
    ...json({ members: [spare.id] }),
  })),
  'POST /gantry/registry/apps/{app}/rollback': delivery(
    ({ world }) => ({ target: `${delivered}/rollback`, ...json({ version: world.delivery.version }) }),
    { answers: [409] },
  ),
  'POST /gantry/registry/apps/{app}/pause': delivery(() => ({ target: `${delivered}/pause`, ...json({}) })),
  'POST /gantry/registry/apps/{app}/resume': delivery(() => ({ target: `${delivered}/resume`, ...json({}) })),
  'POST /social/rpc': rpc('/social/rpc'),
  'POST /rpc': rpc('/rpc'),
  'POST /gantry/instances': call(() => ({ target: '/gantry/instances', ...json([{ app: appId }]) }), {
    large: {
      '100 gadgets': () => ({
        target: '/gantry/instances',
        ...json(times(100, () => ({ app: appId, owner: spare.id }))),
      }),
    },
  }),
  'POST /gantry/calls': call(
    calls(1, () => ({ userId: '@viewer', groupId: '@self' })),
    {
      large: {
        '500 calls': calls(500, (_, index) => ({ userId: '@viewer', groupId: '@friends', startIndex: index })),
        'calls over popular members': calls(50, ({ world }, index) => ({
          userId: popularIn(world),
          groupId: '@friends',
          startIndex: 4_000 + index,
          count: 100,
        })),
        '20,000 tokens': () => ({ target: '/gantry/calls', ...json({ tokens: manyTokens, calls: [] }) }),
      },
    },
  ),
  'POST /gantry/events': call(
    (surroundings) => ({
      target: '/gantry/events',
      ...json({ tokens: tokens(surroundings), since: [surroundings.gadget.since] }),
    }),
    {
      isStream: true,
      large: { '20,000 tokens': () => ({ target: '/gantry/events', ...json({ tokens: manyTokens, since: ['x'] }) }) },
    },
  ),
  'POST /gantry/grants': call(
    ({ gadget }) => ({ target: '/gantry/grants', ...json({ token: gadget.token, grant: ['people.get'] }) }),
    {
      large: {
        '200 names': ({ gadget }) => ({
          target: '/gantry/grants',
          ...json({ token: gadget.token, grant: times(200, (index) => `${index}${'x'.repeat(290)}`) }),
        }),
      },
    },
  ),
  'POST /gantry/previews': call(({ gadget }) => ({
    target: '/gantry/previews',
    ...json({ token: gadget.token, accept: true }),
  })),
  'GET /account': page('/account'),
  'GET /account/apps': page('/account/apps'),
  'GET /account/apps/revoke': page('/account/apps/revoke'),
  'POST /account/apps/revoke': page('/account/apps/revoke', { fields: () => ({ consumer: 'none', flow: 'member' }) }),
  'GET /account/apps/withdraw': page('/account/apps/withdraw'),
  'POST /account/apps/withdraw': page('/account/apps/withdraw', { fields: () => ({ app: 'none' }), as: 'spare' }),
  'GET /account/keys': page('/account/keys'),
  'POST /account/keys': page('/account/keys', {
    fields: ({ next }) => ({ title: `Key ${next()}` }),
    answers: [200, 400], // a member has at most 50
  }),
  'GET /account/keys/revoke': page('/account/keys/revoke'),
  'POST /account/keys/revoke': page('/account/keys/revoke', { fields: () => ({ key: 'none' }) }),
  'GET /oauth/authorize': page('/oauth/authorize?oauth_token=member-1'),
  'POST /oauth/authorize': page('/oauth/authorize', { fields: consentField('member') }),
  'GET /admin/oauth/authorize': page('/admin/oauth/authorize?oauth_token=admin-1'),
  'POST /admin/oauth/authorize': page('/admin/oauth/authorize', { fields: consentField('admin') }),
  'GET /account/sign-in': page('/account/sign-in'),
  'POST /account/sign-in': page('/account/sign-in', {
    fields: () => ({ member: spare.id, password: spare.password }),
    as: 'anonymous',
  }),
  'GET /account/sign-out': page('/account/sign-out'),
  'POST /account/sign-out': page('/account/sign-out', { fields: nothing, as: 'anonymous' }),
  'GET /account/password': page('/account/password'),
  'POST /account/password': page('/account/password', {
    fields: () => ({ old: 'wrong', new: 'another password' }),
    answers: [400, 401, 403, 429],
    as: 'spare',
  }),
  'GET /account/photos': page('/account/photos'),
  'GET /account/photos/new-album': page('/account/photos/new-album'),
  'POST /account/photos/new-album': page('/account/photos/new-album', { fields: described }),
  'GET /account/photos/album/{id}': page('/account/photos/album/album'),
  'GET /account/photos/album/{id}/edit': page('/account/photos/album/album/edit'),
  'POST /account/photos/album/{id}/edit': page('/account/photos/album/album/edit', { fields: described }),
  'GET /account/photos/album/{id}/delete': page('/account/photos/album/album/delete'),
  'POST /account/photos/album/{id}/delete': page(
    (surroundings) => `/account/photos/album/${rowOf('album')(surroundings)}/delete`,
    { fields: nothing, as: 'spare' },
  ),
  'GET /account/photos/album/{id}/upload': page(photoUpload),
  'POST /account/photos/album/{id}/upload': {
    ...page(photoUpload),
    plain: (surroundings) =>
      filesForm(surroundings, {
        files: 1,
        content: smallPicture,
        token: surroundings.world.visitors[surroundings.person].formToken(photoUpload(surroundings)),
      }),
    large: {
      '300,000 files of a byte': (surroundings) => filesForm(surroundings, { files: 300_000 }),
      '350,000 fields': (surroundings) => filesForm(surroundings, { fields: 350_000 }),
    },
  },
  'PUT /account/photos/album/{id}/upload': {
    ...page(photoUpload),
    answers: ok,
    plain: upload(() => smallPicture),
    large: {
      'a picture of 50,000,000 × 1': upload(picture(50_000_000, 1)),
      'a picture of 1 × 50,000,000': upload(picture(1, 50_000_000)),
      'a picture of 7,000 × 7,000': upload(picture(7_000, 7_000)),
    },
  },
  'GET /account/photos/photo/{id}': page('/account/photos/photo/photo'),
  'POST /account/photos/photo/{id}': page('/account/photos/photo/photo', { fields: described }),
  'GET /account/photos/photo/{id}/delete': page('/account/photos/photo/photo/delete'),
  'POST /account/photos/photo/{id}/delete': page(
    (surroundings) => `/account/photos/photo/${rowOf('item')(surroundings)}/delete`,
    { fields: nothing, as: 'spare' },
  ),
  'GET /account/photos/photo/{id}/preview': page('/account/photos/photo/photo/preview'),
};

/** Parts of the paths of REST. */
const segments: Readonly<Record<string, string>> = {
  '{guid}': '@me',
  '{groupid}': 'group',
  '{pid}': 'p1',
  '{appid}': '@app',
  '{activityid}': 'one',
  '{albumId}': 'album',
  '{mediaItemId}': 'photo',
};

const bodies: Readonly<Record<string, (surroundings: Surroundings) => object>> = {
  activities: ({ next }) => ({ title: `Post ${next()}` }),
  appdata: ({ next }) => ({ a: String(next()) }),
  albums: described,
  mediaitems: described,
};

const restRoot = '/social/rest/';

function restPlan(method: string, path: string): RoutePlan | undefined {
  const template = path.slice(restRoot.length).split('/');
  const [service = ''] = template;
  const body = bodies[service.toLowerCase()];
  const needsBody = method === 'POST' || method === 'PUT';
  if (template.some((part) => part.startsWith('{') && !(part in segments)) || (needsBody && !body)) return undefined;
  const fill = (values: Readonly<Record<string, string>>) =>
    restRoot + template.map((part) => values[part] ?? segments[part] ?? part).join('/');
  const send = (surroundings: Surroundings, target: string) => ({
    target,
    ...(needsBody && json(body?.(surroundings))),
  });
  const query = method === 'DELETE' && service === 'appData' ? '?fields=a' : '';
  const large: RoutePlan['large'] = {
    'the last page': (surroundings) => send(surroundings, `${fill({})}?startIndex=9900&count=100`),
    '1,000 fields': (surroundings) =>
      send(surroundings, `${fill({})}?fields=${times(1_000, (index) => `field${index}`).join()}`),
  };
  const popular: RoutePlan['large'] = {
    'popular members': (surroundings) =>
      send(surroundings, `${fill({ '{guid}': popularIn(surroundings.world).join() })}?count=100`),
    'the last page of popular members': (surroundings) =>
      send(surroundings, `${fill({ '{guid}': popularIn(surroundings.world).join() })}?count=100&startIndex=4900`),
  };
  return signed((surroundings) => send(surroundings, fill({}) + query), {
    ...(template.includes('{appid}') && { who: ['anyone', 'member', 'app'] }), // an app's own key only
    answers: [...ok, 501],
    ...(method === 'GET' && { large: { ...large, ...(template.includes('{guid}') && popular) } }),
  });
}

/** Returns how a route is asked; `undefined` for a route that the grid does not know. */
export function planOf(route: string): RoutePlan | undefined {
  const [method = '', path = ''] = route.split(' ');
  if (path.startsWith(restRoot)) return restPlan(method, path);
  return Object.hasOwn(fixedPlans, route) ? fixedPlans[route] : undefined;
}

/** Routes of the table, outside of REST. */
export const fixedRoutes: readonly string[] = Object.keys(fixedPlans);
