import { openFile } from '@gantry/store';
import { SocialError } from '@gantry/wire';
import type { SentFile } from '../http/file-responses.ts';
import { contentTypeOf } from './content-types.ts';
import { isServed } from './served-files.ts';

/** An open file of an app. Close it, or read it to its end. */
export interface AppFile extends SentFile {
  /** Reads the content and closes the file. */
  read(): Promise<Buffer>;
}

const maxBytes = 64 * 1024 * 1024;

/**
 * Opens a file of an app's folder. Symbolic links must not lead out of the folder, nor to a file
 * that is not served.
 *
 * @throws SocialError NOT_FOUND for anything but a served file of the folder, TOO_LARGE for more
 * than 64 MiB.
 * @throws Error of the system if the process has no descriptor left.
 */
export async function openAppFile(folder: string, segments: readonly string[]): Promise<AppFile> {
  const file = await openFile(segments.join('/'), { below: folder });
  if (file === undefined) throw notServed();
  if (file.size > maxBytes || !isServed(file.inFolder)) {
    await file.close();
    if (file.size <= maxBytes) throw notServed();
    throw new SocialError('TOO_LARGE', `A file of an app has at most ${maxBytes} bytes.`);
  }
  const version = `${folder}/${file.inFolder} ${file.version}`;
  return { ...file, version, contentType: contentTypeOf(segments.at(-1) ?? '') };
}

function notServed(): SocialError {
  return new SocialError('NOT_FOUND', 'The app has no such file.');
}
