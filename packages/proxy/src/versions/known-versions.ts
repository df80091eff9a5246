import type { Database } from '@gantry/store';
import { LRUCache } from 'lru-cache';
import type { Manifest } from '../apps/manifest.ts';
import { findVersion, type VersionName } from './stored-versions.ts';
import type { VersionFile } from './version-list.ts';

/** The content that a digest stands for. */
export interface KnownVersion {
  readonly manifest: Manifest;
  readonly files: ReadonlyMap<string, VersionFile>;
}

const keptBytes = 16 * 1024 * 1024;

/**
 * Makes the function that finds a version by its name, with one statement for each that is not
 * kept. A digest always stands for the same files, so those that are kept stay right.
 */
export function createKnownVersions(db: Database): (name: VersionName) => Promise<KnownVersion | undefined> {
  const cache = new LRUCache<string, KnownVersion>({ maxSize: keptBytes, sizeCalculation: roughBytes });
  const underway = new Map<string, Promise<KnownVersion | undefined>>();

  async function read(name: VersionName): Promise<KnownVersion | undefined> {
    const stored = await findVersion(db, name);
    if (stored === undefined) return undefined;
    const known = { manifest: stored.manifest, files: new Map(stored.files.map((file) => [file.path, file])) };
    cache.set(name.digest, known);
    return known;
  }

  return async (name) => {
    const { digest } = name;
    const key = `${name.app} ${name.registration} ${digest}`;
    const found = cache.get(digest) ?? underway.get(key);
    if (found !== undefined) return found;
    const reading = read(name).finally(() => underway.delete(key));
    underway.set(key, reading);
    return reading;
  };
}

function roughBytes({ files }: KnownVersion): number {
  let bytes = 4_000;
  for (const { path, chunks } of files.values()) bytes += 400 + 2 * path.length + 100 * chunks.length;
  return bytes;
}
