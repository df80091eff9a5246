import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { writeFailure } from '@gantry/service';
import { SocialError } from '@gantry/wire';
import { hasBody } from './request-body.ts';

/** Time for a client that is still sending to read the response. */
export const lingerMs = 1_000;

/** Sends an error response and drops the rest of the body, if that is worth its cost. */
export function refuse(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  error: SocialError,
  { reads = true }: { readonly reads?: boolean } = {},
): void {
  const { type, text } = writeFailure(error, incoming.url ?? '');
  const body = incoming.method === 'HEAD' ? '' : text;
  const isWhole = incoming.complete || !hasBody(incoming);
  outgoing.writeHead(error.status, {
    'Content-Type': type,
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    ...(error.retryAfter !== undefined && { 'Retry-After': error.retryAfter }),
    ...(!isWhole && { Connection: 'close' }),
  });
  if (isWhole) {
    outgoing.end(body);
    return;
  }
  // The response is complete with its last byte. Closing now would reset the connection while the
  // client sends, and it might never read the response.
  outgoing.write(body);
  const finish = (): void => {
    clearTimeout(timer);
    outgoing.end();
  };
  const timer = setTimeout(finish, lingerMs);
  // Node does not abort a request whose response is complete: what reads its body would wait.
  outgoing.once('close', () => incoming.destroy());
  incoming.on('error', finish).on('end', finish).on('close', finish);
  if (reads) incoming.resume();
  else incoming.socket.pause();
}

/** The body of a request arrived too late. */
export const notInTime = new SocialError('REQUEST_TIMEOUT', 'The request did not arrive in time.');

const problems: Readonly<Record<string, SocialError>> = {
  HPE_HEADER_OVERFLOW: new SocialError('HEADERS_TOO_LARGE', 'The headers are too large.'),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: new SocialError('TOO_LARGE', 'The chunk extensions are too large.'),
  ERR_HTTP_REQUEST_TIMEOUT: notInTime,
};
const malformed = new SocialError('BAD_REQUEST', 'This is not a request of HTTP/1.1.');

/** Error of Node's HTTP parser. */
export interface BrokenRequest extends NodeJS.ErrnoException {
  /** The bytes at which it stopped. */
  readonly rawPacket?: Buffer;
}

/**
 * Sends an error response to a malformed request on its bare connection, and closes that.
 *
 * @param rawTarget Target of the request whose body was arriving. Default: the one in the last
 * bytes received.
 * @returns The status, or undefined if the connection is gone.
 */
export function refuseBroken(error: BrokenRequest, socket: Duplex, rawTarget = targetIn(error)): number | undefined {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return undefined;
  }
  const problem = problems[error.code ?? ''] ?? malformed;
  const { type, text } = writeFailure(problem, rawTarget);
  const head = [
    `HTTP/1.1 ${problem.status} ${problem.code.toLowerCase().replaceAll('_', ' ')}`,
    `Content-Type: ${type}`,
    `Content-Length: ${Buffer.byteLength(text)}`,
    'Cache-Control: no-store',
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`);
  // A client that never closes would hold its connection for ever.
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.on('close', () => clearTimeout(timer)).resume();
  return problem.status;
}

function targetIn({ rawPacket }: BrokenRequest): string {
  return /^[A-Z]+ (\S+) HTTP\/1\.[01]\r\n/.exec(rawPacket?.toString('latin1') ?? '')?.[1] ?? '';
}
