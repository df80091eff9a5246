import {
  createChunkStore,
  noFolder,
  type ProxyOptions,
  planRegistration,
  pointTo,
  proxyChangeLog,
  storeVersion,
  type VersionState,
} from '@gantry/proxy';
import { type Database, sql } from '@gantry/store';
import type { Instance, InstanceAnswer, InstanceRequest } from '@gantry/wire';
import { storeChunks } from '../../src/versions/version-source.ts';
import { openSite, type Site, secretKey } from '../site.ts';
import { type Contents, sourceOf } from './versions.ts';

export const page = '<!doctype html><title>Quiz</title>';

/** The files of an app that has some members in its manifest. */
export function appOf(manifest: object = {}, files: Contents = {}): Contents {
  return {
    'gadget.json': JSON.stringify({ name: 'Quiz', page: 'index.html', ...manifest }),
    'index.html': page,
    ...files,
  };
}

export interface StoredSite extends Site {
  /** Stores a version. Resolves with its digest. */
  push(contents: Contents, state?: Exclude<VersionState, 'refused'>): Promise<string>;
  /** Makes a version the live one, and registers the app if need be. */
  point(digest: string, options?: { readonly trusted?: boolean }): Promise<void>;
  /** `push` and `point`. */
  release(contents: Contents, options?: { readonly trusted?: boolean }): Promise<string>;
  ask(request?: Partial<InstanceRequest>): Promise<Instance>;
  answerOf(request?: Partial<InstanceRequest>): Promise<InstanceAnswer | undefined>;
}

/** A site whose app `quiz` has stored versions, of the registration `first`. */
export async function openStoredSite(options: Partial<ProxyOptions> & { db?: Database } = {}): Promise<StoredSite> {
  const site = await openSite(options);
  const { db } = site;
  const now = () => site.nowMs;
  const stores = { db, chunks: createChunkStore({ db, now }) };

  const push: StoredSite['push'] = async (contents, state = 'accepted') => {
    const source = sourceOf(contents);
    await storeChunks(stores.chunks, source);
    const version = { app: 'quiz', registration: 'first', list: source.list, state, by: 'test', nowMs: now() };
    return (await storeVersion(stores, version)).digest;
  };
  const point: StoredSite['point'] = async (digest, { trusted } = {}) => {
    const [before] = await db.query<{ version: string | null }>(sql`
      select version from app_registrations where id = 'quiz'`);
    const app = {
      ...{ id: 'quiz', folder: noFolder, manifest: { name: 'Quiz', page: 'index.html' }, trusted },
      ...{ consumerKey: 'key', consumerSecret: 'secret' },
    };
    const { statements } = before
      ? { statements: [] }
      : await planRegistration(db, secretKey, app, { now, newRegistration: () => 'first' });
    const from = before?.version ?? undefined;
    const change = { app: 'quiz', registration: 'first', digest, from, by: 'test', nowMs: now() };
    await db.batch([...statements, ...pointTo(proxyChangeLog, change)]);
  };
  const answerOf: StoredSite['answerOf'] = async (request = {}) => {
    const origin = options.publicUrl;
    const path = origin === undefined ? '/gantry/instances' : `${origin}/gantry/instances`;
    const response = await site.post(path, [{ app: 'quiz', ...request }], origin === undefined ? {} : { origin });
    return ((await response.json()) as InstanceAnswer[])[0];
  };
  return Object.assign(site, {
    push,
    point,
    answerOf,
    async release(contents: Contents, options?: { readonly trusted?: boolean }) {
      const digest = await push(contents);
      await point(digest, options);
      return digest;
    },
    async ask(request?: Partial<InstanceRequest>) {
      const answer = await answerOf(request);
      if (!answer || 'error' in answer) throw new Error(`no instance: ${JSON.stringify(answer)}`);
      return answer.ok;
    },
  });
}
