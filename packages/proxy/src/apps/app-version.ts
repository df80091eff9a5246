import type { KnownFile } from '../http/file-responses.ts';
import type { Manifest } from './manifest.ts';
import type { RegisteredApp } from './registrations.ts';

/** Names a version of one registration of an app. */
export interface VersionOf {
  readonly app: string;
  readonly registration: string;
  readonly digest: string;
}

/** A version that some page shows, not always the live one. */
export interface AppVersion {
  readonly digest: string;
  readonly manifest: Manifest;
  /** Not accepted: it has nothing that the live version does not declare. */
  readonly isLimited: boolean;
}

/** A version that a member may see before it is live. */
export interface MemberPreview {
  readonly app: string;
  /** Digest of the version. */
  readonly version: string;
  /** Absent until the member has decided. */
  readonly accepted?: boolean;
}

/** The stored versions of apps, as the parts of the proxy that show them need them. */
export interface AppVersions {
  /** Finds the manifest of a version, whatever its state. */
  find(version: VersionOf): Promise<Pick<AppVersion, 'manifest'> | undefined>;
  /** Finds an app as a version of it is shown to pages. Default: the live version. */
  findShown(app: string, digest: string | undefined): Promise<RegisteredApp | undefined>;
  /**
   * Finds those versions that pages may be given, by `versionKey`, and keeps them for these pages
   * for a while.
   */
  give(versions: readonly VersionOf[]): Promise<ReadonlyMap<string, AppVersion>>;
  /**
   * Finds those versions that a member may still run, by `versionKey`: previews that they accepted,
   * and what was accepted for everybody meanwhile.
   */
  stillShown(member: string, versions: readonly VersionOf[]): Promise<ReadonlySet<string>>;
  /**
   * Finds a file of a version.
   *
   * @param path Relative and percent-encoded, without query.
   * @throws SocialError NOT_FOUND.
   */
  open(version: VersionOf, path: string): Promise<KnownFile>;
}

export function versionKey({ app, registration, digest }: VersionOf): string {
  return `${app} ${registration} ${digest}`;
}

/** Returns the digest of the live version, if the app has one. */
export function liveVersion({ source }: Pick<RegisteredApp, 'source'>): string | undefined {
  return source.kind === 'stored' ? source.version : undefined;
}

/** Returns an app as one of its versions is, with the hosts and storage that it may have. */
export function asVersion(app: RegisteredApp, { digest, manifest, isLimited }: AppVersion): RegisteredApp {
  const { hosts, storage } = manifest;
  const live = app.manifest;
  const limits = { hosts: hosts.filter((host) => live.hosts.includes(host)), storage: storage && live.storage };
  return {
    ...app,
    source: { kind: 'stored', version: digest },
    manifest: isLimited ? { ...manifest, ...limits } : manifest,
  };
}
