import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signRequest } from '@gantry/oauth';
import {
  createService,
  importWorld,
  type Nonces,
  openNonceLog,
  type Service,
  type ServiceOptions,
  serviceMigrations,
} from '@gantry/service';
import { type Database, migrate } from '@gantry/store';

export const publicUrl = 'https://social.example';
export const secretKey = new Uint8Array(32).fill(7);

/** Site on one database, with a clock that only tests move. */
export interface Site {
  readonly db: Database;
  readonly service: Service;
  readonly mediaFolder: string;
  nowMs: number;
  /** Imports more records. */
  add(world: object, folder?: string): Promise<void>;
  send(call: SignedCall): Promise<Reply>;
  /** Sends GET for member 1 with the container key of `notes`, unless the options differ. */
  get(path: string, options?: Omit<SignedCall, 'path'>): Promise<Reply>;
}

export interface SignedCall {
  readonly method?: string;
  /** Path and query below `/social/rest`. */
  readonly path: string;
  /** Requestor; `null` sends none. */
  readonly as?: string | null;
  readonly key?: string;
  readonly secret?: string;
  readonly token?: { readonly key: string; readonly secret: string };
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly timestamp?: number;
  readonly nonce?: string;
  /** Sent instead of the signed target. */
  readonly target?: string;
  /** `false` sends no `Authorization`. */
  readonly signed?: boolean;
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: Body;
}

/** Members of a JSON answer; a test reads those it expects. */
export interface Body {
  readonly entry?: unknown;
  readonly startIndex?: number;
  readonly totalResults?: number;
  readonly itemsPerPage?: number;
  readonly error?: { readonly code: number; readonly message: string };
}

/** Returns the items of a list answer. */
export function items(reply: Reply): readonly Readonly<Record<string, unknown>>[] {
  return reply.json.entry as readonly Readonly<Record<string, unknown>>[];
}

export function ids(reply: Reply): readonly unknown[] {
  return items(reply).map((item) => item.id);
}

let nonces = 0;

/** Opens an empty store of nonces. */
export function newNonces(): Promise<Nonces> {
  return openNonceLog(mkdtempSync(join(tmpdir(), 'gantry-nonces-')), { now: () => start });
}

export const start = Date.parse('2026-05-20T12:00:00Z');

export async function openSite(
  open: () => Promise<Database>,
  world: object = {},
  options: Pick<ServiceOptions, 'random'> = {},
): Promise<Site> {
  const db = await open();
  await migrate(db, { name: 'service', migrations: serviceMigrations });
  const mediaFolder = mkdtempSync(join(tmpdir(), 'gantry-media-'));
  const clock = { nowMs: start };
  const now = () => clock.nowMs;
  const service = await serviceOf({ db, mediaFolder }, { now, ...options });
  const site: Site = Object.assign(clock, {
    db,
    service,
    mediaFolder,
    nowMs: start,
    async add(more: object, folder = '.') {
      await importWorld(db, more, { folder, mediaFolder, secretKey, now });
    },
    send: (call: SignedCall) => send(service, { timestamp: Math.floor(clock.nowMs / 1000), ...call }),
    get: (path: string, options: Omit<SignedCall, 'path'> = {}) => site.send({ ...options, path }),
  });
  await site.add(world);
  return site;
}

/** Creates another service on a site's database, with some options changed. */
export async function serviceOf(
  { db, mediaFolder }: Pick<Site, 'db' | 'mediaFolder'>,
  changes: Partial<ServiceOptions> = {},
): Promise<Service> {
  const nonces = changes.nonces ?? (await newNonces());
  return createService({ db, mediaFolder, publicUrl, secretKey, now: () => start, ...changes, nonces });
}

export async function send(service: Service, call: SignedCall & { readonly timestamp: number }): Promise<Reply> {
  const { method = 'GET', path, as = '1', key = 'notes-container', secret = 'secret', body, headers = {} } = call;
  const target = `/social/rest${path}`;
  const request = new Request(publicUrl + (call.target ?? target), {
    method,
    headers: {
      ...(call.signed !== false && {
        authorization: signRequest({
          method,
          url: publicUrl + target,
          consumer: { key, secret },
          ...(call.token && { token: call.token }),
          ...(as !== null && { parameters: [['xoauth_requestor_id', as]] }),
          timestamp: call.timestamp,
          nonce: call.nonce ?? `n${++nonces}`,
        }).authorization,
      }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && {
      body: typeof body === 'string' ? body : body instanceof Uint8Array ? Buffer.from(body) : JSON.stringify(body),
    }),
  });
  const response = await service.handle(request, call.target ?? target);
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: isJson && text ? JSON.parse(text) : {},
  };
}

/** Keys of every test world: for the app `notes` or `photos`, or a member's. */
export const consumers = [
  { key: 'notes-container', secret: 'secret', kind: 'app', appId: 'notes', container: true },
  { key: 'notes-app', secret: 'secret', kind: 'app', appId: 'notes' },
  { key: 'photos-container', secret: 'secret', kind: 'app', appId: 'photos', container: true },
  { key: 'member-1', secret: 'secret', kind: 'member', memberId: '1' },
  { key: 'member-2', secret: 'secret', kind: 'member', memberId: '2' },
  { key: 'admin-any', secret: 'secret', kind: 'admin', anyMember: true },
  { key: 'admin', secret: 'secret', kind: 'admin' },
];

export const apps = [
  { id: 'notes', title: 'Notes', url: 'https://apps.example/notes' },
  { id: 'photos', title: 'Photos', url: 'https://apps.example/photos' },
];

/**
 * Ann (1) has the friends Bo (2) and Cy (10). Di (3) is a friend of Bo only. Ed (4) has blocked Ann
 * and is Bo's friend. Fay (5) is Ann's friend without the app. Ann, Bo, Di and Ed have `notes`.
 */
export const village = {
  site: { name: 'Village' },
  members: [
    {
      id: '1',
      displayName: 'Ann',
      thumbnailUrl: '/faces/1.svg',
      aboutMe: 'Counts things.',
      region: 'Kent',
      birthday: '1990/05/21',
      gender: 'female',
      language: 'en',
    },
    {
      id: '2',
      displayName: 'Bo',
      thumbnailUrl: 'https://faces.example/2.png',
      aboutMe: 'Only for friends.',
      birthday: '1980/02/29',
      gender: 'male',
      visibility: { aboutMe: 'friends', age: 'private', gender: 'private' },
    },
    { id: '3', displayName: 'Di', birthday: '1970/01/01', visibility: { birthday: 'friends' } },
    { id: '4', displayName: 'Ed' },
    { id: '5', displayName: 'Fay' },
    { id: '10', displayName: 'Cy' },
  ],
  friendships: [
    ['1', '2'],
    ['1', '10'],
    ['5', '1'],
    ['2', '3'],
    ['2', '4'],
  ],
  blocks: [['4', '1']],
  apps,
  installs: [
    { appId: 'notes', memberId: '1' },
    { appId: 'notes', memberId: '2' },
    { appId: 'notes', memberId: '3' },
    { appId: 'notes', memberId: '4' },
  ],
  consumers,
};
