import type { IncomingMessage } from 'node:http';
import { SocialError } from '@gantry/wire';

/**
 * Returns the fault of a request's target or headers, which signatures depend on, if any (contract
 * §4). @param most Headers accepted. The server reads one more, to detect too many.
 */
export function headProblem(incoming: IncomingMessage, most: number): SocialError | undefined {
  const { url = '', rawHeaders, httpVersionMajor } = incoming;
  if (httpVersionMajor !== 1) return new SocialError('BAD_REQUEST', 'This server speaks HTTP/1.1.');
  if (!url.startsWith('/') || isRewritten(url)) {
    return new SocialError(
      'BAD_REQUEST',
      'The request target must be an absolute path without dot segments or unescaped characters.',
    );
  }
  if (rawHeaders.length / 2 > most)
    return new SocialError('HEADERS_TOO_LARGE', `A request has at most ${most} headers.`);
  if (countHeader(rawHeaders, 'host') !== 1)
    return new SocialError('BAD_REQUEST', 'A request carries exactly one Host header.');
  if (countHeader(rawHeaders, 'authorization') > 1) {
    return new SocialError('BAD_REQUEST', 'A request carries at most one Authorization header.');
  }
  return undefined;
}

// `new URL` resolves dots, drops fragments and escapes some characters. Signatures cover the target
// as sent, so one that would be read differently is refused, not repaired.
function isRewritten(target: string): boolean {
  if (plainTarget.test(target)) return false;
  const queryAt = target.indexOf('?');
  const path = queryAt === -1 ? target : target.slice(0, queryAt);
  return target.includes('#') || !URL.canParse(`http://h${path}`) || new URL(`http://h${path}`).pathname !== path;
}
const plainTarget = /^(?:\/[A-Za-z0-9@:,_~-]+)+\/?(?:\?[A-Za-z0-9@:,._~%&=+-]*)?$/;

function countHeader(rawHeaders: readonly string[], name: string): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) if (rawHeaders[i]?.toLowerCase() === name) count++;
  return count;
}
