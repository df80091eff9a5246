import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Writes an app that the demo does not know into a folder of its own, and returns that. */
export async function writeApp(name: string, files: Readonly<Record<string, string>>): Promise<string> {
  const folder = join(await mkdtemp(join(tmpdir(), 'gantry-kit-')), name);
  await mkdir(folder);
  for (const [file, content] of Object.entries(files)) await writeFile(join(folder, file), content);
  return folder;
}

/** A page of an app with the SDK. */
export function appPage(body: string, script: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>App</title><script src="/gantry/osapi.js"></script>
    ${body}<script>${script}</script></html>`;
}
