import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { SocialError } from '@gantry/wire';
import { errorEnvelope } from '../error-envelope.ts';

/** How long a client that is still sending gets to read what was answered. */
const lingerMs = 1_000;

/** Answers a request that goes no further. Whatever of its body is still to come is received and dropped. */
export function refuse(incoming: IncomingMessage, outgoing: ServerResponse, error: SocialError): void {
  const body = incoming.method === 'HEAD' ? '' : JSON.stringify(errorEnvelope(error));
  const isWhole = incoming.complete || !hasBody(incoming);
  outgoing.writeHead(error.status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    ...(error.retryAfter !== undefined && { 'Retry-After': error.retryAfter }),
    ...(!isWhole && { Connection: 'close' }),
  });
  if (isWhole) {
    outgoing.end(body);
    return;
  }
  // The answer is whole with its last byte. To close now would reset the connection under a client that is sending, and it
  // might never read the answer.
  outgoing.write(body);
  const finish = (): void => {
    clearTimeout(timer);
    outgoing.end();
  };
  const timer = setTimeout(finish, lingerMs);
  incoming.on('error', finish).on('end', finish).on('close', finish).resume();
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

const problems: Readonly<Record<string, SocialError>> = {
  HPE_HEADER_OVERFLOW: new SocialError('HEADERS_TOO_LARGE', 'The headers are too large.'),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: new SocialError('TOO_LARGE', 'The chunk extensions are too large.'),
  ERR_HTTP_REQUEST_TIMEOUT: new SocialError('REQUEST_TIMEOUT', 'The request did not arrive in time.'),
};
const malformed = new SocialError('BAD_REQUEST', 'This is not a request of HTTP/1.1.');

/**
 * Answers what the parser refused, on the bare connection, and closes it.
 *
 * @returns The status, or undefined where nobody is there to read it.
 */
export function refuseBroken(error: NodeJS.ErrnoException, socket: Duplex): number | undefined {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return undefined;
  }
  const problem = problems[error.code ?? ''] ?? malformed;
  const body = JSON.stringify(errorEnvelope(problem));
  const head = [
    `HTTP/1.1 ${problem.status} ${problem.code.toLowerCase().replaceAll('_', ' ')}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${body.length}`,
    'Cache-Control: no-store',
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  // A client that closes nothing would otherwise hold its connection for ever.
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.on('close', () => clearTimeout(timer)).resume();
  return problem.status;
}
