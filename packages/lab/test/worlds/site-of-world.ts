import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signRequest } from '@gantry/oauth';
import { createGantry } from '@gantry/server';
import { importWorld } from '@gantry/service';
import pino from 'pino';
import type { World } from '../../src/index.ts';

export interface SiteOfWorld {
  /** Returns what the service answers a member; throws for any status but 200. */
  get(member: string, path: string): Promise<Answer>;
  close(): Promise<void>;
}

export interface Answer {
  readonly entry: readonly Readonly<Record<string, unknown>>[] & Readonly<Record<string, unknown>>;
  readonly totalResults?: number;
}

const url = 'http://localhost:4400';
const consumer = { key: 'looker', secret: 'secret' };
const app = { id: 'looker', title: 'Looks through members' };

/**
 * Makes a site in memory with the data of a world, which is asked by a key that speaks for any
 * member.
 *
 * @param appId Id of the world's app whose AppData is read.
 */
export async function siteOfWorld(
  { file, folder }: Pick<World, 'file' | 'folder'>,
  appId = app.id,
): Promise<SiteOfWorld> {
  const data = await mkdtemp(join(tmpdir(), 'gantry-worlds-'));
  const log = pino({ level: 'silent' });
  const gantry = await createGantry({ data, database: ':memory:', url, viewer: () => undefined, log });
  const { apps = [], ...world } = file as { readonly apps?: readonly object[] };
  const all = { ...world, apps: [...apps, app], consumers: [{ ...consumer, kind: 'app', appId, container: true }] };
  async function close(): Promise<void> {
    await gantry.close();
    await rm(data, { recursive: true });
  }
  try {
    await importWorld(gantry.stores.db, all, { ...gantry.stores, folder });
  } catch (error) {
    await close();
    throw error;
  }
  return {
    async get(member, path) {
      const target = `/social/rest${path}${path.includes('?') ? '&' : '?'}xoauth_requestor_id=${member}`;
      const { authorization } = signRequest({
        method: 'GET',
        url: url + target,
        consumer,
        timestamp: Math.floor(Date.now() / 1_000),
        nonce: crypto.randomUUID(),
      });
      const headers = { Authorization: authorization, Host: 'localhost:4400' };
      const response = await gantry.fetch(new Request(url + target, { headers }), target);
      const body = await response.text();
      if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${body}`);
      return JSON.parse(body);
    },
    close,
  };
}
