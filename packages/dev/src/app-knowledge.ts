import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readManifestFacts } from '@gantry/lab/host';
import { createExplainer, type Explainer } from '@gantry/lab/record';
import { createSourcePlaces } from './source-place.ts';

const mostFiles = 2_000;
const mostFolders = 200;
const mostBytes = 8_000_000;

/**
 * @param options.folderOf Returns the folder of an app; nothing for one with its own server.
 * @param options.url Returns the origin of the dev host, from which frames get the files.
 */
export function createAppKnowledge(options: {
  readonly folderOf: (app: string) => string | undefined;
  readonly url: () => string;
  readonly fetch?: typeof globalThis.fetch;
}) {
  const { folderOf, url, fetch = globalThis.fetch } = options;

  async function read(target: string): Promise<string | undefined> {
    const response = await fetch(new URL(target, url()), { signal: AbortSignal.timeout(5_000) });
    const chunks: Uint8Array[] = [];
    let bytes = response.ok ? 0 : Number.POSITIVE_INFINITY;
    for await (const chunk of response.body ?? []) {
      bytes += chunk.byteLength;
      if (bytes > mostBytes) return undefined; // this ends the response
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString();
  }

  return {
    places: createSourcePlaces({ read }),
    /** Makes an explainer: each reader of the record has its own. */
    createExplainer: (): Explainer =>
      createExplainer({
        manifestOf: (app) => readManifestFacts(folderOf(app)),
        filesOf: (app) => filesIn(folderOf(app)),
        isRemote: (app) => folderOf(app) === undefined,
      }),
  };
}

/** Lists files with paths relative to the folder: at most 2,000, out of 200 folders. */
function filesIn(folder: string | undefined): readonly string[] {
  const files: string[] = [];
  const folders = folder === undefined ? [] : [''];
  for (let index = 0; index < folders.length && index < mostFolders && files.length < mostFiles; index++) {
    const inside = folders[index] as string;
    try {
      for (const entry of readdirSync(join(folder as string, inside), { withFileTypes: true })) {
        const path = inside === '' ? entry.name : `${inside}/${entry.name}`;
        if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
        if (entry.isDirectory()) folders.push(path);
        else files.push(path);
      }
    } catch {
      // unreadable or removed
    }
  }
  return files;
}
