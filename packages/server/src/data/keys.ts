import { existsSync } from 'node:fs';
import { type Database, sql } from '@gantry/store';
import { isPostgres } from '../setup/database-address.ts';
import { UsageError } from '../setup/usage-error.ts';
import { databaseKind } from './database-kind.ts';
import { hasKeyFile, readKeyFile, writeKeyFile } from './key-file.ts';
import { type KeyRing, type Keys, keysOf, newKeyRing, withNewTokenKey } from './key-ring.ts';
import { openOwnDatabase } from './open-own-database.ts';
import { addSealedKeys, changeSealedKeys, hasSealedKeys, readSealedKeys } from './sealed-keys.ts';
import { newSiteKey, publicHalf, readSiteKey } from './site-key.ts';
import type { StorePlace } from './stores.ts';

/** Place of a site's keys: its data folder, or with a master key its database. */
export type KeyPlace = Pick<StorePlace, 'data' | 'masterKey' | 'now'>;

/**
 * Reads the keys of a site, creating them on first use. With a master key those of the data folder
 * are sealed in the database first.
 *
 * @param db Has the schema of this release.
 * @throws UsageError if they are sealed and the master key is missing or another.
 */
export async function openKeys(db: Database, { data, masterKey, now = Date.now }: KeyPlace): Promise<Keys> {
  if (masterKey === undefined) {
    if (await hasSealedKeys(db)) throw masterKeyMissing();
    const read = () => keysOf(readKeyFile(data), now());
    return { ...read(), readTokenKeys: async () => read().tokenKeys };
  }
  const ring = (await readSealedKeys(db, masterKey)) ?? (await addSealedKeys(db, masterKey, await firstRing(db, data)));
  return {
    ...keysOf(ring, now()),
    publicKey: ring.siteKey && publicHalf(ring.siteKey),
    async readTokenKeys() {
      const current = await readSealedKeys(db, masterKey);
      return current ? keysOf(current, now()).tokenKeys : [];
    },
  };
}

/** Returns the keys that a database begins with: those that seal its secrets, else new ones. */
async function firstRing(db: Database, data: string): Promise<KeyRing> {
  const isOld = hasKeyFile(data);
  if (!isOld && (await hasSecrets(db))) {
    throw new UsageError(
      `The secrets of this database are sealed with a keys.json that is not in ${data}: start once with GANTRY_MASTER_KEY where it is.`,
    );
  }
  return { ...(isOld ? readKeyFile(data) : newKeyRing()), siteKey: (await readSiteKey(data)) ?? (await newSiteKey()) };
}

async function hasSecrets(db: Database): Promise<boolean> {
  const apps = await db.query(sql`select 1 as one from app_registrations limit 1`);
  if (apps.length > 0) return true;
  if ((await databaseKind(db)) !== 'site') return false;
  return (await db.query(sql`select 1 as one from consumer where sealed_secret is not null limit 1`)).length > 0;
}

/**
 * Adds a new first key for gadget tokens, and drops keys replaced over an hour ago. Running servers
 * read the keys again by themselves.
 *
 * @returns Ids of the valid keys, the new one first.
 */
export async function rotateTokenKeys(place: StorePlace, nowMs: number): Promise<string[]> {
  const change = (ring: KeyRing) => withNewTokenKey(ring, nowMs);
  const hasDatabase = isPostgres(place.database) || existsSync(place.database);
  const work = (db?: Database) => changeKeys(place, { db }, change);
  const { tokenKeys } = await (hasDatabase ? withDatabase(place, work) : work());
  return tokenKeys.map(({ id }) => id);
}

/** Seals the keys of a database with another master key. @throws UsageError if they are files. */
export async function resealKeys(place: StorePlace, sealWith: Uint8Array): Promise<void> {
  if (place.masterKey === undefined) throw masterKeyMissing();
  await withDatabase(place, (db) => changeKeys(place, { db, sealWith }, (ring) => ring));
}

/** Replaces all keys, without those from before. Returns the one that seals secrets. */
export async function replaceAllKeys(db: Database, place: KeyPlace): Promise<Uint8Array> {
  const siteKey = place.masterKey && (await newSiteKey());
  const fresh = newKeyRing();
  await changeKeys(place, { db }, () => ({ ...fresh, ...(siteKey && { siteKey }) }));
  return keysOf(fresh, 0).secretKey;
}

/** Changes the keys where they lie. @throws UsageError if that needs a master key, or has none. */
async function changeKeys(
  { data, masterKey }: KeyPlace,
  { db, sealWith }: { readonly db?: Database | undefined; readonly sealWith?: Uint8Array },
  change: (ring: KeyRing) => KeyRing,
): Promise<KeyRing> {
  const isSealed = db !== undefined && (await hasSealedKeys(db));
  if (isSealed && masterKey !== undefined) return changeSealedKeys(db, { masterKey, sealWith }, change);
  if (isSealed) throw masterKeyMissing();
  if (masterKey !== undefined) {
    throw new UsageError('No keys are sealed in this database yet: start a server with GANTRY_MASTER_KEY first.');
  }
  const ring = change(readKeyFile(data));
  writeKeyFile(data, ring);
  return ring;
}

function masterKeyMissing(): UsageError {
  return new UsageError('GANTRY_MASTER_KEY is missing: the keys of this site are sealed in its database.');
}

async function withDatabase<T>(place: StorePlace, work: (db: Database) => Promise<T>): Promise<T> {
  const db = await openOwnDatabase(place);
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}
