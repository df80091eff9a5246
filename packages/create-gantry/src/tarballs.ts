import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Finds the tarballs that `npm run pack` wrote.
 *
 * @returns A `file:` specifier for each of Gantry's packages, by name.
 * @throws Error if the folder cannot be read or lacks a needed package.
 */
export function tarballsIn(
  folder: string,
  { version, needed }: { readonly version: string; readonly needed: readonly string[] },
): Readonly<Record<string, string>> {
  const end = `-${version}.tgz`;
  const tarballs = Object.fromEntries(
    filesOf(folder)
      .filter((file) => /^(create-)?gantry-/.test(file) && file.endsWith(end))
      .map((file) => [packageOf(file.slice(0, -end.length)), `file:${join(folder, file).replaceAll('\\', '/')}`]),
  );
  const missing = needed.filter((name) => !(name in tarballs));
  if (missing.length === 0) return tarballs;
  throw new Error(
    `--packages: the folder has no tarball of ${missing.join(', ')} ${version}. npm run pack makes them.`,
  );
}

function filesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (cause) {
    throw new Error(`--packages: the folder cannot be read (${(cause as NodeJS.ErrnoException).code}).`, { cause });
  }
}

function packageOf(file: string): string {
  return file === 'create-gantry' ? file : file.replace(/^gantry-/, '@gantry/');
}
