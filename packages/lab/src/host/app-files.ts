import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AppFile, folderSource } from '@gantry/proxy';

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
  /** @throws SocialError NOT_FOUND for a missing file, UPSTREAM_FAILED if it does not build. */
  open(request: FileRequest): Promise<AppFile>;
  /** Current address of the update socket. Absent: its files are served as they are. */
  readonly socket?: string;
  close(): Promise<void>;
}

/** Receives changes of an app's files. */
export interface FileEvents {
  /** `path` is relative to the folder, with slashes. */
  changed(path: string): void;
  /** Gadgets of the app must reload. */
  reload(why: string): void;
}

/** Makes a file of content in memory. */
export function fileOf(contentType: string, content: string | Uint8Array): AppFile {
  const bytes = Buffer.from(content);
  return {
    contentType,
    size: bytes.byteLength,
    isSettled: false,
    async *chunks() {
      yield bytes;
    },
    read: async () => bytes,
    body: async ({ start, end } = { start: 0, end: bytes.byteLength }) => bytes.subarray(start, end),
    close: async () => {},
  };
}

/** Returns whether a path names an HTML page, which gets the agent. */
export function isPage(path: string): boolean {
  return /\.html?$/i.test(path);
}

/** Serves a folder's files as they are, with the agent in its pages. */
export function createFolderFiles({ app, folder }: { readonly app: string; readonly folder: string }): AppFiles {
  return {
    async open({ path, headers, withAgent }) {
      const file = await folderSource.open({ app, folder, path, search: '', headers });
      if (!isPage(path)) return { ...file, version: undefined }; // not compressed: it changes often
      return fileOf(file.contentType, withAgent((await file.read()).toString()));
    },
    close: async () => {},
  };
}

/** Reads the built agent, a classic script for pages that no bundler serves. */
export function readAgent(): string {
  return readFileSync(join(import.meta.dirname, '..', '..', 'dist', 'agent-script', 'agent.js'), 'utf8');
}
