import type { Database } from '@gantry/store';
import * as v from 'valibot';
import { shape } from '../http/validate.ts';
import { decideVersion } from '../versions/decide-version.ts';
import { members } from './deliver.ts';
import type { AppStatus, VersionReport } from './messages.ts';
import { registrationOf } from './present-app.ts';
import type { VersionReads } from './read-versions.ts';
import type { RegistryCall } from './registry.ts';
import type { SiteApps } from './site-apps.ts';

const despiteData = v.optional(v.boolean('true or false'), false);
const digest = v.pipe(v.string('the SHA-256 of a version'), v.regex(/^[0-9a-f]{64}$/, 'the SHA-256 of a version'));
const approveBody = v.strictObject({ despiteData }, shape('an object', 'an approval has only despiteData'));
const refuseBody = v.strictObject(
  { reason: v.optional(v.pipe(v.string('text'), v.maxLength(300, 'at most 300 characters'))) },
  shape('an object', 'a refusal has only a reason'),
);
const previewBody = v.strictObject({ members }, shape('an object with members', 'a preview has only members'));
const rollBackBody = v.strictObject(
  { version: v.optional(digest), despiteData },
  shape('an object', 'a roll-back has only version and despiteData'),
);
const pauseBody = v.strictObject({}, shape('an object', 'it has no members'));

export interface DecisionOptions {
  readonly db: Database;
  readonly now: () => number;
  readonly reads: VersionReads;
  readonly site: SiteApps;
}

/** Makes the changes of the registry that bring no files. */
export function createDecisions({ db, now, reads, site }: DecisionOptions) {
  async function setPaused(call: RegistryCall, isPaused: boolean): Promise<AppStatus> {
    await call.json(pauseBody);
    await site.setPaused({ app: call.params.app, by: call.by, isPaused });
    return reads.readApp(call);
  }

  return {
    async approve(call: RegistryCall): Promise<VersionReport> {
      const { app, version } = call.params;
      const body = await call.json(approveBody);
      const before = { app: await reads.presentApp(app) };
      await site.approve({ app, version, by: call.by, despiteData: body.despiteData });
      return reads.report(app, version, before);
    },
    async refuse(call: RegistryCall): Promise<VersionReport> {
      const { app, version } = call.params;
      const { reason: detail } = await call.json(refuseBody);
      await reads.report(app, version);
      const registration = registrationOf(await reads.presentApp(app));
      await decideVersion(db, {
        ...{ app, registration, digest: version, approve: false, by: call.by, nowMs: now(), detail },
      });
      return reads.report(app, version);
    },
    async preview(call: RegistryCall): Promise<VersionReport> {
      const { app, version } = call.params;
      const body = await call.json(previewBody);
      await reads.report(app, version);
      await site.offer({ app, version, members: body.members, by: call.by });
      return reads.report(app, version);
    },
    async rollBack(call: RegistryCall): Promise<VersionReport> {
      const { app } = call.params;
      const body = await call.json(rollBackBody);
      const before = { app: await reads.presentApp(app) };
      const { version } = await site.rollBack({ ...body, app, by: call.by });
      return reads.report(app, version, before);
    },
    pause: (call: RegistryCall) => setPaused(call, true),
    resume: (call: RegistryCall) => setPaused(call, false),
  };
}
