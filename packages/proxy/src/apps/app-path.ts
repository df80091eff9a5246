/**
 * Splits the path of an app's file into decoded segments. Returns `undefined` for a path that may
 * leave the app's folder or that authors do not expect to publish (`.env`, `.git/config`,
 * `friends.stories.ts`, `friends.test.ts`).
 *
 * @param path Relative, percent-encoded, without query.
 */
export function parseFilePath(path: string): readonly string[] | undefined {
  try {
    const segments = path.split('/').map(decodeURIComponent);
    return segments.every(isFileName) && !isUnpublished(segments.at(-1) ?? '') ? segments : undefined;
  } catch {
    return undefined;
  }
}

// No colons or backslashes: streams, drives and separators on Windows.
function isFileName(segment: string): boolean {
  return segment !== '' && !segment.startsWith('.') && !/[/\\:\p{Cc}]/u.test(segment);
}

// Stories, and tests in TypeScript, may hold names of people and passwords of test sites.
function isUnpublished(name: string): boolean {
  return /\.(?:stories\.[jt]s|stories\.mjs|(?:test|spec)\.ts)$/i.test(name);
}
