import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signRequest } from '@gantry/oauth';
import { importWorld } from '@gantry/service';
import { type RunningServer, readServerConfiguration, type Stores, startServer } from '../src/index.ts';

/** A server on its own port and data folder, with the small world below. */
export interface RunningSite {
  readonly server: RunningServer;
  /** The port that it listens on; the same as its address's where that is local. */
  readonly port: number;
  readonly data: string;
  /** Sends a signed request, by default of member 1 through the key of the app `notes`. */
  ask(path: string, options?: AskOptions): Promise<Response>;
  stop(): Promise<void>;
}

export interface AskOptions {
  readonly method?: string;
  readonly as?: string;
  readonly key?: string;
  readonly secret?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Seconds since the epoch. Default: now. */
  readonly timestamp?: number;
}

export const world = {
  members: [
    { id: '1', displayName: 'Ada', birthday: '1990/05/21' },
    { id: '2', displayName: 'Bo' },
    { id: '3', displayName: 'Cy' },
  ],
  friendships: [
    ['1', '2'],
    ['1', '3'],
  ],
  apps: [{ id: 'notes', title: 'Notes', url: 'https://apps.example/notes/' }],
  installs: [
    { appId: 'notes', memberId: '1' },
    { appId: 'notes', memberId: '2' },
  ],
  consumers: [
    { key: 'notes-key', secret: 'notes-secret', kind: 'app', appId: 'notes' },
    { key: 'member-key', secret: 'member-secret', kind: 'member', memberId: '2' },
  ],
};

/** Loads the world into a site that has not started. */
export async function prepareWorld(stores: Stores): Promise<void> {
  await importWorld(stores.db, world, { ...stores, folder: '.' });
}

/** Signs a request, by default for member 1 through the key of the app `notes`. */
export function signed(url: string, options: AskOptions = {}): RequestInit {
  const { method = 'GET', as = '1', key = 'notes-key', secret = 'notes-secret', body, headers } = options;
  const { timestamp = Math.floor(Date.now() / 1000) } = options;
  const { authorization } = signRequest({
    method,
    url,
    consumer: { key, secret },
    parameters: [['xoauth_requestor_id', as]],
    timestamp,
    nonce: crypto.randomUUID(),
  });
  const type = body === undefined ? {} : { 'Content-Type': 'application/json' };
  return {
    method,
    headers: { Authorization: authorization, ...type, ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
}

/**
 * @param args Flags of `gantry serve`.
 * @param existing A data folder that has a site already.
 */
export async function runSite(
  args: readonly string[] = [],
  env: Record<string, string> = {},
  existing?: string,
): Promise<RunningSite> {
  const data = existing ?? (await mkdtemp(join(tmpdir(), 'gantry-site-')));
  const server = await startServer({
    configuration: readServerConfiguration(['--port', '0', '--data', data, ...args], env),
    ...(existing === undefined && { prepare: prepareWorld }),
  });
  return {
    server,
    port: server.port,
    data,
    ask(path, options) {
      const url = `${server.url}/social/rest${path}`;
      return fetch(url, signed(url, options));
    },
    async stop() {
      await server.close();
      await rm(data, { recursive: true });
    },
  };
}
