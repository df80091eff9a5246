import { isServed } from './served-files.ts';

/**
 * Splits the path of an app's file into decoded segments. Returns `undefined` for a path that may
 * leave the app's folder or that is not served.
 *
 * @param path Relative, percent-encoded, without query.
 */
export function parseFilePath(path: string): readonly string[] | undefined {
  try {
    const segments = path.split('/').map(decodeURIComponent);
    // A decoded slash would be read as a separator.
    return segments.every((segment) => !segment.includes('/')) && isServed(segments.join('/')) ? segments : undefined;
  } catch {
    return undefined;
  }
}
