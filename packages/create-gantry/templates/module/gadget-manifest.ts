import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

/** Puts gadget.json into the build: a site gets the folder dist, which has to be whole. */
export function gadgetManifest(): Plugin {
  return {
    name: 'gadget-manifest',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'gadget.json', source: readFileSync('gadget.json', 'utf8') });
    },
  };
}
