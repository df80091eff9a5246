import { randomBytes } from 'node:crypto';
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { addRegistryKey, type VersionFile } from '@gantry/proxy';
import { addApp, openStores, type Stores } from '@gantry/server';
import { importWorld } from '@gantry/service';
import { type Database, type Statement, sql } from '@gantry/store';
import { createForms } from '../../../packages/account/src/http/forms.ts';
import { formCookie } from '../../../packages/account/src/sign-in/form-cookie.ts';
import { createSessions } from '../../../packages/account/src/sign-in/sessions.ts';

const range = (count: number, prefix: string) => Array.from({ length: count }, (_, index) => `${prefix}${index + 1}`);

/** Popular members: each has thousands of friends and posts, and the viewer is a friend of all. */
export const popular = range(100, 'p');
/** The members who are signed in. The second one's session, password and keys may be used up. */
export const viewer = { id: '1', password: 'right password' };
export const spare = { id: '2', password: 'right password' };
/** A member who asks while the others attack. */
export const bystander = { id: '3', password: 'right password' };

export const consumers = {
  app: { key: 'grid-app', secret: 'secret' },
  member: { key: 'grid-member', secret: 'secret' },
  admin: { key: 'grid-admin', secret: 'secret' },
} as const;

export const appId = 'grid';
export const deliveredId = 'delivered';
const keysOfPerson = 100;
/** Rows that requests use up: albums, photos of one album, request tokens. */
export const deletable = 5_000;

/** Numbers of a site: the whole grid has a larger one than the tests. */
export interface WorldSize {
  readonly friends: number;
  readonly posts: number;
  readonly popular: number;
}

export const sizes = {
  whole: { friends: 5_000, posts: 10_000, popular: popular.length },
  short: { friends: 5_000, posts: 10_000, popular: 20 }, // few, but enough to show an unbounded list
} satisfies Record<string, WorldSize>;

/** Large enough to show, and small enough for a machine that holds a hundred of them. */
export const fileBytes = 16 * 2 ** 20;
/** Files of the app that are just small enough to be compressed. */
export const texts = 64;

/** Facts of a prepared site that requests need. */
export interface World {
  readonly size: WorldSize;
  /** Token of the large photo. */
  readonly photo: string;
  /** Cookies of the signed-in members and tokens of their forms. */
  readonly visitors: Readonly<Record<Visitor, Browser>>;
  readonly delivery: Delivery;
}

/** An app that is delivered over HTTP, and keys that may do everything with it. */
export interface Delivery {
  /** Many, since each may send a few thousand requests only. */
  readonly keys: Readonly<Record<'viewer' | 'bystander', readonly string[]>>;
  /** The live version. */
  readonly files: readonly VersionFile[];
  readonly version: string;
}

type Visitor = 'viewer' | 'spare' | 'bystander' | 'anonymous';

export interface Browser {
  readonly cookie: string;
  formToken(path: string): string;
}

/** Public address of the site, whatever port it listens on. */
export const publicUrl = 'http://localhost:4400';

/** Prepares the data of the attacked site. */
export async function prepareWorld(
  place: { readonly data: string; readonly database: string },
  size: WorldSize,
): Promise<World> {
  const { data } = place;
  const folder = join(data, 'sources');
  mkdirSync(join(folder, 'app'), { recursive: true });
  writeFileSync(join(folder, 'photo.png'), smallPicture);
  writeFileSync(join(folder, 'app', 'gadget.json'), JSON.stringify({ name: 'Grid', page: 'index.html', uses }));
  writeFileSync(join(folder, 'app', 'index.html'), '<!doctype html>');
  writeFileSync(join(folder, 'app', 'large.wasm'), '');
  truncateSync(join(folder, 'app', 'large.wasm'), fileBytes);
  for (let index = 0; index < texts; index++) {
    writeFileSync(join(folder, 'app', `${index}.txt`), '');
    truncateSync(join(folder, 'app', `${index}.txt`), fileBytes / 2);
  }
  const stores = await openStores(place);
  try {
    const { db, mediaFolder } = stores;
    await importWorld(db, worldOf(size), { ...stores, folder });
    await addApp(stores, { id: appId, folder: join(folder, 'app'), live: true, trusted: true });
    for (const statements of largeLists(size)) await db.batch(statements);
    const photo = await enlargePhoto(db, mediaFolder);
    return { size, photo, visitors: await openBrowsers(stores), delivery: await deliver(stores, folder) };
  } finally {
    await stores.db.close();
  }
}

async function deliver(stores: Stores, folder: string): Promise<Delivery> {
  const { db } = stores;
  const keyOf = async () => (await addRegistryKey(db, { apps: [deliveredId], may: 'live' })).key;
  const keys = async () => Promise.all(range(keysOfPerson, '').map(keyOf));
  const app = join(folder, 'delivered');
  mkdirSync(app);
  writeFileSync(join(app, 'index.html'), '<!doctype html>');
  writeFileSync(join(app, 'gadget.json'), JSON.stringify({ name: 'Delivered', page: 'index.html' }));
  const { version } = await addApp(stores, { id: deliveredId, folder: app });
  if (!version) throw new Error('The app was not stored.');
  const { files, digest } = version;
  return { keys: { viewer: await keys(), bystander: await keys() }, files, version: digest };
}

