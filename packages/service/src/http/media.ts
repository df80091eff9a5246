import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '@gantry/store';
import { type HttpResponse, SocialError } from '@gantry/wire';
import { mediaFile } from '../store/albums.ts';
import { refuseWrite } from './answer.ts';

/** Path prefix of media files. A secret token follows, which only viewers of the item get. */
export const mediaPath = '/gantry/media/';

/**
 * Serves a file by its token (contract §3). The URL itself grants access, from any page; deleting
 * or hiding the item revokes the token.
 *
 * @throws SocialError NOT_FOUND, METHOD_NOT_ALLOWED
 */
export async function mediaAnswer(
  method: string,
  { path, db, mediaFolder }: { readonly path: string; readonly db: Database; readonly mediaFolder: string },
): Promise<HttpResponse> {
  refuseWrite(method, 'Media can only be read.');
  const token = path.slice(mediaPath.length);
  const found = await mediaFile(db, token);
  if (!found) throw new SocialError('NOT_FOUND', 'There is no such file.');
  const bytes = await readFile(join(mediaFolder, found.file)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    throw new SocialError('NOT_FOUND', 'There is no such file.', { cause: error }); // deleted meanwhile
  });
  return {
    status: 200,
    body: method === 'HEAD' ? null : bytes,
    headers: {
      'Content-Type': found.type,
      'Content-Length': String(bytes.length),
      'Cache-Control': 'private, max-age=31536000, immutable',
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'X-Content-Type-Options': 'nosniff',
    },
  };
}
