import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  addRegistryKey,
  type KeyMay,
  type MissingAnswer,
  type PushAnswer,
  toVersionList,
  type VersionFile,
  type VersionList,
} from '@gantry/proxy';
import { importWorld } from '@gantry/service';
import pino from 'pino';
import { digestOf, toVersionFile } from '../../../proxy/src/versions/version-list.ts';
import { createSchema } from '../../../store/test/postgres.ts';
import { createGantry, type Gantry } from '../../src/index.ts';
import { world } from '../running-site.ts';

export const siteUrl = 'https://social.example';

export const databases = [
  { name: 'SQLite', database: async () => undefined },
  { name: 'PostgreSQL', database: createSchema },
] as const;

/** Files of an app as texts, by path. */
export type Texts = Readonly<Record<string, string>>;

/** An app of one page; further files and members of its manifest as given. */
export function quiz(manifest: object = {}, more: Texts = {}): Texts {
  const page = '<!doctype html><title>Quiz</title>';
  return {
    'gadget.json': JSON.stringify({ name: 'Quiz', page: 'index.html', ...manifest }),
    'index.html': page,
    ...more,
  };
}

/** Lists texts as a version, with the bytes of its chunks. Each text fits into one. */
export function listed(texts: Texts): { readonly list: VersionList; readonly chunks: ReadonlyMap<string, Buffer> } {
  const bytes = Object.entries(texts).map(([path, text]) => [path, Buffer.from(text)] as const);
  const files = bytes.map(([path, content]) =>
    toVersionFile({ path, size: content.length, chunks: [digestOf(content)] }),
  );
  return { list: toVersionList(files), chunks: new Map(bytes.map(([, content]) => [digestOf(content), content])) };
}

export interface Reply<Json = unknown> {
  readonly status: number;
  readonly headers: Headers;
  readonly json: Json & { readonly error?: { readonly code: number; readonly message: string } };
}

/** A client with one key. */
export interface Client {
  readonly id: string;
  readonly key: string;
  ask<Json = unknown>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Reply<Json>>;
  /** Pushes as the command does, and resolves with the answer to the commit. */
  push(app: string, texts: Texts, commit?: object): Promise<Reply<PushAnswer>>;
  /** Sends the list and the missing chunks, and no commit. */
  send(app: string, texts: Texts): Promise<{ readonly version: string; readonly files: readonly VersionFile[] }>;
}

export interface DeliverySite {
  readonly gantry: Gantry;
  readonly clock: { nowMs: number };
  client(may: KeyMay, apps?: readonly string[], days?: number): Promise<Client>;
  /** A request as it is, without a key. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  close(): Promise<void>;
}

/** Opens a whole site with the members 1, 2 and 3, whose clock stands still. */
export async function openDeliverySite(kind: (typeof databases)[number], url = siteUrl): Promise<DeliverySite> {
  const data = await mkdtemp(join(tmpdir(), 'gantry-delivery-'));
  const schema = await kind.database();
  const database = schema?.url ?? join(data, 'gantry.db');
  const clock = { nowMs: Date.now() };
  const now = () => clock.nowMs;
  const gantry = await createGantry({ data, database, url, now, log: pino({ level: 'silent' }) });
  await importWorld(gantry.stores.db, world, { ...gantry.stores, folder: '.' });

  const site: DeliverySite = {
    gantry,
    clock,
    fetch: (path, init) => gantry.fetch(new Request(url + path, init)),
    async client(may, apps = ['quiz'], days) {
      const { id, key } = await addRegistryKey(gantry.stores.db, { apps, may, now, ...(days && { days }) });
      return clientOf(site, { id, key });
    },
    async close() {
      await gantry.close();
      await schema?.remove();
      await rm(data, { recursive: true });
    },
  };
  return site;
}

export function clientOf(site: Pick<DeliverySite, 'fetch'>, { id, key }: Pick<Client, 'id' | 'key'>): Client {
  const client: Client = {
    id,
    key,
    async ask<Json>(method: string, path: string, body?: unknown, more: Record<string, string> = {}) {
      const isBytes = body instanceof Uint8Array;
      const type = isBytes ? 'application/octet-stream' : 'application/json';
      const response = await site.fetch(`/gantry/registry${path}`, {
        method,
        headers: { Authorization: `Bearer ${key}`, ...(body !== undefined && { 'Content-Type': type }), ...more },
        ...(body !== undefined && { body: isBytes ? new Uint8Array(body) : JSON.stringify(body) }),
      });
      const text = await response.text();
      return {
        status: response.status,
        headers: response.headers,
        json: (text === '' ? {} : JSON.parse(text)) as Json & Reply['json'],
      };
    },
    async send(app, texts) {
      const { list, chunks } = listed(texts);
      const { json } = await client.ask<MissingAnswer>('POST', `/apps/${app}/missing`, { files: list.files });
      for (const digest of json.missing ?? []) {
        const { status, json: problem } = await client.ask('PUT', `/chunks/${digest}`, chunks.get(digest));
        if (status !== 204) throw new Error(JSON.stringify(problem));
      }
      return { version: list.digest, files: list.files };
    },
    async push(app, texts, commit = {}) {
      const { files } = await client.send(app, texts);
      return client.ask<PushAnswer>('POST', `/apps/${app}/versions`, { files, ...commit });
    },
  };
  return client;
}