async function openBrowsers({ db, secretKey }: Stores): Promise<World['visitors']> {
  const sessions = createSessions({ db, publicUrl, now: Date.now, random: randomBytes });
  const forms = createForms({ secretKey, now: () => Date.now() - 1_000 }); // sooner than a second is too soon
  async function signedIn({ id }: { readonly id: string }): Promise<Browser> {
    const cookie = pairOf(await sessions.begin(id, new Request(publicUrl)));
    const session = await sessions.find(new Request(publicUrl, { headers: { cookie } }));
    return { cookie, formToken: tokenOf(`session/${session?.digest}`) };
  }
  const tokenOf = (owner: string) => (action: string) =>
    /value="([^"]+)"/.exec(String(forms.field({ owner, action })))?.[1] ?? '';
  const anonymous = 'browser/0123456789abcdefghijkl';
  return {
    viewer: await signedIn(viewer),
    spare: await signedIn(spare),
    bystander: await signedIn(bystander),
    anonymous: { cookie: pairOf(formCookie(publicUrl).write(anonymous)), formToken: tokenOf(anonymous) },
  };
}

const pairOf = (setCookie: string) => setCookie.split(';')[0] ?? '';

const uses = ['people.get', 'activities.get', 'activities.create', 'appdata.get', 'appdata.update', 'albums.get'];

function worldOf({ friends, popular: count }: WorldSize) {
  const ids = [viewer.id, spare.id, bystander.id, ...popular.slice(0, count), ...range(friends, 'f')];
  const passwords: readonly { readonly id: string; readonly password: string }[] = [viewer, spare, bystander];
  const password = (id: string) => passwords.find((one) => one.id === id)?.password;
  return {
    site: {
      name: 'Grid',
      settings: { minimumInterval: 0, albumsPerMember: 10_000, photosPerAlbum: 10_000, memberMegabytes: 999_999 },
    },
    members: ids.map((id) => ({
      id,
      displayName: `Member ${id}`,
      ...(password(id) && { password: password(id) }),
      ...(id === viewer.id && { admin: true }),
    })),
    apps: [{ id: appId, title: 'Grid', url: 'https://apps.example/grid/' }],
    installs: [viewer.id, spare.id, bystander.id].map((memberId) => ({ appId, memberId })),
    consumers: [
      { ...consumers.app, kind: 'app', appId },
      { ...consumers.member, kind: 'member', memberId: viewer.id },
      { ...consumers.admin, kind: 'admin', anyMember: true },
    ],
    activities: [{ id: 'one', userId: viewer.id, appId, title: 'One', postedTime: '2026-05-01T09:30:00Z' }],
    appData: [{ appId, memberId: viewer.id, data: { a: 'x' } }],
    albums: [
      { id: 'album', ownerId: viewer.id },
      { id: 'spare', ownerId: spare.id },
      { id: 'bystander', ownerId: bystander.id },
    ].map((album) => ({ ...album, title: 'Album', description: '' })),
    mediaItems: [{ id: 'photo', albumId: 'album', title: 'Photo', description: '', file: 'photo.png' }],
  };
}

/** Rows in numbers that an import would take minutes for. */
function largeLists({ friends, posts, popular: count }: WorldSize): Statement[][] {
  const ids = [viewer.id, ...popular.slice(0, count)];
  const lists = ids.map((id) => [
    sql`insert into friendship (member_id, friend_id) ${numbers(friends)} select ${id}, 'f' || i from n`,
    sql`insert into friendship (member_id, friend_id) ${numbers(friends)} select 'f' || i, ${id} from n`,
    sql`insert into activity (id, member_id, app_id, title, url, posted_at_s) ${numbers(posts)}
      select ${`${id}-`} || i, ${id}, null, 'A post', null, 1770000000 + i from n`,
    ...(id === viewer.id ? [] : friendship(viewer.id, id)),
  ]);
  const album = sql`insert into album (id, member_id, title, description, thumbnail_url, media_type, level)
    ${numbers(deletable)} select 'album-' || i, ${spare.id}, 'Album', '', '', '', 0 from n`;
  const [nowMs, laterMs] = [Date.now(), Date.now() + 86_400_000];
  const consumer = sql`insert into consumer
    (key, kind, method, sealed_secret, member_id, app_id, container, any_member, created_at_ms)
    values ('grid-consent', 'admin', 'HMAC-SHA1', '', null, null, 0, 0, ${nowMs})`;
  const pending = (flow: string) => sql`insert into request_token
    (token, consumer_key, flow, sealed_secret, callback, expires_at_ms)
    ${numbers(deletable)} select ${`${flow}-`} || i, 'grid-consent', ${flow}, '', 'oob', ${laterMs} from n`;
  const item = sql`insert into media_item
    (id, album_id, title, description, type, created_at_s, updated_at_s, file_size, url, thumbnail_url, level)
    ${numbers(deletable)} select 'item-' || i, 'spare', 'Photo', '', 'IMAGE', 0, 0, 0, '', '', 0 from n`;
  return [...lists, [...friendship(viewer.id, spare.id), album, item, consumer, pending('member'), pending('admin')]];
}

const numbers = (count: number) =>
  sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})`;

const friendship = (a: string, b: string) => [
  sql`insert into friendship (member_id, friend_id) values (${a}, ${b})`,
  sql`insert into friendship (member_id, friend_id) values (${b}, ${a})`,
];

/** Makes the viewer's photo as large as a photo may be: what serves it does not look into it. */
async function enlargePhoto(db: Database, mediaFolder: string): Promise<string> {
  const files = await db.query<{ token: string; file: string }>(sql`select token, file from media_file`);
  for (const { file } of files) truncateSync(join(mediaFolder, file), fileBytes);
  const token = files[0]?.token;
  if (token === undefined) throw new Error('The photo was not stored.');
  return token;
}

/** A PNG of one pixel. */
export const smallPicture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
