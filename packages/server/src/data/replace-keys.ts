import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { endRegistryKeys, replaceAppSecret } from '@gantry/proxy';
import { endSealedSecrets, type RevokedKey, replaceConsumerSecret } from '@gantry/service';
import { type Database, sql } from '@gantry/store';
import { databaseKind } from './database-kind.ts';
import { type KeyPlace, replaceAllKeys } from './keys.ts';

export interface ReplacedKeys {
  /** Apps whose keys have new secrets. */
  readonly apps: readonly string[];
  /** Keys that their owners have to get anew. */
  readonly revoked: readonly RevokedKey[];
}

/**
 * Replaces everything that someone could use who read the data folder: the keys of the site, the
 * secrets of its apps, tokens and sessions. Keys of others are revoked. No server may run
 * meanwhile. An interrupted run can be repeated.
 */
export async function replaceKeys(db: Database, place: KeyPlace): Promise<ReplacedKeys> {
  const isSite = (await databaseKind(db)) === 'site';
  const apps = await db.query<{ id: string; consumer_key: string }>(
    sql`select id, consumer_key from app_registrations order by id`,
  );
  // The keys first: what is sealed with a key that is nowhere would be lost.
  const secretKey = await replaceAllKeys(db, place);
  rmSync(join(place.data, 'site-key.pem'), { force: true }); // the next start makes a new one
  // Secrets that an upstream gave are unreadable from here on: it has to give new ones.
  if (!isSite) {
    const ofRegistry = await db.query<RevokedKey>(endRegistryKeys);
    const ofApps = apps.map(({ id, consumer_key: key }) => ({ key, kind: 'app', of: id }));
    return { apps: [], revoked: [...ofApps, ...ofRegistry] };
  }
  const secrets = apps.flatMap(({ id, consumer_key: key }) => {
    const secret = randomBytes(32).toString('hex');
    return [replaceAppSecret(id, secret, secretKey), replaceConsumerSecret(key, secret, secretKey)];
  });
  const { statements, revoked: ofService } = endSealedSecrets();
  const revoked = [...ofService, endRegistryKeys];
  const results = await db.batch([...secrets, ...revoked, ...statements]);
  const ended = results.slice(secrets.length, secrets.length + revoked.length).flat();
  return { apps: apps.map(({ id }) => id), revoked: ended as unknown as readonly RevokedKey[] };
}
