import { randomBytes } from 'node:crypto';
import { link, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type OpenStores, openStores } from '@gantry/server';
import { importWorld, listMembers, openNonceLog } from '@gantry/service';
import { openSqliteCopy } from '@gantry/store';
import { openLabNonces, type PreparedWorld, type Sources } from './prepare-world.ts';
import { choosePersonas } from './worlds/personas.ts';
import type { Persona, World } from './worlds/world.ts';

export interface LabData {
  readonly stores: OpenStores;
  /** Folder for files that the site writes beside its database. */
  readonly folder: string;
  readonly personas: readonly Persona[];
  /** Closes the database and removes the files of this lab. */
  close(): Promise<void>;
}

/** Copies a prepared world. Pictures are links: deleting one leaves those of other labs. */
export async function copyWorld(prepared: PreparedWorld, sources: Sources): Promise<LabData> {
  const { now = Date.now, random = randomBytes } = sources;
  const folder = await mkdtemp(join(tmpdir(), 'gantry-lab-'));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const mediaFolder = join(folder, 'media');
    await linkFolder(prepared.mediaFolder, mediaFolder);
    const db = openSqliteCopy({ content: prepared.content, file: join(folder, 'lab.db') });
    const stores: OpenStores = {
      db,
      mediaFolder,
      secretKey: prepared.secretKey,
      tokenKeys: [{ id: '1', key: random(32) }],
      nonces: await openLabNonces(db, now),
    };
    const close = (): Promise<void> => db.close().then(remove);
    return { stores, folder, personas: prepared.personas, close };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Opens the data that a lab keeps in a folder, with the world in it if it is new. */
export async function keepWorld(
  { file, folder: pictures, personas }: World,
  { folder, now }: { readonly folder: string; readonly now: () => number },
): Promise<LabData> {
  const stores = await openStores({ data: folder, database: join(folder, 'gantry.db') });
  try {
    const isNew = (await listMembers(stores.db, { count: 1 })).length === 0;
    if (isNew) await importWorld(stores.db, file, { ...stores, folder: pictures, now });
    const nonces = await openNonceLog(join(folder, 'nonces'), { now });
    return {
      stores: { ...stores, nonces },
      folder,
      personas: personas ?? choosePersonas(file),
      close: stores.db.close,
    };
  } catch (error) {
    await stores.db.close();
    throw error;
  }
}

async function linkFolder(from: string, to: string): Promise<void> {
  await mkdir(to, { mode: 0o700 });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    await (entry.isDirectory() ? linkFolder(source, target) : link(source, target));
  }
}
