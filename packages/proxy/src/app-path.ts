/**
 * The path of an app's file as decoded segments, or undefined for one that could mean anything outside the app's folder
 * or a file that authors do not expect to publish (`.env`, `.git/config`, `friends.stories.ts`, `friends.test.ts`).
 *
 * @param path Relative, percent-encoded, without query.
 */
export function fileSegments(path: string): readonly string[] | undefined {
  try {
    const segments = path.split('/').map(decodeURIComponent);
    return segments.every(isFileName) && !isAuthorsOwn(segments.at(-1) ?? '') ? segments : undefined;
  } catch {
    return undefined;
  }
}

// Colons and backslashes because of Windows: streams, drives, separators.
function isFileName(segment: string): boolean {
  return segment !== '' && !segment.startsWith('.') && !/[/\\:\p{Cc}]/u.test(segment);
}

/**
 * Says whether a file beside an app is its author's: stories, and tests in TypeScript, which browsers do not run. They may
 * hold names of people and passwords of test sites.
 */
export function isAuthorsOwn(name: string): boolean {
  return /\.(?:stories\.[jt]s|stories\.mjs|(?:test|spec)\.ts)$/i.test(name);
}
