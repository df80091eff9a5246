import { bearerKeyId, type Database, isBearerKey, newBearerKey, type Statement, sql } from '@gantry/store';
import { isId, nameProblem, SocialError } from '@gantry/wire';

/**
 * Effect of a push with a key. `live`: members get the version at once, and the key may do
 * everything else with its apps. `approval`: the version waits. `preview`: only named members get
 * it.
 */
export type KeyMay = (typeof keyMays)[number];
export const keyMays = ['live', 'approval', 'preview'] as const;

/** Bearer key with which versions of apps are delivered; its secret is stored as a digest. */
export interface RegistryKey {
  readonly id: string;
  readonly title: string;
  readonly apps: readonly string[];
  readonly may: KeyMay;
  /** ISO 8601. */
  readonly createdAt: string;
  /** ISO 8601. The key is refused from then on. */
  readonly expiresAt: string;
}

/** Apps of one key (docs/limits.md). */
export const maxAppsOfKey = 50;
/** Days after which a key ends (docs/limits.md). */
export const maxKeyDays = 400;
const defaultDays = 90;
const dayMs = 86_400_000;

export interface NewRegistryKey extends Pick<RegistryKey, 'apps' | 'may'> {
  readonly title?: string | undefined;
  /** Days until it ends. Default: 90. */
  readonly days?: number | undefined;
  readonly now?: () => number;
}

/**
 * Creates a key for `/gantry/registry/`. Running servers accept it at once.
 *
 * @returns The key, which is shown only once, its id and its end.
 * @throws SocialError BAD_REQUEST that names the fault.
 */
export async function addRegistryKey(
  db: Database,
  { title = '', apps, may, days = defaultDays, now = Date.now }: NewRegistryKey,
): Promise<{ readonly id: string; readonly key: string; readonly expiresAt: string }> {
  const problem = title ? nameProblem(title) : undefined;
  if (problem !== undefined) throw badKey(`The title of a key ${problem}.`);
  if (apps.length < 1 || apps.length > maxAppsOfKey) throw badKey(`A key is for 1 to ${maxAppsOfKey} apps.`);
  if (!apps.every(isId)) throw badKey('The id of an app is 1 to 64 of the characters A-Z a-z 0-9 . _ : -');
  if (!(Number.isInteger(days) && days >= 1 && days <= maxKeyDays)) {
    throw badKey(`A key lasts a whole number of days between 1 and ${maxKeyDays}.`);
  }
  const { id, key, digest } = newBearerKey();
  const nowMs = now();
  const endMs = nowMs + days * dayMs;
  await db.query(sql`
    insert into registry_keys (id, digest, title, apps, may, created_at_ms, expires_at_ms)
    values (${id}, ${digest}, ${title}, ${JSON.stringify([...new Set(apps)])}, ${may}, ${nowMs}, ${endMs})`);
  return { id, key, expiresAt: new Date(endMs).toISOString() };
}

function badKey(message: string): SocialError {
  return new SocialError('BAD_REQUEST', message);
}

/** Returns all keys of this kind, oldest first, those that have ended too. */
export async function listRegistryKeys(db: Database): Promise<readonly RegistryKey[]> {
  const rows = await db.query<KeyRow>(sql`select ${columns} from registry_keys order by created_at_ms, id`);
  return rows.map(toKey);
}

/** Revokes a key; running servers refuse it at once. @returns False if there is none of this id. */
export async function revokeRegistryKey(db: Database, id: string): Promise<boolean> {
  return (await db.query(sql`delete from registry_keys where id = ${id} returning id`)).length === 1;
}

/** Revokes all, as rows of a key, its kind and what it belonged to. */
export const endRegistryKeys: Statement = sql`
  delete from registry_keys returning id as key, 'registry' as kind, apps as of`;

/** Returns the valid key of a text. @throws SocialError UNAUTHORIZED */
export async function verifyRegistryKey(db: Database, key: string, nowMs: number): Promise<RegistryKey> {
  const id = bearerKeyId(key);
  const [row] =
    id === undefined
      ? []
      : await db.query<KeyRow & { readonly digest: string }>(
          sql`select ${columns}, digest from registry_keys where id = ${id}`,
        );
  const isKnown = isBearerKey(key, row?.digest);
  if (row && isKnown && row.expires_at_ms > nowMs) return toKey(row);
  const ended = row && isKnown ? `The key ended on ${toKey(row).expiresAt.slice(0, 10)}` : undefined;
  throw new SocialError('UNAUTHORIZED', `${ended ?? 'The key is unknown or was revoked'}: gantry keys add makes one.`);
}

const columns = sql`id, title, apps, may, created_at_ms, expires_at_ms`;

interface KeyRow {
  readonly id: string;
  readonly title: string;
  readonly apps: string;
  readonly may: KeyMay;
  readonly created_at_ms: number;
  readonly expires_at_ms: number;
}

function toKey({ id, title, apps, may, created_at_ms: createdAtMs, expires_at_ms: expiresAtMs }: KeyRow): RegistryKey {
  const [createdAt = '', expiresAt = ''] = [createdAtMs, expiresAtMs].map((ms) => new Date(ms).toISOString());
  return { id, title, apps: JSON.parse(apps), may, createdAt, expiresAt };
}
