import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Answer, Incoming } from '@gantry/service';
import { SocialError } from '@gantry/wire';
import { getRequestListener } from '@hono/node-server';
import { errorEnvelope } from './error-envelope.ts';

/** A request handler that also gets the request target exactly as the client sent it: signatures cover those bytes. */
export type Fetch = (request: Request, rawTarget: string) => Promise<Response>;

/** Answers what needs no `Request`: the service's paths. `undefined` leaves the rest to `fetch`. */
export type Direct = (incoming: Incoming) => Promise<Answer> | undefined;

export interface ListenOptions {
  readonly fetch: Fetch;
  readonly direct?: Direct;
  /** 0 lets the system choose. */
  readonly port: number;
  readonly host: string;
}

export interface NodeServer {
  readonly port: number;
  /** Stops accepting, lets every accepted request finish, then resolves. */
  close(): Promise<void>;
}

/** Bytes of the largest request body (contract §2). */
const maxBody = 1024 * 1024;

/**
 * Listens on one port and hands each well-formed request to `fetch` (security rules 16, 20 and 21).
 *
 * @throws The listener's error, for example `EADDRINUSE`.
 */
export async function listen({ fetch, direct, port, host }: ListenOptions): Promise<NodeServer> {
  const server = createServer({
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    keepAliveTimeout: 10_000,
    connectionsCheckingInterval: 5_000,
    maxHeaderSize: 16 * 1024,
  });
  server.maxHeadersCount = 100;
  server.maxConnections = 10_000;
  const adapt = getRequestListener(
    (request, { incoming }) => fetch(request, (incoming as IncomingMessage).url ?? '/'),
    { overrideGlobalObjects: false },
  );

  function answer(incoming: IncomingMessage & { rawBody?: Buffer }, outgoing: ServerResponse): void {
    const answered = direct?.(incomingOf(incoming));
    if (answered) void answered.then((ours) => send(outgoing, ours));
    else void adapt(incoming, outgoing);
  }

  server.on('request', (incoming: IncomingMessage & { rawBody?: Buffer }, outgoing: ServerResponse) => {
    const problem = misdirection(incoming);
    if (problem) return refuse(outgoing, problem);
    if (incoming.method === 'GET' || incoming.method === 'HEAD') return answer(incoming, outgoing);
    return readBody(incoming).then(
      (body) => {
        incoming.rawBody = body; // known to the adapter: the Request's body without a stream
        return answer(incoming, outgoing);
      },
      (error: unknown) => refuse(outgoing, error),
    );
  });
  server.on('clientError', refuseBroken);
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return { port: (server.address() as AddressInfo).port, close: () => drain(server, sockets) };
}

function incomingOf({ method = 'GET', url = '/', headers, rawBody }: IncomingMessage & { rawBody?: Buffer }): Incoming {
  return {
    method,
    rawTarget: url,
    host: headers.host ?? '',
    header: (name) => headers[name] as string | undefined, // Node keeps a list for Set-Cookie only
    body: rawBody?.length ? rawBody : undefined,
  };
}

function send(outgoing: ServerResponse, { status, headers, body }: Answer): void {
  const length = body === null ? {} : { 'Content-Length': Buffer.byteLength(body) };
  outgoing.writeHead(status, { ...headers, ...length }).end(body ?? undefined);
}

/** What is wrong with the target or the headers that a signature stands on, if anything (contract §4). */
function misdirection({ url = '', rawHeaders }: IncomingMessage): SocialError | undefined {
  if (!url.startsWith('/') || isRewritten(url)) {
    return new SocialError(
      'BAD_REQUEST',
      'The request target must be an absolute path without dot segments or unescaped characters.',
    );
  }
  if (countHeader(rawHeaders, 'host') !== 1)
    return new SocialError('BAD_REQUEST', 'A request carries exactly one Host header.');
  if (countHeader(rawHeaders, 'authorization') > 1) {
    return new SocialError('BAD_REQUEST', 'A request carries at most one Authorization header.');
  }
  return undefined;
}

// `new URL` resolves dots, drops fragments and escapes some characters. The signature covers what was sent, so a
// target that would be read differently is refused rather than repaired.
function isRewritten(target: string): boolean {
  if (plainTarget.test(target)) return false;
  const queryAt = target.indexOf('?');
  const path = queryAt === -1 ? target : target.slice(0, queryAt);
  return target.includes('#') || new URL(`http://h${path}`).pathname !== path;
}
const plainTarget = /^(?:\/[A-Za-z0-9@:,_~-]+)+\/?(?:\?[A-Za-z0-9@:,._~%&=+-]*)?$/;

function countHeader(rawHeaders: readonly string[], name: string): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) if (rawHeaders[i]?.toLowerCase() === name) count++;
  return count;
}

async function readBody(incoming: IncomingMessage): Promise<Buffer> {
  const tooLarge = () => new SocialError('TOO_LARGE', `A request body is at most ${maxBody} bytes.`);
  if (Number(incoming.headers['content-length'] ?? 0) > maxBody) throw tooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBody) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

function refuse(outgoing: ServerResponse, error: unknown): void {
  if (!(error instanceof SocialError)) {
    outgoing.destroy(); // the client went away while it was sending
    return;
  }
  const body = JSON.stringify(errorEnvelope(error));
  outgoing.writeHead(error.status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    Connection: 'close', // the rest of a refused body is not read
  });
  outgoing.end(body);
}

const statusOfClientError: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

function refuseBroken(error: NodeJS.ErrnoException, socket: import('node:stream').Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
  const status = statusOfClientError[error.code ?? ''] ?? '400 Bad Request';
  const body = `{"error":{"code":${status.slice(0, 3)},"message":"${status.slice(4)}."}}`;
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${body.length}\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n${body}`,
  );
}

async function drain(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  const sweep = (): void => {
    // A kept-alive connection whose last request ends during the drain would hold it up until its own time-out.
    server.closeIdleConnections();
    // Browsers open connections ahead of need. Node counts them as busy until their first request.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  };
  const timer = setInterval(sweep, 20);
  await new Promise<void>((resolve) => server.close(() => resolve()));
  clearInterval(timer);
}
