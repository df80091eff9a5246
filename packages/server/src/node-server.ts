import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import type { ReadableStream as NodeStream } from 'node:stream/web';
import type { Answer, Incoming } from '@gantry/service';
import { SocialError } from '@gantry/wire';
import { getRequestListener } from '@hono/node-server';
import { type Admission, createAdmission } from './edge/admission.ts';
import { closeListener } from './edge/close-listener.ts';
import { followConnections } from './edge/drain.ts';
import type { Edge } from './edge/edge.ts';
import { defaultLimits, type Limits } from './edge/limits.ts';
import { type BrokenRequest, notInTime, refuse, refuseBroken } from './edge/refusals.ts';
import { createBodyReader, isTooLarge, tooLarge } from './edge/request-body.ts';
import { headProblem } from './edge/request-head.ts';

/** A request handler that also gets the request target exactly as the client sent it: signatures cover those bytes. */
export type Fetch = (request: Request, rawTarget: string) => Promise<Response>;

/** What Node received, with its whole body. */
export interface Arrived extends Incoming {
  /** Method, address and headers as a `Request`, for those who must have one. */
  head(): Request;
}

/** What goes out. A body that is not there yet as a whole is sent as it comes. */
export interface Departing {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Answer['body'] | ReadableStream<Uint8Array>;
}

/** Answers what needs no `Request`: the service's paths and the calls of pages. `undefined` leaves the rest to `fetch`. */
export type Direct = (incoming: Arrived) => Promise<Departing> | undefined;

export interface ListenOptions {
  readonly fetch: Fetch;
  readonly direct?: Direct;
  /** Requests of which `fetch` takes the body piece by piece, with a limit of its own. Of others it comes as a whole. */
  readonly streams?: (request: Pick<Incoming, 'method' | 'rawTarget'>) => boolean;
  /** 0 lets the system choose. */
  readonly port: number;
  readonly host: string;
  /** Counts, names and turns away requests. Absent: none of that. */
  readonly edge?: Edge;
  /** The queue before the work, which `edge` shares. */
  readonly admission?: Admission;
  readonly limits?: Limits;
  /** Connections that another process accepts. Absent: this one listens on the port. */
  readonly handed?: HandedConnections | undefined;
}

/** Connections that another process accepts and hands over. */
export interface HandedConnections {
  /** The port that they came to. */
  readonly port: number;
  /** Says that connections can come, and calls back with each. */
  take(onConnection: (socket: Socket) => void): void;
  /** Asks for no more, and resolves after the last one. */
  end(): Promise<void>;
}

export interface NodeServer {
  readonly port: number;
  /** Stops accepting, lets every accepted request finish, then resolves. */
  close(): Promise<void>;
}

type Received = IncomingMessage & { rawBody?: Buffer };

/**
 * Listens on one port and hands each well-formed request to `fetch` (security rules 16, 20 and 21).
 *
 * @throws The listener's error, for example `EADDRINUSE`.
 */
