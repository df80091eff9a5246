import { type Database, type Statement, sql } from '@gantry/store';
import { SocialError } from '@gantry/wire';
import { listAudit } from '../versions/audit.ts';
import { findVersion, listVersions, type StoredVersion, type VersionSummary } from '../versions/stored-versions.ts';
import { isDigest } from '../versions/version-list.ts';
import type { AppStatus, HistoryAnswer, KeyAnswer, VersionFacts, VersionReport } from './messages.ts';
import { findPresentApp, type PresentApp, registrationOf } from './present-app.ts';
import type { RegistryCall } from './registry.ts';
import { versionDifference } from './version-difference.ts';

/** Changes in one answer. */
const mostChanges = 100;

export interface ReadOptions {
  readonly db: Database;
  /** Condition over `app_registrations` for a paused app. Default: its own column. */
  readonly paused?: Statement | undefined;
}

/** Makes the reads of the registry. */
export function createVersionReads({ db, paused = sql`paused = 1` }: ReadOptions) {
  const presentApp = (app: string) => findPresentApp(db, { app, paused });

  /**
   * Describes a version. @param before What it is compared with. Default: the app as it is now.
   *
   * @throws SocialError NOT_FOUND
   */
  async function report(app: string, digest: string, before?: { readonly app: PresentApp | undefined }) {
    const present = await presentApp(app);
    const name = { app, registration: registrationOf(present), digest };
    const found = isDigest(digest) ? await findVersion(db, name) : undefined;
    if (found) return reportOf(found, present, before ? before.app : present);
    throw new SocialError('NOT_FOUND', `${app} has no version ${JSON.stringify(digest.slice(0, 64))}.`);
  }

  return {
    presentApp,
    report,
    async readKey({ key: { id, title, apps, may, expiresAt } }: RegistryCall): Promise<KeyAnswer> {
      return { id, title, apps, may, expiresAt };
    },
    async readApp({ key: { may }, params: { app } }: RegistryCall): Promise<AppStatus> {
      const present = await presentApp(app);
      const versions = await listVersions(db, { app, registration: registrationOf(present) });
      const facts = versions.map((version) => factsOf(version, present));
      const inState = (state: VersionFacts['state']) => facts.filter((one) => one.state === state);
      return {
        app,
        state: present === undefined ? 'unknown' : present.isPaused ? 'paused' : 'active',
        name: (present ?? versions[0])?.manifest.name,
        live: inState('live')[0],
        ...{ waiting: inState('waiting'), previews: inState('preview'), may },
      };
    },
    async readHistory({ params: { app } }: RegistryCall): Promise<HistoryAnswer> {
      const present = await presentApp(app);
      const versions = await listVersions(db, { app, registration: registrationOf(present) });
      const changes = await listAudit(db, { app, limit: mostChanges });
      return {
        app,
        versions: versions.map((version) => factsOf(version, present)),
        changes: changes.map(({ atMs, actor, action, from, to, outcome, detail }) => ({
          ...{ at: isoOf(atMs), actor, action, from, to, outcome, detail },
        })),
      };
    },
    readVersion: ({ params: { app, version } }: RegistryCall): Promise<VersionReport> => report(app, version),
  };
}

export type VersionReads = ReturnType<typeof createVersionReads>;

function reportOf(
  found: StoredVersion,
  present: PresentApp | undefined,
  before: PresentApp | undefined,
): VersionReport {
  const { app, manifest, files, statement } = found;
  return {
    app,
    ...factsOf(found, present),
    ...{ description: manifest.description, files: files.length },
    difference: versionDifference(manifest, before),
    ...(statement !== undefined && { statement: JSON.parse(statement) }),
  };
}

function factsOf(found: VersionSummary, present: PresentApp | undefined): VersionFacts {
  const { digest: version, state, manifest, bytes, madeBy, madeAtMs, decidedBy, decidedAtMs } = found;
  return {
    ...{ version, state: version === present?.version ? 'live' : state },
    ...{ name: manifest.name, label: manifest.version, bytes, madeBy, madeAt: isoOf(madeAtMs) },
    ...(decidedBy !== undefined && { decidedBy }),
    ...(decidedAtMs !== undefined && { decidedAt: isoOf(decidedAtMs) }),
  };
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}
