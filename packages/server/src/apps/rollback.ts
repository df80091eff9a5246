import { pointTo, runPlan, type VersionSummary } from '@gantry/proxy';
import { appStatement } from '@gantry/service';
import { SocialError } from '@gantry/wire';
import { changeLogOf } from '../data/change-log.ts';
import type { Stores } from '../data/stores.ts';
import { type ChangeOptions, withAudit } from './attempt.ts';
import { findNamed, listHistory, versionLabel } from './history.ts';

/** The facts of a version that people see. */
type Shown = Pick<VersionSummary, 'digest' | 'manifest'>;

/** A way back from an app's live version to an accepted one. */
export interface Rollback {
  readonly from: VersionSummary;
  readonly to: VersionSummary;
  /** `data` of the manifest decreases: older code may not read what newer code has written. */
  readonly crossesData: boolean;
}

export interface RollbackOptions extends ChangeOptions {
  /** Digest, six or more first digits, or the manifest's `version`. Default: the one before. */
  readonly version?: string | undefined;
  /** Goes back though `data` of the manifest decreases. Data itself is never rolled back. */
  readonly despiteData?: boolean | undefined;
}

/**
 * Finds the version that a roll-back would make live, without doing it.
 *
 * @throws SocialError NOT_FOUND for an unknown app or version, CONFLICT if there is nothing to go
 * back to.
 */
export async function findRollback(stores: Stores, id: string, version?: string): Promise<Rollback> {
  const history = await listHistory(stores, id);
  if (history === undefined) throw new SocialError('NOT_FOUND', `There is no app ${JSON.stringify(id)}.`);
  const from = history.find(({ isLive }) => isLive);
  if (from === undefined) throw new SocialError('CONFLICT', `${id} is not served from a stored version.`);
  const accepted = history.filter(({ state }) => state === 'accepted');
  const to = version === undefined ? versionBefore(accepted, from) : findNamed(id, accepted, version);
  if (to === undefined) throw new SocialError('CONFLICT', `${id} has no version from before ${versionLabel(from)}.`);
  if (to.digest === from.digest) throw new SocialError('CONFLICT', `${versionLabel(to)} of ${id} is live already.`);
  return { from, to, crossesData: to.manifest.data < from.manifest.data };
}

/**
 * Makes an earlier version of an app live again, for all members at once. Keys, consents and saved
 * data stay as they are.
 *
 * @example
 * import { mkdtempSync } from 'node:fs';
 * const data = mkdtempSync('/tmp/gantry-example-');
 * const stores = await openStores({ data, database: ':memory:' });
 * const folder = 'demo/apps/notes';
 * await addApp(stores, { id: 'notes', folder });
 * await rollbackApp(stores, 'notes'); // throws CONFLICT
 * await stores.db.close();
 * @throws SocialError as `findRollback`; CONFLICT if `data` of the manifest decreases.
 */
export async function rollbackApp(stores: Stores, id: string, options: RollbackOptions = {}): Promise<Rollback> {
  const { version, despiteData = false, by = 'server', now = Date.now } = options;
  const { db } = stores;
  const nowMs = now();
  return withAudit(db, { app: id, action: 'rollback', by, nowMs }, async () => {
    const rollback = await findRollback(stores, id, version);
    const { from, to, crossesData } = rollback;
    if (crossesData && !despiteData) throw olderData(id, rollback);
    const { isSite, log } = await changeLogOf(db);
    const { registration, digest, manifest } = to;
    await runPlan(db, [
      ...(isSite ? [appStatement({ id, title: manifest.name, url: '' })] : []),
      ...pointTo(log, { app: id, registration, digest, from: from.digest, by, nowMs, action: 'rollback' }),
    ]);
    return rollback;
  });
}

/**
 * Refuses a version of an app that may not read what the live one has saved.
 *
 * @throws SocialError CONFLICT
 */
export async function requireReadableData(stores: Stores, { id }: { readonly id: string }, to: Shown): Promise<void> {
  const from = (await listHistory(stores, id))?.find(({ isLive }) => isLive);
  if (from && to.manifest.data < from.manifest.data) throw olderData(id, { from, to });
}

/** Returns the error for a version that may not read what the live one has saved. */
function olderData(id: string, { from, to }: { readonly from: Shown; readonly to: Shown }): SocialError {
  return new SocialError(
    'CONFLICT',
    `${versionLabel(to)} of ${id} is for data ${to.manifest.data}, and the live ${versionLabel(from)} saves data ${from.manifest.data}, which is not rolled back: older code may misread it. Nothing was changed; --despite-data does it all the same.`,
  );
}

/** Returns the newest of the versions that were accepted before the live one. */
function versionBefore(accepted: readonly VersionSummary[], live: VersionSummary): VersionSummary | undefined {
  return accepted
    .filter((version) => acceptedAtMs(version) < acceptedAtMs(live))
    .sort((a, b) => acceptedAtMs(b) - acceptedAtMs(a))[0];
}

function acceptedAtMs({ decidedAtMs, madeAtMs }: VersionSummary): number {
  return decidedAtMs ?? madeAtMs;
}
