import {
  createChunkStore,
  findKnownApp,
  findVersion,
  firstRegistration,
  logAppChange,
  planDecision,
  pointTo,
  runVersionPlan,
  toVersionList,
} from '@gantry/proxy';
import { appStatement } from '@gantry/service';
import { SocialError } from '@gantry/wire';
import { changeLogOf } from '../data/change-log.ts';
import type { Stores } from '../data/stores.ts';
import { registerApp } from './add-app.ts';
import { liveVersion } from './app-lifecycle.ts';
import { type ChangeOptions, withAudit } from './attempt.ts';
import { requireReadableData } from './rollback.ts';

export interface ApproveOptions extends ChangeOptions {
  /** Digest. */
  readonly version: string;
  /** Makes it live though `data` of its manifest is less than that of the live version. */
  readonly despiteData?: boolean | undefined;
}

/**
 * Makes a version live that waits for approval, or that is a preview. The first version of a new
 * app registers it.
 *
 * @throws SocialError NOT_FOUND for an unknown version; CONFLICT for one that was approved, for a
 * removed app, and if `data` of the manifest decreases.
 */
export async function approveApp(
  stores: Stores,
  id: string,
  { version: digest, despiteData = false, by = 'server', now = Date.now }: ApproveOptions,
): Promise<{ readonly done: 'registered' | 'updated' }> {
  const { db } = stores;
  const nowMs = now();
  return withAudit(db, { app: id, action: 'approve', by, nowMs }, async () => {
    const app = await findKnownApp(db, id);
    if (app?.removedAtMs !== undefined) throw new SocialError('CONFLICT', `${id} was removed: gantry app add.`);
    const registration = app?.registration ?? firstRegistration;
    const waiting = await findVersion(db, { app: id, registration, digest });
    if (waiting === undefined) throw new SocialError('NOT_FOUND', `${id} has no version ${digest.slice(0, 12)}.`);
    if (waiting.state === 'accepted') throw new SocialError('CONFLICT', 'This version was approved already.');
    const decision = planDecision({ app: id, registration, digest, approve: true, by, nowMs });
    if (app === undefined) {
      const { manifest, files } = waiting;
      const list = toVersionList(files);
      const made = { newRegistration: registration, first: decision, by, now };
      await registerApp(stores, { id, manifest, files: { list }, ...made });
      return { done: 'registered' };
    }
    if (!despiteData) await requireReadableData(stores, app, waiting);
    const { isSite, log } = await changeLogOf(db);
    const from = liveVersion(app);
    await runVersionPlan(
      { db, chunks: createChunkStore({ ...stores, now }) },
      {
        statements: [
          ...(isSite ? [appStatement({ id, title: waiting.manifest.name, url: '' })] : []),
          ...decision,
          ...pointTo(log, { app: id, registration, digest, from, by, nowMs }),
          ...(from === undefined ? [logAppChange(log, id)] : []),
        ],
      },
    );
    return { done: 'updated' };
  });
}
