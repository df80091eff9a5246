import { SocialError } from '@gantry/wire';
import { maxVersionBytes, refuse } from './version-list.ts';

const block = 512;
/** Entries of a tar file, folders and headers of long names included. */
export const maxTarEntries = 8_000;
/** Bytes of a tar file. */
export const maxTarBytes = maxVersionBytes + maxTarEntries * 2 * block;
const maxHeaderBytes = 8_192; // of a long name with its attributes

const folder = '5';
const headers = 'xgLK'; // attributes and long names of the entry that follows
const isKnown = new RegExp(`^[\\0 0${folder}${headers}]$`);

/**
 * Passes a tar file on, while every entry is a plain file or a folder of a plain size. The decoder
 * takes each unknown type for a file, as POSIX has it, and would read a sparse one wrongly; and it
 * has its own idea of how much is too much.
 *
 * @throws SocialError BAD_REQUEST that names the entry, TOO_LARGE for too many entries or bytes.
 */
export async function* refuseOddEntries(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const header = Buffer.alloc(block);
  let [filled, content, entries, bytes] = [0, 0, 0, 0];
  for await (const piece of pieces) {
    bytes += piece.length;
    if (bytes > maxTarBytes) throw new SocialError('TOO_LARGE', `A tar file has at most ${maxTarBytes} bytes here.`);
    for (let at = 0; at < piece.length; ) {
      const part = piece.subarray(at, at + (content > 0 ? content : block - filled));
      at += part.length;
      if (content > 0) {
        content -= part.length;
        continue;
      }
      header.set(part, filled);
      filled += part.length;
      if (filled < block) break;
      filled = 0;
      if (header[0] === 0) continue; // the end
      entries += 1;
      if (entries > maxTarEntries)
        throw new SocialError('TOO_LARGE', `A tar file has at most ${maxTarEntries} entries.`);
      content = contentBytes(header);
    }
    yield piece;
  }
}

/** Returns the bytes that follow a header, to the next one. */
function contentBytes(header: Buffer): number {
  const text = (start: number, length: number) => header.toString('utf8', start, start + length);
  const name = text(0, 100).replace(/\0.*/s, '');
  const type = text(156, 1);
  if (!isKnown.test(type))
    throw refuse(name, 'is neither a file nor a folder: links, devices and sparse files have no place in a version');
  const size = /^ *([0-7]{1,11})[ \0]*$/.exec(text(124, 12))?.[1];
  if (size === undefined) throw refuse(name, 'has a size that is no plain number');
  if (type === folder) return 0;
  const bytes = Number.parseInt(size, 8);
  if (headers.includes(type) && bytes > maxHeaderBytes) throw refuse(name, 'has attributes that are too long');
  return Math.ceil(bytes / block) * block;
}
