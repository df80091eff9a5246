import type { VersionList } from '../versions/version-list.ts';

/**
 * Changes of apps that the site around the proxy makes, since they concern its keys and members
 * too. Commands and HTTP have the same implementation. Each adds its row to the audit.
 */
export interface SiteApps {
  /** The site issues keys of apps, so that a push can register one. False behind `gantry proxy`. */
  readonly issuesKeys: boolean;
  /**
   * Makes a version live whose chunks are stored, and registers the app if the id is unused.
   *
   * @throws SocialError CONFLICT for an id that another app has or had, and for missing chunks.
   */
  add(version: AddedVersion): Promise<{ readonly done: 'registered' | 'updated' | 'unchanged' }>;
  /** Makes a version live that waits. @throws SocialError CONFLICT if it does not wait any more. */
  approve(change: VersionChange): Promise<{ readonly done: 'registered' | 'updated' }>;
  /**
   * Makes an earlier version live again. @param change.version Default: the one that was live
   * before.
   */
  rollBack(change: Omit<VersionChange, 'version'> & { readonly version?: string | undefined }): Promise<{
    readonly version: string;
  }>;
  /** Offers a version to members. @throws SocialError BAD_REQUEST for ids that no member has. */
  offer(change: Omit<VersionChange, 'despiteData'> & { readonly members: readonly string[] }): Promise<void>;
  setPaused(change: { readonly app: string; readonly by: string; readonly isPaused: boolean }): Promise<void>;
}

export interface AddedVersion {
  readonly app: string;
  readonly list: VersionList;
  /** Maker, as in `AuditEntry.actor`. */
  readonly by: string;
  readonly statement?: string | undefined;
  readonly despiteData?: boolean | undefined;
}

export interface VersionChange {
  readonly app: string;
  /** Digest. */
  readonly version: string;
  /** Maker, as in `AuditEntry.actor`. */
  readonly by: string;
  /** Goes to a version of which `data` is less than that of the live one. Default: refused. */
  readonly despiteData?: boolean | undefined;
}
