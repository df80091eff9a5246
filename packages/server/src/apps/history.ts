import { findKnownApp, listPreviews, listVersions, type VersionSummary } from '@gantry/proxy';
import { SocialError } from '@gantry/wire';
import type { Stores } from '../data/stores.ts';

/** A stored version of an app. */
export interface HistoryEntry extends VersionSummary {
  readonly isLive: boolean;
  /** Members who were offered its preview. */
  readonly previews: readonly string[];
}

/**
 * Lists the stored versions of an app, the newest first; `undefined` for an id that no app has. An
 * app that is served from a live folder or by its own server may have none.
 *
 * @example
 * import { mkdtempSync } from 'node:fs';
 * const data = mkdtempSync('/tmp/gantry-example-');
 * const stores = await openStores({ data, database: ':memory:' });
 * await listHistory(stores, 'quiz'); // undefined
 * await stores.db.close();
 */
export async function listHistory({ db }: Stores, id: string): Promise<readonly HistoryEntry[] | undefined> {
  const app = await findKnownApp(db, id);
  if (app === undefined || app.removedAtMs !== undefined) return undefined;
  const { registration, source } = app;
  const [versions, offers] = await Promise.all([
    listVersions(db, { app: id, registration }),
    listPreviews(db, { app: id, registration }),
  ]);
  const live = source.kind === 'stored' ? source.version : undefined;
  return versions.map((version) => ({
    ...version,
    isLive: version.digest === live,
    previews: offers.filter((offer) => offer.version === version.digest).map(({ member }) => member),
  }));
}

/** Hexadecimal digits with which people name a version. */
export const shownDigits = 12;
const leastDigits = 6;

/** Names a version for people: `1.4.0 (3f9c2ab41d07)`, or the digits alone. */
export function versionLabel({ digest, manifest }: Pick<VersionSummary, 'digest' | 'manifest'>): string {
  const digits = digest.slice(0, shownDigits);
  return manifest.version === undefined ? digits : `${manifest.version} (${digits})`;
}

/**
 * Finds a version by its digest, by six or more first digits of it, or by its manifest's `version`.
 *
 * @throws SocialError NOT_FOUND for none, BAD_REQUEST for several.
 */
export function findNamed<Version extends VersionSummary>(
  id: string,
  versions: readonly Version[],
  name: string,
): Version {
  const digits = /^[0-9a-f]+$/.test(name) && name.length >= leastDigits ? name : undefined;
  const found = versions.filter(
    ({ digest, manifest }) => manifest.version === name || (digits !== undefined && digest.startsWith(digits)),
  );
  const [only, ...more] = found;
  if (only === undefined) throw new SocialError('NOT_FOUND', `${id} has no version ${JSON.stringify(name)}.`);
  if (more.length === 0) return only;
  const labels = found.map(versionLabel).join(', ');
  throw new SocialError('BAD_REQUEST', `${JSON.stringify(name)} names several versions of ${id}: ${labels}.`);
}
