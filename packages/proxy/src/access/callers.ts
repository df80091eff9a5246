import { type Database, type Statement, sql } from '@gantry/store';
import { LRUCache } from 'lru-cache';
import { type AppVersions, liveVersion, type VersionOf, versionKey } from '../apps/app-version.ts';
import { appReplaced, type Consumer, consumerOf, findSealedApps, type SealedRow } from '../apps/registrations.ts';
import {
  type Access,
  accessOf,
  type DescribedApp,
  describeApp,
  describeVersion,
  findGrantRows,
  type GrantColumns,
  tookBackAtMs,
} from './access.ts';

/** An app that sends calls, with its permissions and the consumer that signs for it. */
export interface Caller {
  readonly access: Access;
  readonly consumer: Consumer;
}

/** A gadget that sends calls, by its token. */
export interface CallingGadget {
  readonly app: string;
  readonly registration: string;
  /** Digest of the version that it runs. Absent for a live folder and a remote app. */
  readonly version?: string | undefined;
  /** Not accepted: it has nothing that the live version does not declare. */
  readonly isLimited: boolean;
}

/** The sealed secret identifies the registration, since each has its own. */
type SealedGrantRow = Pick<SealedRow, 'id' | 'consumer_secret' | 'version'> & GrantColumns;

interface CachedApp extends DescribedApp {
  readonly consumer: Consumer;
  readonly sealed: string;
}

/**
 * Makes the functions that find the callers of a request, in one statement, since it precedes every
 * call. Each request queries the database, so that removed apps and revoked grants take effect at
 * once in all processes. Parsed registrations and versions are cached.
 *
 * The result of `find` returns the caller of a gadget, `undefined` for an app that is not
 * registered. It throws APP_REPLACED for a version that is not stored any more, and for one that
 * nobody accepted once the member has no preview of it. `lastConsumer` returns the key of an app as
 * it was last found.
 */
export function createCallerLookup(options: {
  readonly db: Database;
  readonly secretKey: Uint8Array;
  readonly versions: Pick<AppVersions, 'find' | 'stillShown'>;
  readonly paused?: Statement | undefined;
}) {
  const { db, secretKey, versions, paused } = options;
  const cache = new LRUCache<string, CachedApp>({ max: 2_000 });
  const described = new LRUCache<string, DescribedApp>({ max: 2_000 });

  async function findApps(rows: Iterable<SealedGrantRow>): Promise<ReadonlyMap<string, CachedApp>> {
    const apps = new Map<string, CachedApp>();
    const others: string[] = [];
    for (const { id, consumer_secret: sealed, version } of rows) {
      const cached = cache.get(id);
      const isSame = cached?.sealed === sealed && (liveVersion(cached.app) ?? null) === version;
      if (isSame) apps.set(id, cached);
      else others.push(id);
    }
    for (const row of others.length > 0 ? await findSealedApps(db, others) : []) {
      const app = { ...describeApp(row), consumer: consumerOf(secretKey, row), sealed: row.consumer_secret };
      cache.set(row.id, app);
      apps.set(row.id, app);
    }
    return apps;
  }

  /** Describes the app as a version of it that is not the live one. */
  async function describe(app: CachedApp, gadget: CallingGadget): Promise<DescribedApp | undefined> {
    const { isLimited } = gadget;
    const name = nameOf(gadget);
    const key = `${versionKey(name)} ${app.sealed}${isLimited ? ` ${liveVersion(app.app)}` : ''}`;
    const known = described.get(key);
    if (known) return known;
    const version = await versions.find(name);
    const made = version && describeVersion(app, { digest: name.digest, manifest: version.manifest, isLimited });
    if (made) described.set(key, made);
    return made;
  }

  /** Finds those versions of gadgets that nobody accepted and the member may run now. */
  async function findPreviews(viewer: string | undefined, gadgets: readonly CallingGadget[]) {
    const limited = gadgets.filter(({ isLimited }) => isLimited).map(nameOf);
    return viewer === undefined || limited.length === 0 ? new Set<string>() : versions.stillShown(viewer, limited);
  }

  async function find(query: { readonly viewer: string | undefined; readonly gadgets: readonly CallingGadget[] }) {
    const { viewer, gadgets } = query;
    const isSignedIn = viewer !== undefined;
    const ids = [...new Set(gadgets.map(({ app }) => app))];
    const columns = sql`id, consumer_secret, app_registrations.version`;
    const byApp = await findGrantRows<SealedGrantRow>(db, { columns }, { viewer, apps: ids, paused });
    const apps = await findApps([...byApp.values()].map(([first]) => first));
    const others = new Map<CallingGadget, DescribedApp | undefined>();
    const shown = await findPreviews(viewer, gadgets);
    for (const gadget of gadgets) {
      const app = apps.get(gadget.app);
      if (app && gadget.version !== undefined && gadget.version !== liveVersion(app.app)) {
        const isEnded = gadget.isLimited && !shown.has(versionKey(nameOf(gadget)));
        others.set(gadget, isEnded ? undefined : await describe(app, gadget));
      }
    }

    return (gadget: CallingGadget): Caller | undefined => {
      const app = apps.get(gadget.app);
      if (app === undefined) return undefined;
      const rows = byApp.get(gadget.app) ?? [];
      const live = accessOf(app, rows, isSignedIn);
      if (!others.has(gadget)) return { access: live, consumer: app.consumer };
      const version = others.get(gadget);
      if (version === undefined) throw appReplaced();
      return { access: accessOf(version, rows, isSignedIn, tookBackAtMs(app, live)), consumer: app.consumer };
    };
  }

  return { find, lastConsumer: (app: string): Consumer | undefined => cache.get(app)?.consumer };
}

function nameOf({ app, registration, version: digest = '' }: CallingGadget): VersionOf {
  return { app, registration, digest };
}
