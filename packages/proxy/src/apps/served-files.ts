import { isWebFile } from './content-types.ts';

/**
 * Returns whether Gantry serves a file of an app's folder: one that a page can load, and that is
 * not for authors. Plain folders and built ones have the same list.
 *
 * - Not served: names that begin with a dot, and all below such folders.
 * - Not served: extensions that no page can load, such as `.pem`, `.ts`, `.md`, and none at all.
 * - Not served: `node_modules`, and `test`, `tests` and `e2e` at the top of the folder.
 * - Not served: scripts named `*.gadget.*`, `*.stories.*`, `*.test.*`, `*.spec.*` and
 *   `*.config.*`, and manifests of packages.
 *
 * @param path Path in the folder with slashes.
 */
export function isServed(path: string): boolean {
  const segments = path.split('/');
  const name = segments.at(-1) ?? '';
  return segments.every(isFileName) && isWebFile(name) && !isForAuthors(path) && !unserved.test(path);
}

/** Returns whether a file is a test, story or configuration, which an app's frame never runs. */
export function isForAuthors(path: string): boolean {
  return /\.(?:stories|test|spec|config|d)\.\w+$|\.gadget\.[cm]?[jt]sx?$|^(?:tests?|e2e)\//i.test(path);
}

const unserved =
  /(?:^|\/)(?:node_modules\/|(?:package|package-lock|npm-shrinkwrap|composer|deno|jsr|bower|tsconfig|jsconfig)(?:\.[\w-]+)?\.json$)/i;

// No colons or backslashes: streams, drives and separators on Windows.
function isFileName(segment: string): boolean {
  return segment !== '' && !segment.startsWith('.') && !/[/\\:\p{Cc}]/u.test(segment);
}
