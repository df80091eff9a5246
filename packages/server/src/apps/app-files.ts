import { type Manifest, manifestOfList, readFolder, readManifest, readTar, type VersionSource } from '@gantry/proxy';
import { openFile } from '@gantry/store';
import { SocialError } from '@gantry/wire';

/** The place of an app's files: a folder, or a file that `gantry app pack` wrote. */
export type FilesPlace = { readonly folder: string } | { readonly file: string };

/** The files of an app for a version, and their manifest. */
export interface AppFiles {
  readonly source: VersionSource;
  readonly manifest: Manifest;
}

/** Reads the files of an app without storing any. @throws SocialError that names the fault. */
export async function readFiles(place: FilesPlace): Promise<AppFiles> {
  if ('folder' in place) {
    const manifest = await readManifest(place.folder); // first: its messages name the folder
    return { source: await readFolder(place.folder), manifest };
  }
  const source = await readTar(() => bytesOf(place.file));
  return { source, manifest: await manifestOfList(source.list, (digest) => readOne(source, digest)) };
}

async function readOne(source: VersionSource, digest: string): Promise<Uint8Array | undefined> {
  for await (const [, bytes] of source.read([digest])) return bytes;
  return undefined;
}

async function* bytesOf(path: string): AsyncGenerator<Uint8Array> {
  const file = await openFile(path);
  if (file === undefined) throw new SocialError('BAD_REQUEST', `There is no file ${path}.`);
  try {
    yield* file.chunks();
  } finally {
    await file.close();
  }
}
