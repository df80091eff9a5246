import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { parseSync } from 'vite';
import type { Report } from './figures/report.ts';

/** Sizes of what a browser loads, as served. */
export function measureSizes(report: Report): void {
  const count = (name: string, value: number, limit?: number) =>
    report.count({ name, value, unit: 'bytes gzipped', ...(limit !== undefined && { limit }) });
  const container = fileOf('@gantry/container/container.js');
  count('SDK, osapi.js', gzipped(fileOf('@gantry/osapi/osapi.js')), 5_200);
  const loaded = withImports(container);
  count(
    'Container with what answers calls, container.js and all that it imports',
    loaded.reduce((sum, file) => sum + gzipped(file), 0),
    17_500,
  );
  report.count({ name: 'Chunks that container.js imports', value: loaded.length - 1, unit: 'chunks', limit: 0 });
  const folder = join(dirname(container), 'chunks');
  const chunks = readdirSync(folder)
    .filter((file) => !loaded.includes(join(folder, file)))
    .map((file) => ({ name: file.replace(/-[\w-]{8}\.js$/, ''), bytes: gzipped(join(folder, file)) }))
    .toSorted((a, b) => b.bytes - a.bytes);
  const first = chunks.find(({ name }) => name === 'app-load');
  if (first) count('What starts an app, fetched while its frame loads, app-load', first.bytes, 16_000);
  const atStart = readdirSync(folder)
    .filter((file) => /^(?:app-load|open-outbox)-/.test(file))
    .map((file) => join(folder, file));
  const further = new Set(atStart.flatMap((file) => withImports(file)));
  for (const file of [...loaded, ...atStart]) further.delete(file);
  report.count({
    name: 'Chunks that app-load and open-outbox import',
    value: further.size,
    unit: 'chunks',
    limit: 0,
  });
  const others = chunks.filter((chunk) => chunk !== first);
  console.log(
    `Fetched when it is needed, kB: ${others.map(({ name, bytes }) => `${name} ${(bytes / 1_000).toFixed(1)}`).join(', ')}`,
  );
}

/** Returns a script and all that it imports at once. */
function withImports(file: string, before: readonly string[] = []): readonly string[] {
  if (before.includes(file)) return before;
  const { staticImports } = parseSync(file, readFileSync(file, 'utf8')).module;
  return staticImports.reduce<readonly string[]>(
    (files, { moduleRequest }) => withImports(join(dirname(file), moduleRequest.value), files),
    [...before, file],
  );
}

function fileOf(name: string): string {
  return fileURLToPath(import.meta.resolve(name));
}

function gzipped(file: string): number {
  return gzipSync(readFileSync(file), { level: 9 }).length;
}
