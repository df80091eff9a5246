import { hkdfSync } from 'node:crypto';
import { type Database, type MigrationSet, missingMigrations, seal, sql, unseal } from '@gantry/store';
import { release } from '@gantry/wire';
import { UsageError } from '../setup/usage-error.ts';
import type { KeyRing } from './key-ring.ts';

/** Returns the migrations of the keys' table (docs/decisions/0096-keys-of-several-machines.md). */
export function keyMigrations(): MigrationSet {
  const table = sql`create table site_keys (one integer primary key check (one = 1), sealed text not null)`;
  return { name: 'keys', release, migrations: [{ number: 1, name: 'sealed keys', statements: [table] }] };
}

/** Returns whether the keys lie in the database, which may have no table for them yet. */
export async function hasSealedKeys(db: Database): Promise<boolean> {
  return (await missingMigrations(db, keyMigrations())).length === 0 && (await findSealed(db)) !== undefined;
}

/** Returns the keys of a database, if it has any. @throws UsageError for another master key. */
export async function readSealedKeys(db: Database, masterKey: Uint8Array): Promise<KeyRing | undefined> {
  const sealed = await findSealed(db);
  return sealed === undefined ? undefined : open(sealed, masterKey);
}

/** Puts the first keys of a database there. If processes do so at once, one's keys count. */
export async function addSealedKeys(db: Database, masterKey: Uint8Array, ring: KeyRing): Promise<KeyRing> {
  const sealed = close(ring, masterKey);
  await db.query(sql`insert into site_keys (one, sealed) values (1, ${sealed}) on conflict (one) do nothing`);
  return (await readSealedKeys(db, masterKey)) ?? ring;
}

/**
 * Changes the keys that a database has. Changes of two processes at once are made one after the
 * other.
 *
 * @param options.sealWith Master key from now on. Default: the one that opens them.
 */
export async function changeSealedKeys(
  db: Database,
  { masterKey, sealWith = masterKey }: { readonly masterKey: Uint8Array; readonly sealWith?: Uint8Array | undefined },
  change: (ring: KeyRing) => KeyRing,
): Promise<KeyRing> {
  const sealed = await findSealed(db);
  if (sealed === undefined) throw new Error('The keys of this database were removed.');
  const ring = change(open(sealed, masterKey));
  const [changed] = await db.query(sql`
    update site_keys set sealed = ${close(ring, sealWith)} where one = 1 and sealed = ${sealed} returning one`);
  return changed ? ring : changeSealedKeys(db, { masterKey, sealWith }, change); // another process was first
}

async function findSealed(db: Database): Promise<string | undefined> {
  const [row] = await db.query<{ sealed: string }>(sql`select sealed from site_keys`);
  return row?.sealed;
}

function open(sealed: string, masterKey: Uint8Array): KeyRing {
  const key = sealingKey(masterKey);
  try {
    return JSON.parse(unseal(key, sealed, place)) as KeyRing;
  } catch (cause) {
    throw new UsageError(
      'GANTRY_MASTER_KEY does not open the keys in this database: another one sealed them, or gantry keys reseal did meanwhile.',
      { cause },
    );
  }
}

function close(ring: KeyRing, masterKey: Uint8Array): string {
  return seal(sealingKey(masterKey), JSON.stringify(ring), place);
}

const place = 'site_keys';

function sealingKey(masterKey: Uint8Array): Uint8Array {
  if (masterKey.byteLength < 32) {
    throw new UsageError(`A master key needs 32 or more bytes; this one has ${masterKey.byteLength}.`);
  }
  return new Uint8Array(hkdfSync('sha256', masterKey, '', 'gantry keys', 32));
}
