import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Manifest, readManifest } from '@gantry/proxy';
import type { ManifestFacts } from '../explain/manifest-line.ts';

/** Returns the path of the `gadget.json` of an app's sources: in the folder, or in its `public`. */
export function manifestPath(folder: string): string {
  const paths = [join(folder, 'gadget.json'), join(folder, 'public', 'gadget.json')] as const;
  return paths.find((path) => existsSync(path)) ?? paths[0];
}

/** Reads the `gadget.json` of an app's sources. @throws SocialError BAD_REQUEST if invalid. */
export async function readAppManifest(folder: string): Promise<Manifest> {
  return readManifest(dirname(manifestPath(folder)), [folder, join(folder, 'public')]);
}

/** Reads a `gadget.json` for explanations, whether a site would take it or not. */
export function readManifestFacts(folder = ''): ManifestFacts | undefined {
  try {
    const manifest: unknown = JSON.parse(readFileSync(manifestPath(folder), 'utf8').replace(/^\uFEFF/, ''));
    return typeof manifest === 'object' && manifest !== null ? manifest : undefined;
  } catch {
    return undefined; // missing, or being written
  }
}

/** Lists the pages that a manifest names, each once. */
export function pagesOf({ page, views }: Manifest): readonly string[] {
  return [...new Set([page, ...Object.values(views ?? {})])];
}
