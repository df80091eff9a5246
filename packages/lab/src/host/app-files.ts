import { createHash } from 'node:crypto';
import type { AppFile } from '@gantry/proxy';

/** A file that a frame asks for. */
export interface FileRequest {
  /** Path in the app's folder, percent-encoded as the client sent it, without query. */
  readonly path: string;
  /** The query with its question mark, or `''`. */
  readonly search: string;
  readonly headers: Headers;
  /** Puts the agent into a page. */
  readonly withAgent: (html: string) => string;
}

/** Files of one app under development. */
export interface AppFiles {
  /** Opens a file. @throws SocialError NOT_FOUND for what the app does not have, UPSTREAM_FAILED for what does not build. */
  open(request: FileRequest): Promise<AppFile>;
  /** Address of the socket that announces updates, as its builder has it now. Absent: its files are served as they are. */
  readonly socket?: string;
  close(): Promise<void>;
}

/** Events of an app's files, whatever reads them. */
export interface FileEvents {
  /** A file of the folder was written, made or removed. `path` is relative to the folder, with slashes. */
  changed(path: string): void;
  /** The gadgets of the app must be loaded anew. */
  reload(why: string): void;
}

/** Makes a file of content that is in memory. */
export function fileOf(contentType: string, content: string | Uint8Array): AppFile {
  const bytes = Buffer.from(content);
  return {
    contentType,
    etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`,
    read: async () => bytes,
    close: async () => {},
  };
}

/** Returns whether a path is that of a page, in which the agent belongs. */
export function isPage(path: string): boolean {
  return /\.html?$/i.test(path);
}
