import { SocialError } from '@gantry/wire';

/** The REST root (contract §1). */
export const restRoot = '/social/rest/';

/**
 * Decoded segments of a path below the REST root, the service first. One trailing slash is accepted (contract §1).
 *
 * @param path The path as on the wire, so that an escaped slash is told from a slash.
 * @returns `undefined` for a path that is not below the root.
 * @throws SocialError BAD_REQUEST for a bad escape and for a segment that no id can be: with `/` or NUL, or `..`.
 */
export function segmentsOf(path: string): readonly string[] | undefined {
  if (!path.startsWith(restRoot)) return undefined;
  const end = path.length > restRoot.length && path.endsWith('/') ? -1 : undefined;
  return path.slice(restRoot.length, end).split('/').map(decode);
}

function decode(segment: string): string {
  const text = segment.includes('%') ? unescapeSegment(segment) : segment;
  if (text === '.' || text === '..' || text.includes('/') || text.includes('\0')) {
    throw new SocialError('BAD_REQUEST', 'A path segment must not decode to "/", "." or "..", nor hold NUL.');
  }
  return text;
}

function unescapeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch (cause) {
    throw new SocialError('BAD_REQUEST', 'Percent-encode path segments as UTF-8.', { cause });
  }
}
