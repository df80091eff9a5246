/**
 * The path of an app's file as decoded segments, or undefined for one that could mean anything outside the app's folder
 * or a file that authors do not expect to publish (`.env`, `.git/config`).
 *
 * @param path Relative, percent-encoded, without query.
 */
export function fileSegments(path: string): readonly string[] | undefined {
  try {
    const segments = path.split('/').map(decodeURIComponent);
    return segments.every(isFileName) ? segments : undefined;
  } catch {
    return undefined;
  }
}

// Colons and backslashes because of Windows: streams, drives, separators.
function isFileName(segment: string): boolean {
  return segment !== '' && !segment.startsWith('.') && !/[/\\:\p{Cc}]/u.test(segment);
}
