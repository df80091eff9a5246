import { extname } from 'node:path';
import { isForAuthors } from '@gantry/proxy';
import { openFile } from '@gantry/store';
import { filesBelow } from '../project/files-below.ts';
import { type ServedFiles, servedFilesOf } from './served-files.ts';

/** A text file of an app, by its path in the folder, with slashes. */
export interface Source {
  readonly path: string;
  readonly text: string;
}

/** Files of an app's folder, up to the bounds in docs/limits.md. */
export interface Sources {
  /** Paths of all files but those of packages and dotted folders. */
  readonly files: readonly string[];
  /** Those that a site serves, of all files. */
  readonly servedFiles: ServedFiles;
  /** Pages, scripts and styles, and the sources that they are built from. */
  readonly texts: readonly Source[];
}

const largestBytes = 1_000_000;
const mostFiles = 500;
const mostText = 20_000_000;
const endings = new Set(['.html', '.htm', '.js', '.mjs', '.jsx', '.ts', '.mts', '.tsx', '.vue', '.svelte', '.css']);

export async function sourcesOf(folder: string): Promise<Sources> {
  const all = await filesBelow(folder);
  const files = all.filter((path) => !/(^|\/)(node_modules|\.[^/]+)\//.test(path)).slice(0, mostFiles);
  const texts: Source[] = [];
  let length = 0;
  for (const path of files.filter((each) => endings.has(extname(each)) && !isForAuthors(each))) {
    const source = await read(folder, path);
    if (!source) continue;
    length += source.text.length;
    if (length > mostText) break;
    texts.push(source);
  }
  return { files, texts, servedFiles: servedFilesOf(all) };
}

async function read(folder: string, path: string): Promise<Source | undefined> {
  const file = await openFile(path, { below: folder });
  return file && { path, text: (await file.readStart(largestBytes)).toString() };
}
