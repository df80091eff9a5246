import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createChunkStore,
  findKnownApp,
  offerPreview,
  pointTo,
  readFolder,
  storeChunks,
  storeVersion,
} from '@gantry/proxy';
import { siteChanges } from '@gantry/service';
import type { Hosted } from './hosted.ts';
import { type AppFiles, writeFiles } from './write-app.ts';

/** Versions of one app of a running site. */
export interface StoredApp {
  /** Stores files as a version. Resolves with its digest. */
  store(files: AppFiles, state?: 'accepted' | 'preview'): Promise<string>;
  /** Makes a stored version the live one, as open pages hear. */
  makeLive(digest: string): Promise<void>;
  offer(digest: string, members: readonly string[]): Promise<void>;
}

export async function storedApp({ stores: { db } }: Pick<Hosted, 'stores'>, app: string): Promise<StoredApp> {
  const chunks = createChunkStore({ db });
  const known = await findKnownApp(db, app);
  if (!known) throw new Error(`There is no app ${app}.`);
  const { registration } = known;
  return {
    async store(files, state = 'accepted') {
      const folder = await mkdtemp(join(tmpdir(), 'gantry-version-'));
      try {
        writeFiles(folder, files);
        const source = await readFolder(folder);
        await storeChunks(chunks, source);
        const version = { app, registration, list: source.list, state, by: 'test', nowMs: Date.now() };
        return (await storeVersion({ db, chunks }, version)).digest;
      } finally {
        await rm(folder, { recursive: true });
      }
    },
    async makeLive(digest) {
      await db.batch(pointTo(siteChanges, { app, registration, digest, by: 'test', nowMs: Date.now() }));
    },
    offer: (digest, members) => offerPreview(db, { app, registration, digest, members, by: 'test', nowMs: Date.now() }),
  };
}
