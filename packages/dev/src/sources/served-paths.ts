import { realpathSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

/**
 * Decides which files Vite may serve, besides its own rules. Lets through files of the app's folder
 * and of the `node_modules` folders in which its imports are looked up, by their real paths, and
 * names that Vite makes up.
 *
 * @param options.cache Folder in which Vite keeps what it has built of packages.
 */
export function createServedPaths(options: {
  readonly folder: string;
  readonly publicFolder: string | undefined;
  readonly cache: string;
}) {
  const { folder, publicFolder, cache } = options;
  const root = realpathSync(folder);
  const packages = [...ancestors(root)].map((parent) => join(parent, 'node_modules'));
  const others = [...packages, cache, ...(publicFolder ? [publicFolder] : [])];
  const roots = [root, ...others.map((path) => realOf(path) ?? path)];

  function isServed(file: string, isImported: (file: string) => boolean): boolean {
    const real = realOf(file);
    if (real === undefined) return true; // missing or virtual: Vite decides
    if (/\.(?:crt|pem|key|p12|pfx|cer|der)$/i.test(real)) return false;
    const home = roots.filter((parent) => isInside(parent, real)).sort((one, other) => other.length - one.length)[0];
    if (home === undefined) return isImported(real);
    // `.env`, `.git`, `.gantry`: dotted names are for authors, but for those that package managers
    // and Vite make.
    return home !== root || !isHidden(relative(root, real));
  }

  return {
    /** Folders for Vite's `server.fs.allow`. */
    allowed: roots,
    /**
     * Returns whether a request may reach Vite.
     *
     * @param path Behind the app's base, percent-encoded, without query.
     * @param isImported Says whether a source of the app imports this file, by its real path:
     * packages that are linked lie elsewhere.
     */
    allows(path: string, isImported: (file: string) => boolean): boolean {
      const segments = decoded(path);
      if (segments === undefined) return false;
      const [first = '', ...rest] = segments;
      if (first === '@fs') return isServed(sep + join(...rest), isImported);
      if (first === '@id') return !rest.some(isDotted);
      if (first.startsWith('__')) return false; // tools of Vite and plugins, such as the one that opens an editor
      if (isHidden(join(...segments)) && !isInside(cache, join(folder, ...segments))) return false;
      const places = [folder, ...(publicFolder ? [publicFolder] : [])];
      return places.every((place) => isServed(join(place, ...segments), isImported));
    },
  };
}

/** Decodes segments; `undefined` for a path that could mean another place than it says. */
function decoded(path: string): readonly string[] | undefined {
  try {
    const segments = path.split('/').map(decodeURIComponent);
    const isPlain = segments.every(
      (name) => name !== '' && name !== '.' && name !== '..' && !/[/\\%\p{Cc}]/u.test(name),
    );
    return isPlain ? segments : undefined;
  } catch {
    return undefined;
  }
}

/** Returns whether a path has a dotted name before it comes to a `node_modules`. */
function isHidden(path: string): boolean {
  const segments = path.split(sep);
  const packagesAt = segments.indexOf('node_modules');
  return segments.slice(0, packagesAt === -1 ? undefined : packagesAt).some(isDotted);
}

function isDotted(name: string): boolean {
  return name.startsWith('.');
}

function isInside(parent: string, file: string): boolean {
  return file === parent || file.startsWith(parent.endsWith(sep) ? parent : parent + sep);
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function* ancestors(folder: string): Generator<string> {
  for (let at = folder; ; at = dirname(at)) {
    yield at;
    if (dirname(at) === at) return;
  }
}
