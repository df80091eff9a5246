import { extname } from 'node:path';

/** Returns the `Content-Type` of an app's file by its extension. */
export function contentTypeOf(name: string): string {
  return contentTypes[extname(name).toLowerCase()] ?? 'application/octet-stream';
}

/**
 * Returns whether a name has an extension that a page can load: with `connect-src 'none'` that is
 * documents, scripts, styles, pictures, fonts, sound and film.
 *
 * @example
 * isWebFile('friends.html'); // true
 * isWebFile('key.pem'); // false
 */
export function isWebFile(name: string): boolean {
  return Object.hasOwn(contentTypes, extname(name).toLowerCase());
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
  '.apng': 'image/apng',
  '.bmp': 'image/bmp',
  '.otf': 'font/otf',
  '.mp3': 'audio/mpeg',
  '.m4a': 'audio/mp4',
  '.aac': 'audio/aac',
  '.flac': 'audio/flac',
  '.oga': 'audio/ogg',
  '.ogg': 'audio/ogg',
  '.opus': 'audio/ogg',
  '.wav': 'audio/wav',
  '.weba': 'audio/webm',
  '.ogv': 'video/ogg',
  '.m4v': 'video/mp4',
  '.vtt': 'text/vtt; charset=utf-8',
  '.mp4': 'video/mp4',
  '.webm': 'video/webm',
  '.wasm': 'application/wasm',
};
