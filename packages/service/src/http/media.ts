import type { Blobs, Database } from '@gantry/store';
import { type HttpResponse, SocialError } from '@gantry/wire';
import { mediaPath } from '../paths.ts';
import { mediaFile } from '../store/albums.ts';
import { refuseWrite } from './answer.ts';

/**
 * Serves a file by its token (contract §3). The URL itself grants access, from any page; deleting
 * or hiding the item revokes the token. @throws SocialError NOT_FOUND, METHOD_NOT_ALLOWED
 */
export async function mediaAnswer(
  method: string,
  { path, db, photos }: { readonly path: string; readonly db: Database; readonly photos: Blobs },
): Promise<HttpResponse> {
  refuseWrite(method, 'Media can only be read.');
  const token = path.slice(mediaPath.length);
  const row = await mediaFile(db, token);
  if (!row) throw new SocialError('NOT_FOUND', 'There is no such file.');
  const file = await (method === 'HEAD' ? headOf(photos, row.file) : photos.open(row.file));
  if (!file) throw new SocialError('NOT_FOUND', 'There is no such file.'); // deleted meanwhile
  return {
    status: 200,
    body: await file.body(),
    headers: {
      'Content-Type': row.type,
      'Content-Length': String(file.size),
      'Cache-Control': 'private, max-age=31536000, immutable',
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'X-Content-Type-Options': 'nosniff',
    },
  };
}

/** Finds a file without opening it, since a bucket sends all of it then (security rule 34). */
async function headOf(photos: Blobs, name: string) {
  const size = await photos.sizeOf(name);
  return size === undefined ? undefined : { size, body: () => null };
}
