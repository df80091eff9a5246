import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { inspect } from 'node:util';
import { createProxy, type GadgetProxy, type ProxyOptions, proxyMigrations, type UpstreamAnswer } from '@gantry/proxy';
import { type Database, type MigrationSet, migrate } from '@gantry/store';
import type { Call, CallReply, Instance, InstanceAnswer, InstanceRequest } from '@gantry/wire';
import { silentLogger } from '@gantry/wire/runtime';
import { migratedSqlite } from '../../store/test/migrated-sqlite.ts';
import { registerApp } from './register-app.ts';

export const siteUrl = 'http://site.example';
export const secretKey = new Uint8Array(32).fill(7);
export const startMs = Date.UTC(2026, 0, 1);

const tables: MigrationSet = { name: 'proxy', migrations: proxyMigrations };
const openMigrated = migratedSqlite(tables);

/** Key and secret of an app's consumer, easy to find in what leaks. */
export const consumerOf = (app: string) => ({ key: `ck-${app}-4711`, secret: `cs-${app}-0815-hidden` });

export interface Site {
  readonly proxy: GadgetProxy;
  readonly db: Database;
  readonly scripts: { readonly osapi: string; readonly container: string };
  /** The signed-in member; tests change it. */
  viewer: string | undefined;
  nowMs: number;
  readonly logged: string[];
  /** Lines at the level `info`. */
  readonly informed: object[];
  /** Every answer so far, headers included. */
  readonly seen: Promise<string>[];
  /** The page's own request, with all its headers. */
  post(path: string, body: unknown, change?: Record<string, string | undefined>): Promise<Response>;
  get(url: string, headers?: Record<string, string>): Promise<Response>;
  mount(request: InstanceRequest): Promise<Instance>;
  call(calls: readonly Call[], instances: readonly Instance[]): Promise<Map<string, CallReply>>;
}

/** An answer of an upstream, as JSON. */
export function says(value: unknown, answer: Partial<UpstreamAnswer> = {}): UpstreamAnswer {
  return { status: 200, text: JSON.stringify(value), ...answer };
}

/**
 * A site with the apps `friends` and `notes`, served from folders, and `elsewhere`, a remote one.
 */
export async function openSite(options: Partial<ProxyOptions> = {}): Promise<Site> {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-proxy-'));
  const scripts = { osapi: join(folder, 'osapi.js'), container: join(folder, 'container.js') };
  await writeFiles(folder, {
    'osapi.js': `globalThis.osapi = {}; globalThis.parent?.postMessage('sdk', '*'); // ${'compressible '.repeat(100)}`,
    'outside/secret.html': 'outside',
    'friends/index.html': '<!doctype html><title>Friends</title>',
    'friends/pages/a b.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    'friends/.env': 'SECRET=1',
    'friends/.git/config': 'x',
    'notes/index.html': '<!doctype html><title>Notes</title>',
  });
  const db = options.db ?? (await openMigrated());
  await migrate(db, tables);
  for (const id of ['friends', 'notes', 'elsewhere']) {
    const { key, secret } = consumerOf(id);
    const app = {
      id,
      ...(id === 'elsewhere' ? { url: 'https://apps.example/elsewhere?v=1' } : { folder: join(folder, id) }),
      manifest: {
        name: id.toUpperCase(),
        page: 'index.html',
        height: 320,
        uses: ['people.get', 'activities.get', 'activities.create', 'appdata.get', 'appdata.update', 'appdata.delete'],
        hosts: ['https://images.example'],
        preload: [{ operation: 'people.get', params: { groupId: '@friends' } }],
      },
      trusted: true,
      consumerKey: key,
      consumerSecret: secret,
    };
    // A second process has the same database.
    await registerApp(db, secretKey, app, { mode: 'update', newRegistration: () => `r-${id}` });
  }

  const logged: string[] = [];
  const informed: object[] = [];
  const seen: Promise<string>[] = [];
  const proxy = createProxy({
    db,
    upstream: async () => says({ entry: {} }),
    upstreamUrl: `${siteUrl}/social/rest`,
    publicUrl: siteUrl,
    viewer: async () => site.viewer,
    secretKey,
    tokenKeys: [{ id: '1', key: new Uint8Array(32).fill(9) }],
    scripts,
    now: () => site.nowMs,
    pause: async () => {},
    log: {
      ...silentLogger,
      error: (details, message) => logged.push(`${message} ${inspect(details)}`),
      info: (details, message) => informed.push({ ...details, message }),
    },
    ...options,
  });
  const site: Site = {
    proxy: {
      ...proxy,
      get streams() {
        return proxy.streams;
      },
      async handle(request) {
        const response = await proxy.handle(request);
        if (response.headers.get('content-type')?.startsWith('text/event-stream')) return response; // it does not end
        const copy = response.clone();
        seen.push(copy.text().then((text) => JSON.stringify([[...copy.headers], text])));
        return response;
      },
    },
    db,
    scripts,
    viewer: '7',
    nowMs: startMs,
    logged,
    informed,
    seen,
    post(path, body, change = {}) {
      const headers = new Headers({ 'Content-Type': 'application/json', 'Gantry-Container': '1', Origin: siteUrl });
      for (const [name, value] of Object.entries(change)) {
        if (value === undefined) headers.delete(name);
        else headers.set(name, value);
      }
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      return site.proxy.handle(new Request(new URL(path, siteUrl), { method: 'POST', headers, body: text }));
    },
    get: (url, headers = {}) => site.proxy.handle(new Request(new URL(url, siteUrl), { headers })),
    async mount(request) {
      const [answer] = (await (await site.post('/gantry/instances', [request])).json()) as InstanceAnswer[];
      if (!answer || 'error' in answer) throw new Error(`no instance: ${JSON.stringify(answer)}`);
      return answer.ok;
    },
    async call(calls, instances) {
      const tokens = Object.fromEntries(instances.map(({ instance, token }) => [instance, token]));
      const text = await (await site.post('/gantry/calls', { tokens, calls })).text();
      const replies = text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as CallReply]));
      return new Map(replies.map((reply) => [reply.id, reply]));
    },
  };
  return site;
}

/** A folder with the page of an app, for registrations of which only that matters. */
export async function appFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-app-'));
  await writeFiles(folder, { 'index.html': '<!doctype html><title>App</title>' });
  return folder;
}

export async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
}
