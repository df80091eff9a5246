import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { UsageError } from '@gantry/server';

export type ViteModule = typeof import('vite');

const oldestMajor = 7;

/**
 * Loads the Vite that an app has installed, or else the one beside this package.
 *
 * @example
 * typeof (await loadVite('demo')).createServer; // 'function'
 * @throws UsageError with the command that installs it, where there is none or one that is too old.
 */
export async function loadVite(folder: string): Promise<ViteModule> {
  const path = resolveFrom(join(folder, 'package.json')) ?? resolveFrom(import.meta.filename);
  if (path === undefined) {
    throw new UsageError(`${folder} has to be built, and Vite is not installed: npm install --save-dev vite`);
  }
  const vite: ViteModule = await import(pathToFileURL(path).href);
  if (Number.parseInt(vite.version, 10) < oldestMajor) {
    throw new UsageError(
      `${folder} has Vite ${vite.version}; gantry dev needs Vite ${oldestMajor} or newer: npm install --save-dev vite@latest`,
    );
  }
  return vite;
}

function resolveFrom(file: string): string | undefined {
  try {
    return createRequire(file).resolve('vite');
  } catch {
    return undefined;
  }
}
