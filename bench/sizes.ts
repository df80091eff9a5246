import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { printSize } from './report.ts';

/** Sizes of what a browser loads, as served. */
export function measureSizes(): void {
  printSize('SDK, osapi.js', gzipped('@gantry/osapi/osapi.js'), 5);
  printSize('Container with Lit, container.js', gzipped('@gantry/container/container.js'), 20);
  // Fetched while the page waits for its first instances, so it is no part of a first paint; told because every page has it.
  const folder = dirname(fileURLToPath(import.meta.resolve('@gantry/container/container.js')));
  for (const part of globSync('chunks/answering-*.js', { cwd: folder })) {
    printSize('Beside it, what answers calls', gzippedFile(join(folder, part)));
  }
}

function gzipped(name: string): number {
  return gzippedFile(fileURLToPath(import.meta.resolve(name)));
}

function gzippedFile(path: string): number {
  return gzipSync(readFileSync(path)).length;
}
