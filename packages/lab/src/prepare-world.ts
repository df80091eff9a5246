import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { proxyMigrations } from '@gantry/proxy';
import { siteMigrations } from '@gantry/server';
import { importWorld, openNonces, serviceMigrations } from '@gantry/service';
import { migrate, openSqlite } from '@gantry/store';
import { release } from '@gantry/wire';
import { choosePersonas } from './worlds/personas.ts';
import type { Persona, World } from './worlds/world.ts';

/** A world that was imported once: labs copy the bytes of its database and share its pictures. */
export interface PreparedWorld {
  readonly name: string;
  /** The world that was imported. */
  readonly source: World;
  /** For `openSqliteCopy`. */
  readonly content: Uint8Array;
  /** Seals the secrets in `content`. */
  readonly secretKey: Uint8Array;
  readonly mediaFolder: string;
  readonly personas: readonly Persona[];
  /** Removes the pictures. Labs that were made from it keep theirs. */
  close(): Promise<void>;
}

/** Sources of time and randomness. Default: the machine's. */
export interface Sources {
  readonly now?: () => number;
  readonly random?: ((bytes: number) => Uint8Array) | undefined;
}

/**
 * Imports a world into a new database in memory and keeps its bytes.
 *
 * @throws SocialError BAD_REQUEST that names the first bad record of the world.
 */
export async function prepareWorld(source: World, options: Sources = {}): Promise<PreparedWorld> {
  const { now = Date.now, random = randomBytes } = options;
  const { name, file, folder, personas } = source;
  const home = await mkdtemp(join(tmpdir(), 'gantry-world-'));
  const close = (): Promise<void> => rm(home, { recursive: true, force: true });
  const mediaFolder = join(home, 'media');
  const secretKey = random(32);
  const db = openSqlite({ file: ':memory:', bulk: true });
  try {
    await mkdir(mediaFolder, { mode: 0o700 });
    await migrate(db, { name: 'service', migrations: serviceMigrations, release }, now);
    await migrate(db, { name: 'proxy', migrations: proxyMigrations, release }, now);
    await migrate(db, siteMigrations(), now);
    await openLabNonces(db, now);
    await importWorld(db, file, { secretKey, mediaFolder, folder, now, random });
    return {
      name,
      source,
      content: db.bytes(),
      secretKey,
      mediaFolder,
      personas: personas ?? choosePersonas(file),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  } finally {
    await db.close();
  }
}

/** Opens the nonces of a lab in its database. They end with the lab, so no reboot loses any. */
export function openLabNonces(db: Parameters<typeof openNonces>[0], now: () => number): ReturnType<typeof openNonces> {
  return openNonces(db, { now, boot: { id: 'lab', startedAt: 0 } });
}
