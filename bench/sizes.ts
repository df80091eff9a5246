import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { printSize } from './report.ts';

/** Sizes of what a browser loads, as served. */
export function measureSizes(): void {
  const container = fileOf('@gantry/container/container.js');
  printSize('SDK, osapi.js', gzipped(fileOf('@gantry/osapi/osapi.js')), 5);
  printSize('Container with what answers calls, container.js', gzipped(container), 20);
  const folder = join(dirname(container), 'chunks');
  const chunks = readdirSync(folder)
    .map((file) => ({ name: file.replace(/-[\w-]{8}\.js$/, ''), bytes: gzipped(join(folder, file)) }))
    .toSorted((a, b) => b.bytes - a.bytes);
  const first = chunks.find(({ name }) => name === 'app-load');
  if (first) printSize('What starts an app, fetched while the page asks for its gadgets, app-load', first.bytes, 6);
  const others = chunks.filter((chunk) => chunk !== first);
  console.log(
    `Fetched when it is needed, kB: ${others.map(({ name, bytes }) => `${name} ${(bytes / 1_000).toFixed(1)}`).join(', ')}`,
  );
}

function fileOf(name: string): string {
  return fileURLToPath(import.meta.resolve(name));
}

function gzipped(file: string): number {
  return gzipSync(readFileSync(file), { level: 9 }).length;
}
