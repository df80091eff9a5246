import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { writeFailure } from '@gantry/service';
import { SocialError } from '@gantry/wire';
import { hasBody } from './request-body.ts';

/** How long a client that is still sending gets to read what was answered. */
const lingerMs = 1_000;

/** Answers a request that goes no further. Whatever of its body is still to come is received and dropped. */
export function refuse(incoming: IncomingMessage, outgoing: ServerResponse, error: SocialError): void {
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

/** A request whose body did not come. */
export const notInTime = new SocialError('REQUEST_TIMEOUT', 'The request did not arrive in time.');

const problems: Readonly<Record<string, SocialError>> = {
  HPE_HEADER_OVERFLOW: new SocialError('HEADERS_TOO_LARGE', 'The headers are too large.'),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: new SocialError('TOO_LARGE', 'The chunk extensions are too large.'),
  ERR_HTTP_REQUEST_TIMEOUT: notInTime,
};
const malformed = new SocialError('BAD_REQUEST', 'This is not a request of HTTP/1.1.');

/** What the parser says. */
export interface BrokenRequest extends NodeJS.ErrnoException {
  /** The bytes that it stopped in. */
  readonly rawPacket?: Buffer;
}

/**
 * Answers what the parser refused, on the bare connection, and closes it.
 *
 * @param rawTarget Of the request whose body was arriving; of any other, it may stand in what came last.
 * @returns The status, or undefined where nobody is there to read it.
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
  // A client that closes nothing would otherwise hold its connection for ever.
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.on('close', () => clearTimeout(timer)).resume();
  return problem.status;
}

function targetIn({ rawPacket }: BrokenRequest): string {
  return /^[A-Z]+ (\S+) HTTP\/1\.[01]\r\n/.exec(rawPacket?.toString('latin1') ?? '')?.[1] ?? '';
}