export async function listen({
  fetch,
  direct,
  streams = () => false,
  port,
  host,
  edge,
  limits = defaultLimits,
  admission = createAdmission({ limits }),
  handed,
}: ListenOptions): Promise<NodeServer> {
  const server = createServer({
    headersTimeout: limits.headersMs,
    requestTimeout: Math.max(limits.requestMs, limits.uploadMs), // the shorter one is kept below
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: limits.checkMs,
    maxHeaderSize: limits.headerBytes,
    requireHostHeader: false, // asked for below, with an answer that says so
  });
  server.maxHeadersCount = limits.headers + 1;
  server.maxConnections = limits.connections;
  server.timeout = limits.silenceMs;
  server.on('connection', admission.connected);
  const connections = followConnections(server, limits.requestMs);
  const readBody = createBodyReader(limits.bodiesBytes);
  const adapt = getRequestListener(
    (request, { incoming }) => fetch(request, (incoming as IncomingMessage).url ?? '/'),
    {
      overrideGlobalObjects: false,
    },
  );

  function answer(incoming: Received, outgoing: ServerResponse): void {
    const work = () => answerNow(incoming, outgoing);
    if (edge) edge.admit(outgoing, work, (problem) => refuse(incoming, outgoing, problem));
    else work();
  }

  function answerNow(incoming: Received, outgoing: ServerResponse): void {
    edge?.work(outgoing);
    const answered = direct?.(incomingOf(incoming));
    if (answered) answered.then((ours) => send(outgoing, ours)).catch(() => outgoing.destroy());
    else void adapt(incoming, outgoing);
  }

  /** @param proceed Tells a client that waits with its body to send it. */
  function accept(incoming: Received, outgoing: ServerResponse, proceed?: () => void): void {
    const problem = headProblem(incoming, limits.headers) ?? edge?.problem();
    if (problem) refuse(incoming, outgoing, problem);
    else if (incoming.method === 'GET' || incoming.method === 'HEAD') answer(incoming, outgoing);
    else if (streams({ method: incoming.method ?? '', rawTarget: incoming.url ?? '' })) {
      proceed?.();
      answer(incoming, outgoing);
    } else if (isTooLarge(incoming)) refuse(incoming, outgoing, tooLarge());
    else {
      proceed?.();
      void receiveBody(incoming, outgoing);
    }
  }

  async function receiveBody(incoming: Received, outgoing: ServerResponse): Promise<void> {
    const late = setTimeout(() => refuse(incoming, outgoing, notInTime), limits.requestMs);
    try {
      incoming.rawBody = await readBody(incoming); // known to the adapter: the Request's body without a stream
      if (!outgoing.headersSent) answer(incoming, outgoing);
    } catch (error) {
      if (outgoing.headersSent) return; // it was refused for coming late
      if (error instanceof SocialError) refuse(incoming, outgoing, error);
      else outgoing.destroy(); // the client went away while it was sending
    } finally {
      clearTimeout(late);
    }
  }

  function receive(incoming: Received, outgoing: ServerResponse, proceed?: () => void): void {
    connections.busy(incoming, outgoing);
    if (connections.isDraining) outgoing.shouldKeepAlive = false;
    const work = () => accept(incoming, outgoing, proceed);
    if (edge) edge.follow(incoming, outgoing, work);
    else work();
  }

  server.on('request', (incoming: Received, outgoing: ServerResponse) => receive(incoming, outgoing));
  server.on('checkContinue', (incoming: Received, outgoing: ServerResponse) =>
    receive(incoming, outgoing, () => outgoing.writeContinue()),
  );
  server.on('checkExpectation', (incoming: Received, outgoing: ServerResponse) => {
    refuse(incoming, outgoing, new SocialError('BAD_REQUEST', 'Expect can be 100-continue only.'));
  });
  server.on('clientError', async (error: BrokenRequest, socket: Socket) => {
    if (!(await connections.nextAnswer(socket))) socket.destroy();
    else if (refuseBroken(error, socket, connections.arriving(socket)) !== undefined) edge?.broken();
  });
  const stopAccepting = handed
    ? takeConnections(server, handed, limits.connections)
    : await openPort(server, { port, host, backlog: limits.backlog });

  return {
    port: handed?.port ?? (server.address() as AddressInfo).port,
    close: () =>
      connections.drain(async () => {
        admission.hold(); // clients that get no answer connect no more
        await stopAccepting();
        admission.release();
      }),
  };
}

/** @returns What stops listening. */
async function openPort(
  server: Server,
  where: { readonly port: number; readonly host: string; readonly backlog: number },
): Promise<() => Promise<void>> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(where, resolve);
  });
  return () => closeListener(server);
}

function takeConnections(server: Server, handed: HandedConnections, most: number): () => Promise<void> {
  let open = 0;
  server.emit('listening'); // begins the look-out for late requests
  handed.take((socket) => {
    if (open >= most) {
      socket.destroy();
      return;
    }
    open++;
    socket.once('close', () => open--);
    socket.setNoDelay(true);
    server.emit('connection', socket);
  });
  return handed.end;
}

function incomingOf({ method = 'GET', url = '/', headers, rawBody }: Received): Arrived {
  return {
    method,
    rawTarget: url,
    host: headers.host ?? '',
    header: (name) => headers[name] as string | undefined, // Node keeps a list for Set-Cookie only
    body: rawBody?.length ? rawBody : undefined,
    head: () => new Request(`http://${headers.host}${url}`, { method, headers: headers as Record<string, string> }),
  };
}

function send(outgoing: ServerResponse, { status, headers, body }: Departing): void {
  if (body instanceof ReadableStream) {
    outgoing.writeHead(status, headers);
    pipeline(Readable.fromWeb(body as NodeStream<Uint8Array>), outgoing, () => {}); // a client that goes away ends it
    return;
  }
  const length = body === null ? {} : { 'Content-Length': Buffer.byteLength(body) };
  outgoing.writeHead(status, { ...headers, ...length }).end(body ?? undefined);
}
