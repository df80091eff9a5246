import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isWorking, type OperationId, operation, operations, optionalPersonFields } from '@gantry/wire';

/**
 * An app as data: files by path. `index.html` is its page; without `gadget.json` it may call
 * everything.
 */
export type AppFiles = Readonly<Record<string, string | Uint8Array>>;

/**
 * Writes an app that is unknown to the demo into a temporary folder, until the process ends.
 *
 * @returns its folder, named like its id.
 */
export function writeApp(name: string, files: AppFiles): string {
  const ofProcess = join(tmpdir(), `gantry-apps-${process.pid}`);
  if (!existsSync(ofProcess)) {
    mkdirSync(ofProcess, { mode: 0o700 });
    process.once('exit', () => rmSync(ofProcess, { recursive: true, force: true }));
  }
  const folder = join(mkdtempSync(join(ofProcess, 'app-')), name);
  writeFiles(folder, { 'gadget.json': manifest(name), ...files });
  return folder;
}

/** Writes files below a folder, which is created if needed. */
export function writeFiles(folder: string, files: AppFiles): void {
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

/** Returns a page of an app with the SDK. */
export function appPage(body: string, script = ''): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>App</title><script src="/gantry/osapi.js"></script>
    ${body}<script>${script}</script></html>`;
}

const working = (Object.keys(operations) as OperationId[]).filter(isWorking);
const everything = [...new Set(working.map((id) => operation(id).osapi))];

/** Content of the `gadget.json` of an app that may call everything. */
export function manifest(name: string): string {
  return JSON.stringify({ name, page: 'index.html', uses: everything, fields: optionalPersonFields });
}
