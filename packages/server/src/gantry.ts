import type { IncomingMessage } from 'node:http';
import type { DocumentSource } from '@gantry/proxy';
import type { HashPermit, SavedRecords, SiteRecord } from '@gantry/service';
import type { Database } from '@gantry/store';
import type { Logger } from 'pino';
import type { Keys } from './keys.ts';
import type { OpenRequests } from './open-requests.ts';
import type { Arrived, Direct } from './request-listener.ts';
import type { Telemetry } from './telemetry.ts';
import type { ToolOptions } from './tool-options.ts';

export interface GantryOptions extends ToolOptions {
  /** Folder of keys, media and, unless `database` says otherwise, the database. Made where missing. */
  readonly data: string;
  /** SQLite file, or the `postgres://` address of a server. Default: `gantry.db` in the data folder. */
  readonly database?: string | undefined;
  /** Public address of the site, an origin. It is signed, printed and prefixed to every URL in answers. */
  readonly url: string;
  /** Origin of app documents; one that begins with `*.` gives each app its own. Absent: the site's host, kept opaque. */
  readonly appsHost?: string | undefined;
  /** Names the signed-in member of a request, for gadgets and for the account's pages. Absent: they sign in at `/account/sign-in`. */
  readonly viewer?: SiteViewer | undefined;
  /** Instead of `viewer`: the key of tokens that say who is signed in, made by a site in another language. At least 32 bytes. */
  readonly viewerKey?: Uint8Array | undefined;
  /** Where members sign in, for a site with a sign-in of its own. It gets `?return=`, a path to come back to. */
  readonly signInUrl?: string | undefined;
  /** Answers what is not Gantry's: the site's own pages. */
  readonly site?: ((request: Request, stores: Stores) => Promise<Response>) | undefined;
  /** Default: JSON lines on standard error, from the level that `GANTRY_LOG` names (default `warn`). */
  readonly log?: Logger | undefined;
  /** Counts the work, names the requests and answers `/metrics`. Default: one that ends with `close`. */
  readonly telemetry?: Telemetry | undefined;
  /** Calls that one member's use of one app may make in a minute; 0 is no limit. */
  readonly callsPerMinute?: number | undefined;
  /** Source of the files of served apps, as of `@gantry/proxy`. Default: their folders. */
  readonly documents?: DocumentSource | undefined;
  /** Shares the processors that hash passwords with other workers. Absent: there are none. */
  readonly hashPermit?: HashPermit | undefined;
  /** What a reader of `/metrics` sends as `Authorization: Bearer`. Absent: only this machine reads, and only of a local site. */
  readonly metricsToken?: string | undefined;
}

/**
 * Names the signed-in member of a request, or `undefined` where nobody is signed in.
 *
 * @param incoming The request of Node's that `toNodeListener` was given, with what the site's own middleware has put on it.
 */
export type SiteViewer = (
  request: Request,
  incoming?: IncomingMessage,
) => Promise<string | undefined> | string | undefined;

/** Everything that a server needs to hand requests over: to a whole site, or to a proxy before an existing one. */
export interface GantryHandler {
  /** Paths that Gantry serves, each with everything below it, for routers and reverse proxies. */
  readonly paths: readonly string[];
  /**
   * Answers one request.
   *
   * @param rawTarget Path and query exactly as the client sent them; OAuth signatures cover those bytes.
   */
  fetch(request: Request, rawTarget: string): Promise<Response>;
  /** `fetch` for the paths of the service and the calls of pages, without a `Request`; `undefined` for any other. */
  readonly direct: Direct;
  /** Returns whether `fetch` takes a request's body piece by piece, with a limit of its own: photos that members upload. */
  streams(request: Pick<Arrived, 'method' | 'rawTarget'>): boolean;
  /** Returns whether a request is Gantry's: by its path, or by a host of apps. */
  serves(request: Pick<Arrived, 'host' | 'rawTarget'>): boolean;
  readonly stores: Stores;
  readonly telemetry: Telemetry;
  /** Requests that `toNodeListener` has handed over. */
  readonly openRequests: OpenRequests;
  /** Ends the streams of events, which would otherwise keep a server from stopping, and refuses new ones. */
  leave(): void;
  /** Lets every request that was handed over finish, at most 30 seconds, and closes the stores. */
  close(): Promise<void>;
}

/** Service and proxy in one process, over one database. */
export interface Gantry extends GantryHandler {
  /**
   * Saves what changed in the site's own member table: members, friendships, and every other record of `docs/world-file.md`.
   * All of them are stored, or none. A record that is there already is overwritten.
   *
   * @example
   * await gantry.saveRecords([
   *   { kind: 'member', id: 'm-3', displayName: 'Cy' },
   *   { kind: 'friendship', members: ['m-1', 'm-3'] },
   *   { kind: 'member', id: 'm-2', deleted: true },
   * ]);
   * @returns Numbers of what was stored.
   * @throws SocialError BAD_REQUEST that names the first bad record; UNAVAILABLE during an import.
   */
  saveRecords(records: readonly SiteRecord[]): Promise<SavedRecords>;
}

/** What the commands work on. */
export interface Stores extends Keys {
  readonly db: Database;
  readonly mediaFolder: string;
}
