import { open, realpath } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import { SocialError } from '@gantry/wire';

/** An open file of an app. */
export interface AppFile {
  readonly contentType: string;
  /** Strong validator, in quotes. */
  readonly etag: string;
  /** Reads the content and closes the file. */
  read(): Promise<Buffer>;
  close(): Promise<void>;
}

const maxBytes = 64 * 1024 * 1024; // held in memory while it is sent

/**
 * Opens a file of an app's folder. Symbolic links must not lead out of the folder.
 *
 * @throws SocialError NOT_FOUND for anything but a readable file of the folder, TOO_LARGE for more
 * than 64 MiB.
 */
export async function openAppFile(folder: string, segments: readonly string[]): Promise<AppFile> {
  const contentType = contentTypeOf(segments.at(-1) ?? '');
  try {
    const [root, path] = await Promise.all([realpath(folder), realpath(join(folder, ...segments))]);
    if (!path.startsWith(root.endsWith(sep) ? root : root + sep)) throw new Error('outside of the folder');
    const file = await open(path);
    const stats = await file.stat({ bigint: true });
    if (!stats.isFile() || stats.size > maxBytes) {
      await file.close();
      if (!stats.isFile()) throw new Error('not a file');
      throw new SocialError('TOO_LARGE', `A file of an app has at most ${maxBytes} bytes.`);
    }
    return {
      contentType,
      etag: `"${[stats.size, stats.mtimeNs, stats.ino].map((number) => number.toString(36)).join('-')}"`,
      read: () => file.readFile().finally(() => file.close()),
      close: () => file.close(),
    };
  } catch (cause) {
    if (cause instanceof SocialError) throw cause;
    throw new SocialError('NOT_FOUND', 'The app has no such file.', { cause });
  }
}

/**
 * Returns the `Content-Type` of an app's file by its extension.
 *
 * @example
 * contentTypeOf('friends.html'); // 'text/html; charset=utf-8'
 * contentTypeOf('README'); // 'application/octet-stream'
 */
export function contentTypeOf(name: string): string {
  return contentTypes[extname(name).toLowerCase()] ?? 'application/octet-stream';
}

const contentTypes: Readonly<Record<string, string>> = {
  __proto__: null as never,
  '.html': 'text/html; charset=utf-8',
  '.htm': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.ico': 'image/x-icon',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
  '.ttf': 'font/ttf',
  '.mp3': 'audio/mpeg',
  '.mp4': 'video/mp4',
  '.webm': 'video/webm',
  '.wasm': 'application/wasm',
};
