import { SocialError } from '@gantry/wire';

export const restRoot = '/social/rest/';

/**
 * Splits a path below the REST root into decoded segments, the service first. One trailing slash is
 * accepted (contract §1).
 *
 * @param path As sent, so that an escaped slash differs from a slash.
 * @returns `undefined` for a path outside the root.
 * @throws SocialError BAD_REQUEST for an invalid escape, and for a segment that holds `/` or NUL or
 * is `.` or `..`.
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
