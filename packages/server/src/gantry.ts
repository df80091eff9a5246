import type { IncomingMessage } from 'node:http';
import type { DocumentSource } from '@gantry/proxy';
import type { HashPermit, SavedRecords, SiteRecord } from '@gantry/service';
import type { HttpRequest } from '@gantry/wire';
import type { Logger } from '@gantry/wire/runtime';
import type { Stores } from './data/stores.ts';
import type { OpenRequests } from './http/open-requests.ts';
import type { Direct } from './http/request-listener.ts';
import type { DatabaseSetting } from './setup/database-address.ts';
import type { SecretOptions } from './setup/secrets.ts';
import type { Telemetry } from './telemetry/telemetry.ts';
import type { ToolOptions } from './tool-options.ts';

export interface GantryOptions
  extends ToolOptions,
    SecretOptions,
    Pick<DatabaseSetting, 'databaseIsFound' | 'directUrl'> {
  /** Folder of keys, media and, by default, the database. Created if missing. */
  readonly data: string;
  /** SQLite file or `postgres://` address. Default: `gantry.db` in the data folder. */
  readonly database?: string | undefined;
  /**
   * Other processes of the site have the same SQLite file open, so `rateLimit` and `callsPerMinute`
   * count in all of them together. On PostgreSQL they always do. Default: false.
   */
  readonly sharesDatabase?: boolean | undefined;
  /** `postgres://` addresses of standbys, which may answer reads of the API. */
  readonly replicas?: readonly string[] | undefined;
  /**
   * Address of an S3 bucket for photos and the files of apps: `s3://name` or `s3://name/prefix`.
   * Needs the package `@aws-sdk/client-s3`, which reads credentials and region from the
   * environment.
   */
  readonly bucket?: string | undefined;
  /** Public address of the site, an origin. Signatures and every URL in responses contain it. */
  readonly url: string;
  /** Origin of app documents; `*.` gives each app its own. Absent: the site's, made opaque. */
  readonly appsHost?: string | undefined;
  /** Names a request's signed-in member. Absent: members sign in at `/account/sign-in`. */
  readonly viewer?: SiteViewer | undefined;
  /** Sign-in page of a site that has its own. It gets `?return=`, a path to come back to. */
  readonly signInUrl?: string | undefined;
  /** Handles requests for the site's own pages: all that are not Gantry's. */
  readonly site?: ((request: Request, stores: Stores) => Promise<Response>) | undefined;
  /** Default: JSON lines on standard error, from level `GANTRY_LOG` (default `warn`). */
  readonly log?: Logger | undefined;
  /** Request ids, metrics and log. Default: one that ends with `close`. */
  readonly telemetry?: Telemetry | undefined;
  /** Calls per minute that one member's use of one app may make; 0 is no limit. */
  readonly callsPerMinute?: number | undefined;
  /** Newest versions that are kept of each app; the live one always is. Default: 10. */
  readonly keptVersions?: number | undefined;
  /** Source of the files of served apps (`@gantry/proxy`). Default: their folders. */
  readonly documents?: DocumentSource | undefined;
  /** Limits password hashes at a time across worker processes. Absent: this process is alone. */
  readonly hashPermit?: HashPermit | undefined;
}

/**
 * Returns the signed-in member of a request, or `undefined` if signed out.
 *
 * @param incoming Node's request that `toNodeListener` received, with what the site's own
 * middleware added to it.
 */
export type SiteViewer = (
  request: Request,
  incoming?: IncomingMessage,
) => Promise<string | undefined> | string | undefined;

/** Handler of a whole site, or of a proxy in front of an existing one, for any server. */
export interface GantryHandler {
  /** Paths that Gantry serves, each with all below it, for routers and reverse proxies. */
  readonly paths: readonly string[];
  /**
   * Methods and paths that Gantry serves, with names for their variable parts, such as
   * `GET /gantry/media/{token}`. `HEAD` is answered where `GET` is.
   */
  readonly routes: readonly string[];
  /**
   * Returns the response to one request. A handler of frameworks that work on `Request`; their
   * further arguments are ignored.
   *
   * @example
   * import { mkdtempSync } from 'node:fs';
   * const data = mkdtempSync('/tmp/gantry-example-');
   * const gantry = await createGantry({ data, url: 'http://localhost:4400' });
   * const response = await gantry.fetch(new Request('http://localhost:4400/healthz'));
   * response.status; // 200
   * await gantry.close();
   * @param rawTarget Path and query exactly as the client sent them, where they are known: OAuth
   * signatures cover those bytes. Default: those of `request.url`.
   */
  fetch(request: Request, rawTarget?: unknown): Promise<Response>;
  /** `fetch` without a `Request`: service paths and calls of pages; `undefined` for others. */
  readonly direct: Direct;
  /** Returns whether `fetch` streams a body, with its own limit: photos, versions of apps. */
  streams(request: Pick<HttpRequest, 'method' | 'rawTarget'>): boolean;
  /** Returns whether a request is for a file of everybody's, whose answer carries no cookies. */
  isPublic(request: Pick<HttpRequest, 'method' | 'host' | 'rawTarget'>): boolean;
  /** Returns whether a request is Gantry's: by its path, or by a host of apps. */
  serves(request: Pick<HttpRequest, 'host' | 'rawTarget'>): boolean;
  readonly stores: Stores;
  readonly telemetry: Telemetry;
  /** Requests that `toNodeListener` passed on and that have no complete response yet. */
  readonly openRequests: OpenRequests;
  /** Ends the event streams, which would keep a server from stopping, and refuses new ones. */
  leave(): void;
  /** Waits for open requests, at most 30 seconds, and closes the stores. */
  close(): Promise<void>;
}

/** Service and proxy in one process, over one database. */
export interface Gantry extends GantryHandler {
  /**
   * Saves changes of the site's own member table: members, friendships and every other record of
   * `docs/world-file.md`, all or none of them. Existing records are overwritten.
   *
   * @example
   * await gantry.saveRecords([
   *   { kind: 'member', id: 'm-3', displayName: 'Cy' },
   *   { kind: 'friendship', members: ['m-1', 'm-3'] },
   *   { kind: 'member', id: 'm-2', deleted: true },
   * ]);
   * @returns Counts of the stored records.
   * @throws SocialError BAD_REQUEST that names the first bad record; UNAVAILABLE during an import.
   */
  saveRecords(records: readonly SiteRecord[]): Promise<SavedRecords>;
}
