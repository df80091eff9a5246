import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { printSize } from './report.ts';

/** Sizes of what a browser loads, as served. */
export function measureSizes(): void {
  printSize('SDK, osapi.js', gzipped('@gantry/osapi/osapi.js'), 5);
  printSize('Container with what answers calls, container.js', gzipped('@gantry/container/container.js'), 20);
}

function gzipped(name: string): number {
  return gzipSync(readFileSync(fileURLToPath(import.meta.resolve(name))), { level: 9 }).length;
}
