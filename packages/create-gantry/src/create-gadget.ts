import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { namesFor, shown } from './names.ts';
import type { PackageManager } from './package-manager.ts';
import { projectFiles } from './project-files.ts';
import { tarballsIn } from './tarballs.ts';
import { type TemplateName, templates } from './templates.ts';
import { writeFiles } from './write-files.ts';

export interface CreateOptions {
  /** Absolute path of the folder to create. Its last part becomes the id. */
  readonly folder: string;
  readonly template: TemplateName;
  /** Package manager whose commands the files use. Default: npm. */
  readonly manager?: PackageManager;
  /** Absolute path of tarballs from `npm run pack`. Absent: packages come from the registry. */
  readonly packages?: string | undefined;
}

/** A new gadget. */
export interface Created {
  /** Id of the app. */
  readonly id: string;
  readonly title: string;
  /** Absolute path. */
  readonly folder: string;
  /** Paths of its files, with slashes. */
  readonly files: readonly string[];
}

/** Entries allowed in the new folder: an empty repository, and files that systems create. */
const harmless = new Set(['.git', '.DS_Store', 'Thumbs.db']);
const mostNamed = 8;

/** Creates a gadget's folder, without packages. @throws Error in a sentence; nothing is written. */
export function createGadget({
  folder: target,
  template,
  manager = { name: 'npm' },
  packages,
}: CreateOptions): Created {
  const names = namesFor(target);
  if (!names)
    throw new Error(
      `${quoted(target)} cannot be the id of an app: use letters a to z and digits, for example my-gadget.`,
    );
  const folder = join(dirname(target), names.id);
  const version = ownVersion();
  const needed = templates[template].own;
  const tarballs = packages === undefined ? undefined : tarballsIn(packages, { version, needed });
  const files = projectFiles({ ...names, template: templates[template], manager, version, tarballs });
  try {
    refuseWhatIsThere(folder);
    writeFiles(folder, files);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    const reason = code === 'ENOTDIR' || code === 'EEXIST' ? 'a file is in its way' : code;
    throw new Error(`${quoted(folder)} cannot be created (${reason}). Nothing was written.`, { cause: error });
  }
  return { ...names, folder, files: [...files.keys()] };
}

function refuseWhatIsThere(folder: string): void {
  if (!statSync(folder, { throwIfNoEntry: false })) return;
  const there = readdirSync(folder).filter((name) => !harmless.has(name));
  if (there.length === 0) return;
  const more = there.length > mostNamed ? `, and ${there.length - mostNamed} more` : '';
  throw new Error(
    `${quoted(folder)} is not empty: ${there.sort().slice(0, mostNamed).map(shown).join(', ')}${more}. Name another folder; nothing was written.`,
  );
}

function quoted(path: string): string {
  return `"${shown(path)}"`;
}

/** Returns the version of this package, shared by all packages of a release. */
export function ownVersion(): string {
  const file = new URL('../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string }).version;
}
