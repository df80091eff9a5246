import { createHash } from 'node:crypto';
import type { AppFile } from '@gantry/proxy';

/** A file that a frame asks for. */
export interface FileRequest {
  /** Path in the app's folder, percent-encoded as the client sent it, without query. */
  readonly path: string;
  /** The query with its question mark, or `''`. */
  readonly search: string;
  readonly headers: Headers;
  /** Inserts the agent into a page. */
  readonly withAgent: (html: string) => string;
}

/** Files of one app under development. */
export interface AppFiles {
  /**
   * Opens a file. @throws SocialError NOT_FOUND for what the app does not have, UPSTREAM_FAILED for
   * what does not build.
   */
  open(request: FileRequest): Promise<AppFile>;
  /** Current address of the update socket. Absent: its files are served as they are. */
  readonly socket?: string;
  close(): Promise<void>;
}

/** Events of an app's files, whatever reads them. */
export interface FileEvents {
  /** `path` is relative to the folder, with slashes. */
  changed(path: string): void;
  /** Gadgets of the app must reload. */
  reload(why: string): void;
}

/**
 * Makes a file of content in memory.
 *
 * @example
 * (await fileOf('text/css', 'b {}').read()).toString(); // 'b {}'
 */
export function fileOf(contentType: string, content: string | Uint8Array): AppFile {
  const bytes = Buffer.from(content);
  return {
    contentType,
    etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`,
    read: async () => bytes,
    close: async () => {},
  };
}

/**
 * Returns whether a path names an HTML page, which gets the agent.
 *
 * @example
 * isPage('pages/large.HTML'); // true
 */
export function isPage(path: string): boolean {
  return /\.html?$/i.test(path);
}
